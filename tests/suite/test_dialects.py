import json
from xml.etree import ElementTree as ET

import pytest
from hypothesis import given
from hypothesis import strategies as st

from failsame.errors import UsageError
from failsame.suite import CHAIN, SCENARIOS, Answer, Failure, Good, GoodAnswer, Phase, Scenario
from failsame.suite.dialects import DIALECTS, Request, dialect_of, fits
from failsame.suite.model import DRIP_BYTES

_CALLS = {
    "http": Request("GET", "/items?page=2"),
    "s3": Request("GET", "/bucket/a.csv"),
    "aws-json": Request("POST", "/", {"x-amz-target": "DynamoDB_20120810.GetItem"}),
    "openai": Request("POST", "/v1/chat/completions", {}, b'{"model": "m"}'),
    "anthropic": Request("POST", "/v1/messages", {}, b'{"model": "m"}'),
}

_LEFT_OUT: dict[str, set[str]] = {
    "http": {"throttled", "x-amz-retry-after", "clock-skew", "error-in-200", "bad-checksum", "quota-throttled"},
    "s3": set(),
    "aws-json": {"error-in-200", "bad-checksum"},
    "openai": {"x-amz-retry-after", "clock-skew", "error-in-200", "bad-checksum"},
    "anthropic": {"x-amz-retry-after", "clock-skew", "error-in-200", "bad-checksum"},
}


def _code(name: str, body: bytes) -> object:
    match name:
        case "s3":
            return ET.fromstring(body).findtext("Code")
        case "aws-json":
            return json.loads(body)["__type"].rpartition("#")[2]
        case "http":
            return json.loads(body)["status"]
        case _:
            return json.loads(body)["error"]["type"]


@pytest.mark.parametrize("name", DIALECTS)
def test_a_good_answer_can_be_dripped_whole(name: str) -> None:
    """A good body holds at least the bytes that `drip-body` sends one by one."""
    reply = DIALECTS[name].good(_CALLS[name])
    assert reply.status == 200
    assert len(reply.body) >= DRIP_BYTES


@pytest.mark.parametrize(
    ("name", "codes"),
    [
        ("http", {403: 403, 404: 404, 500: 500, 503: 503, 599: 599}),
        (
            "s3",
            {
                403: "AccessDenied",
                404: "NoSuchKey",
                500: "InternalError",
                503: "ServiceUnavailable",
                599: "InternalError",
            },
        ),
        (
            "aws-json",
            {
                403: "AccessDeniedException",
                404: "ResourceNotFoundException",
                500: "InternalServerError",
                418: "ValidationException",
            },
        ),
        ("openai", {403: "invalid_request_error", 429: "requests", 500: "server_error"}),
        (
            "anthropic",
            {
                403: "permission_error",
                404: "not_found_error",
                429: "rate_limit_error",
                500: "api_error",
                529: "overloaded_error",
            },
        ),
    ],
)
def test_an_error_has_the_code_its_clients_know(name: str, codes: dict[int, object]) -> None:
    """Each status gets the dialect's own error document."""
    replies = {status: DIALECTS[name].error(_CALLS[name], status) for status in codes}
    assert {status: _code(name, reply.body) for status, reply in replies.items()} == codes
    assert all(reply.status == status for status, reply in replies.items())


@pytest.mark.parametrize(
    ("name", "status", "code"),
    [
        ("s3", 503, "SlowDown"),
        ("aws-json", 400, "ProvisionedThroughputExceededException"),
        ("openai", 429, "requests"),
        ("anthropic", 529, "overloaded_error"),
    ],
)
def test_throttling_is_the_services_own(name: str, status: int, code: str) -> None:
    """The throttling error brings the service's own status and code."""
    throttled = DIALECTS[name].throttled
    assert throttled is not None
    reply = throttled(_CALLS[name])
    assert (reply.status, _code(name, reply.body)) == (status, code)


def test_sqs_and_dynamodb_are_told_apart_by_their_target() -> None:
    """One dialect, two services: the target header picks the answer and the error's code."""
    receive = Request(
        "POST", "/", {"x-amz-target": "AmazonSQS.ReceiveMessage", "content-type": "application/x-amz-json-1.0"}
    )
    dialect = DIALECTS["aws-json"]
    assert "Messages" in json.loads(dialect.good(receive).body)
    assert "Item" in json.loads(dialect.good(_CALLS["aws-json"]).body)
    assert dialect.error(receive, 500).headers["x-amzn-query-error"] == "InternalError;Receiver"


@pytest.mark.parametrize("name", DIALECTS)
def test_what_does_not_fit_is_left_out_with_a_reason(name: str) -> None:
    """Exactly the scenarios that need what the dialect lacks are left out."""
    reasons = {scenario.name: fits(scenario, DIALECTS[name], 2) for scenario in SCENARIOS.values()}
    assert {scenario for scenario, why in reasons.items() if why} == _LEFT_OUT[name]
    if name != "s3":
        assert reasons["bad-checksum"] == "the dialect has no checksum"


def test_a_chain_takes_several_endpoints() -> None:
    """The chain group, and nothing else, is left out of a subject with one endpoint, whatever its dialect."""
    reasons = {scenario.name: fits(scenario, DIALECTS["s3"], 1) for scenario in SCENARIOS.values()}
    left_out = {name: why for name, why in reasons.items() if why}
    assert left_out == {
        scenario.name: "the subject has one endpoint" for scenario in SCENARIOS.values() if scenario.group == CHAIN
    }


def test_a_good_answer_without_a_body_leaves_out_broken_bodies() -> None:
    """What cannot be cut is not measured as if it had been."""
    dialect = dialect_of("http", GoodAnswer(status=204))
    assert fits(SCENARIOS["truncated-body"], dialect) == "its good answer has no body"
    assert fits(SCENARIOS["silent"], dialect) is None


@pytest.mark.parametrize(
    "answer", [Good(checksum="wrong"), Failure(error="throttled"), Failure(error="in-200", status=200)]
)
def test_own_scenarios_need_what_their_answers_need(answer: Answer) -> None:
    """A scenario from the configuration cannot ask a dialect for what it has not."""
    own = Scenario(name="own", group="own", when="x", shows="x", phases=(Phase(answers=(answer,)),))
    assert fits(own, DIALECTS["http"]) is not None
    assert fits(own, DIALECTS["s3"]) is None


def test_the_configured_good_answer_is_sent_as_it_is() -> None:
    """`good:` replaces status, headers and body; a body that looks like JSON is called so."""
    reply = dialect_of("http", GoodAnswer(status=201, headers={"X-A": "b"}, body='{"id": 1}')).good(_CALLS["http"])
    assert reply.status == 201
    assert reply.headers == {"X-A": "b", "Content-Type": "application/json"}
    assert reply.body == b'{"id": 1}'


def test_unknown_dialects_and_misplaced_good_answers_are_usage_errors() -> None:
    """The message names what there is."""
    with pytest.raises(UsageError, match="must be one of http, s3, aws-json, openai, anthropic"):
        dialect_of("gopher")
    with pytest.raises(UsageError, match="dialect http only"):
        dialect_of("s3", GoodAnswer())


@pytest.mark.parametrize("headers", [{"Bad Name": "x"}, {"X": "two\r\nlines"}, {"X": "ümlaut"}, {"": "x"}])
def test_headers_that_cannot_be_sent_are_refused(headers: dict[str, str]) -> None:
    """A configured header is refused where it is read, not by the server in the middle of a trial."""
    with pytest.raises(ValueError, match="header"):
        GoodAnswer(headers=headers)


@given(
    name=st.sampled_from(sorted(DIALECTS)),
    method=st.sampled_from(["GET", "HEAD", "PUT", "POST", "DELETE", "PATCH"]),
    target=st.text(st.characters(min_codepoint=33, max_codepoint=126), max_size=80),
    headers=st.dictionaries(
        st.sampled_from(["x-amz-target", "content-type", "x-amz-copy-source"]), st.text(max_size=30), max_size=3
    ),
    body=st.one_of(
        st.binary(max_size=80),
        st.sampled_from([b"[]", b'{"model": 1}', b'{"stream": true}', b"[" * 70_000, b'{"MessageBody": "\\ud800"}']),
    ),
)
def test_no_request_is_too_strange(name: str, method: str, target: str, headers: dict[str, str], body: bytes) -> None:
    """Whatever a client sends, a dialect has an answer of bytes."""
    request = Request(method, target, headers, body)
    dialect = DIALECTS[name]
    assert isinstance(dialect.good(request).body, bytes)
    assert isinstance(dialect.error(request, 500).body, bytes)
