import email.utils
import json
import time

import pytest
from tests.faults.driving import Driver, scenario_of, the_request

from failsame.faults.protocol import EndpointSpec
from failsame.suite import Answer, Close, Failure, Garbage, Good, GoodAnswer, Reset, Silent

_BODY = "0123456789" * 20
_SPEC = EndpointSpec(good=GoodAnswer(body=_BODY, headers={"X-Own": "kept"}))


def _split(data: bytes) -> tuple[bytes, bytes]:
    head, _, body = data.partition(b"\r\n\r\n")
    return head, body


@pytest.mark.parametrize(
    ("answer", "body", "ending", "label"),
    [
        (Good(), _BODY, "silence", "200"),
        (Good(body="truncated"), _BODY[:100], "fin", "200, half a body, then FIN"),
        (Good(body="reset"), _BODY[:100], "rst", "200, half a body, then RST"),
        (Good(body="stalled"), _BODY[:100], "silence", "200, half a body, then silence"),
        (Failure(status=502, body="no"), "no", "silence", "502"),
    ],
)
def test_answers_with_a_head(driver: Driver, answer: Answer, body: str, ending: str, label: str) -> None:
    """How much of the body comes and how the connection ends is what the answer says; so says the journal."""
    with driver.trial(scenario_of(answer), _SPEC) as served, served.connect() as client:
        data = client.get().ends(ending)
        entry = the_request(served.close())
    head, sent = _split(data)
    assert sent.decode() == body
    assert head.startswith(b"HTTP/1.1 ")
    assert (entry.answer, entry.complete, entry.faulted) == (label, body != _BODY[:100], True)
    assert (entry.end is None) == (isinstance(answer, Good) and answer.body == "stalled")
    assert entry.answer_began is not None
    assert entry.at <= entry.answer_began


@pytest.mark.parametrize(
    ("answer", "ending", "label"),
    [(Silent(), "silence", "silent"), (Reset(), "rst", "reset"), (Close(), "fin", "closed")],
)
def test_answers_without_a_byte(driver: Driver, answer: Answer, ending: str, label: str) -> None:
    """The request is read whole, and then comes silence, an RST or a FIN, and nothing before it."""
    with driver.trial(scenario_of(answer)) as served, served.connect() as client:
        assert client.send(b"POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 4\r\n\r\nab").ends("silence") == b""
        assert client.send(b"cd").ends(ending) == b""
        entry = the_request(served.close())
    assert (entry.answer, entry.complete, entry.answer_began) == (label, False, None)
    assert (entry.end is None) == (ending == "silence")


def test_garbage_is_not_http_and_ends_in_a_fin(driver: Driver) -> None:
    """No version of HTTP begins like that."""
    with driver.trial(scenario_of(Garbage())) as served, served.connect() as client:
        data = client.get().ends("fin")
    assert data
    assert not data.startswith(b"HTTP")


def test_a_good_answer_may_be_late(driver: Driver) -> None:
    """The delay counts from the end of the request."""
    with driver.trial(scenario_of(Good(delay=0.3)), _SPEC) as served, served.connect() as client:
        assert client.get().answer()[2].decode() == _BODY
        entry = the_request(served.close())
    assert entry.answer == "200 after 0.3 s"
    assert entry.answer_began is not None
    assert 0.3 <= entry.answer_began - entry.at < 1.3


@pytest.mark.parametrize(("answer", "last"), [(Good(head="slow"), b"\r\n\r\n"), (Good(body="drip"), _BODY.encode())])
def test_slow_answers_come_a_byte_at_a_time(driver: Driver, answer: Answer, last: bytes) -> None:
    """All but the last bytes come at once, the next ones singly; the whole pace is tested as a script."""
    with driver.trial(scenario_of(answer), _SPEC) as served, served.connect() as client:
        client.get()
        first = client.sock.recv(65536)
        singles = [client.sock.recv(65536) for _ in range(2)]
    assert len(first) > 40
    assert not first.endswith(last)
    assert [len(single) for single in singles] == [1, 1]


def test_a_failure_has_its_headers_and_the_dialects_body(driver: Driver) -> None:
    """An error is the dialect's document under the scenario's headers."""
    answer = Failure(status=503, headers={"Retry-After": "2", "Content-Length": "1"})
    with driver.trial(scenario_of(answer)) as served, served.connect() as client:
        status, headers, body = client.get().answer()
    assert (status, headers["retry-after"]) == (503, "2")
    assert json.loads(body)["status"] == 503


def test_retry_after_may_be_a_date(driver: Driver) -> None:
    """The date is a whole second, rounded up, and so many seconds ahead."""
    with driver.trial("retry-after-date") as served, served.connect() as client:
        before = time.time()
        headers = client.get().answer()[1]
        after = time.time()
    date = email.utils.parsedate_to_datetime(headers["retry-after"]).timestamp()
    assert before + 5 <= date <= after + 6


@pytest.mark.parametrize(
    ("scenario", "status", "code"), [("throttled", 503, b"SlowDown"), ("error-in-200", 200, b"InternalError")]
)
def test_s3_has_errors_of_its_own(driver: Driver, scenario: str, status: int, code: bytes) -> None:
    """The throttling error brings its own status, and an error may come inside a 200."""
    with driver.trial(scenario, EndpointSpec(dialect="s3")) as served, served.connect() as client:
        got, _, body = client.get("/b/k").answer()
    assert got == status
    assert b"<Code>" + code + b"</Code>" in body


def test_a_wrong_checksum_is_the_only_difference(driver: Driver) -> None:
    """`bad-checksum` changes what is declared, not the body."""
    spec = EndpointSpec(dialect="s3")
    with (
        driver.trial("healthy", spec) as good,
        driver.trial("bad-checksum", spec) as bad,
        good.connect() as one,
        bad.connect() as other,
    ):
        right, wrong = one.get("/b/k").answer(), other.get("/b/k").answer()
    assert right[2] == wrong[2]
    assert right[1].pop("x-amz-checksum-crc32") != wrong[1].pop("x-amz-checksum-crc32")
    del right[1]["date"], wrong[1]["date"]
    assert right[1] == wrong[1]


@pytest.mark.parametrize("dialect", ["s3", "aws-json"])
def test_clock_skew_heals_once_the_date_fits(driver: Driver, dialect: str) -> None:
    """403 with the date of the server's clock, until the request carries that date."""
    with driver.trial("clock-skew", EndpointSpec(dialect=dialect)) as served, served.connect() as client:

        def ask(offset: float) -> tuple[int, dict[str, str], bytes]:
            date = time.strftime("%Y%m%dT%H%M%SZ", time.gmtime(time.time() + offset))
            return client.get("/b/k", headers=f"X-Amz-Date: {date}\r\n").answer()

        status, headers, body = ask(0)
        ahead = email.utils.parsedate_to_datetime(headers["date"]).timestamp() - time.time()
        healed, _, _ = ask(ahead)
    assert (status, healed) == (403, 200)
    assert b"RequestTimeTooSkewed" in body
    assert abs(ahead - 3600) < 5
