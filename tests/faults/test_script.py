from itertools import islice

import h11
import pytest

from failsame.faults.script import Script, script
from failsame.suite import SCENARIOS, Answer, Failure, Good, GoodAnswer
from failsame.suite.dialects import Request, dialect_of

_WALL = 1_796_000_000.25


def _script(
    answer: Answer, method: str = "GET", *, version: str = "1.1", status: int = 200, body: str = "x" * 300
) -> Script:
    http = h11.Connection(h11.SERVER)
    http.receive_data(f"{method} / HTTP/{version}\r\nHost: x\r\n\r\n".encode())
    while http.next_event() is not h11.NEED_DATA and http.their_state is not h11.DONE:
        if http.their_state is h11.MUST_CLOSE:
            break
    dialect = dialect_of("http", GoodAnswer(status=status, body=body))
    return script(answer, dialect, Request(method, "/"), http, _WALL)


def _bytes(played: Script) -> bytes:
    return b"".join(piece.data for piece in played.pieces)


def test_a_plain_answer_goes_out_in_one_piece() -> None:
    """Head and body share a write, so that no client sees them apart by chance."""
    played = _script(Good())
    (piece,) = played.pieces
    assert piece.at == 0
    assert (played.then, played.complete) == ("kept", True)


def test_slow_headers_last_seven_seconds() -> None:
    """The last 70 bytes of the head come one every 0.1 s, the body with the last of them."""
    first, *singles = _script(SCENARIOS["slow-headers"].phases[0].answers[0]).pieces
    assert first.at == 0
    assert [round(piece.at, 6) for piece in singles] == [round(number / 10, 6) for number in range(1, 71)]
    assert [len(piece.data) for piece in singles] == [1] * 69 + [1 + 300]


def test_a_drip_lasts_sixty_three_seconds() -> None:
    """The last 140 bytes of the body come one every 0.45 s."""
    answer = _script(SCENARIOS["drip-body"].phases[0].answers[0])
    first, *singles = answer.pieces
    assert first.data.endswith(b"\r\n\r\n" + b"x" * 160)
    assert [len(piece.data) for piece in singles] == [1] * 140
    assert singles[0].at == pytest.approx(0.45)
    assert singles[-1].at == pytest.approx(63.0)
    assert (answer.label, answer.complete) == ("200, its body over 63 s", True)


def test_a_short_body_drips_from_its_first_byte() -> None:
    """Where the configuration's answer is shorter, the pace is the same."""
    first, *singles = _script(Good(body="drip", delay=1), body="abc").pieces
    assert first.data.endswith(b"\r\n\r\n")
    assert [(round(piece.at, 6), piece.data) for piece in singles] == [(1.45, b"a"), (1.9, b"b"), (2.35, b"c")]


def test_a_reset_comes_once_the_half_body_is_read() -> None:
    """20 ms after it: whoever finds both at once sees an end of the body, and not a reset."""
    played = _script(SCENARIOS["reset-mid-body"].phases[0].answers[0])
    assert [piece.at for piece in played.pieces] == [0]
    assert (played.then, played.then_at) == ("rst", 0.02)


def test_an_endless_body_drips_on() -> None:
    """Half of the body at once, in chunks so that no length is promised, then a space every 0.45 s without end."""
    answer = _script(SCENARIOS["first-drip"].phases[0].answers[0])
    first, *spaces = islice(answer.pieces, 10_001)
    assert b"Transfer-Encoding: chunked\r\n" in first.data
    assert first.data.endswith(b"\r\n\r\n96\r\n" + b"x" * 150 + b"\r\n")
    assert {piece.data for piece in spaces} == {b"1\r\n \r\n"}
    assert [spaces[0].at, spaces[-1].at] == pytest.approx([0.45, 4500.0])
    assert (answer.label, answer.complete, answer.good) == ("200, its body without end", False, True)


def test_an_endless_body_over_http_1_0_lasts_as_long_as_its_connection() -> None:
    """There are no chunks in HTTP/1.0: the end of the connection would be the end of the body."""
    first, space = islice(_script(Good(body="endless"), version="1.0").pieces, 2)
    assert first.data.endswith(b"\r\n\r\n" + b"x" * 150)
    assert space.data == b" "


@pytest.mark.parametrize("scenario", ["late-3s", "late-10s", "late-45s"])
def test_late_answers_come_when_the_scenario_says(scenario: str) -> None:
    """Whole, once the delay has passed."""
    (piece,) = _script(SCENARIOS[scenario].phases[0].answers[0]).pieces
    assert piece.at == SCENARIOS[scenario].lasts


@pytest.mark.parametrize("answer", [Good(body=each) for each in ("truncated", "reset", "stalled", "drip", "endless")])
@pytest.mark.parametrize(("method", "status"), [("HEAD", 200), ("GET", 204), ("GET", 304)])
def test_an_answer_that_has_no_body_cannot_break_in_it(answer: Good, method: str, status: int) -> None:
    """The head alone is the whole answer."""
    played = _script(answer, method, status=status)
    assert _bytes(played).endswith(b"\r\n\r\n")
    assert played.complete


def test_http_1_0_is_closed_after_the_answer() -> None:
    """Without keep-alive the end of the connection ends the answer."""
    assert _script(Good(), version="1.0").then == "fin"


def test_retry_after_as_a_date_is_rounded_up() -> None:
    """A fraction of a second never shortens the wait."""
    assert b"Retry-After: Mon, 30 Nov 2026 00:53:26 GMT\r\n" in _bytes(_script(Failure(status=503, date_in=5)))


def test_a_status_without_a_name_is_sent() -> None:
    """529 has no phrase in HTTP, and clients do without."""
    assert _bytes(_script(Failure(status=529))).startswith(b"HTTP/1.1 529 \r\n")
