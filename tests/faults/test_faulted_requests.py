import socket

import pytest
from tests.faults.driving import Driver, scenario_of, the_request

from failsame.faults.protocol import EndpointSpec
from failsame.suite import Failure, Fault, Good, Phase

_KEYED = EndpointSpec(fault_key="GET /items/*")


def test_side_calls_are_neither_broken_nor_counted(driver: Driver) -> None:
    """Only requests of the fault's key, while a call is being made, use up an answer."""
    with driver.trial("fails-once", _KEYED, call=0) as served, served.connect() as client:
        before = client.get("/items/1").answer()[0]
        served.call(1)
        side = client.get("/config").answer()[0]
        first = client.get("/items/1?try=1").answer()[0]
        again = client.get("/items/22?try=2").answer()[0]
        journal = served.close()
    assert (before, side, first, again) == (200, 200, 500, 200)
    assert [(entry.call, entry.key, entry.faulted) for entry in journal.requests] == [
        (0, "GET /items/*", False),
        (1, "GET /config", False),
        (1, "GET /items/*", True),
        (1, "GET /items/*", True),
    ]


def test_each_call_begins_the_answers_anew(driver: Driver) -> None:
    """Attempts are counted within a call; the call's number is read at each request."""
    with driver.trial(scenario_of(Failure(status=500), Good(), calls=2)) as served, served.connect() as client:
        statuses = []
        for call in (1, 1, 2, 2, 2):
            served.call(call)
            statuses.append(client.get().answer()[0])
    assert statuses == [500, 200, 500, 200, 200]


def test_the_number_of_the_call_picks_the_phase(driver: Driver) -> None:
    """`quota-refill`: 70 calls fail, 10 are served, 3 fail."""
    with driver.trial("quota-refill") as served, served.connect() as client:
        statuses = []
        for call in (1, 70, 71, 80, 81, 83, 99):
            served.call(call)
            statuses.append(client.get().answer()[0])
    assert statuses == [500, 500, 200, 200, 500, 500, 500]


def test_after_the_last_allowed_attempt_all_is_silence(driver: Driver) -> None:
    """The last attempt is answered, failsame is told, and nothing is answered any more."""
    driver.limits.clear()
    with driver.trial("status-500", _KEYED, attempt_limit=3) as served, served.connect() as client:
        statuses = [client.get(f"/items/{n}").answer()[0] for n in range(3)]
        assert client.get("/items/4").ends("silence") == b""
        with served.connect() as other:
            assert other.get("/config").ends("silence") == b""
        journal = served.close()
    assert statuses == [500, 500, 500]
    assert [(limit.trial, limit.call) for limit in driver.limits] == [(served.opened.trial, 1)]
    assert [entry.answer for entry in journal.requests] == ["500", "500", "500", "silent", "silent"]


def test_a_client_that_leaves_with_its_last_attempt_is_counted_like_any_other(driver: Driver) -> None:
    """Whoever sends a request and closes at once has made an attempt, with the answer it would have had."""
    driver.limits.clear()
    with driver.trial("late-45s", attempt_limit=1) as served:
        with served.connect() as client:
            client.get().sock.shutdown(socket.SHUT_WR)
            client.ends("fin")
        entry = the_request(served.close())
    assert (entry.answer, entry.faulted, entry.end) == ("200 after 46 s", True, None)
    assert [limit.call for limit in driver.limits] == [1]


def test_the_attempts_number_and_the_calls_identity_are_kept(driver: Driver) -> None:
    """Of a request's headers the journal has those that tell attempts apart, and no secret."""
    headers = "Amz-Sdk-Invocation-Id: abc\r\nX-Stainless-Retry-Count: 1\r\nAuthorization: secret\r\n"
    with driver.trial("healthy") as served, served.connect() as client:
        client.get(headers=headers).answer()
        entry = the_request(served.close())
    assert entry.headers == {"amz-sdk-invocation-id": "abc", "x-stainless-retry-count": "1"}


_PRIMARY = EndpointSpec(name="main", dialect="anthropic", fault_key="POST /v1/messages")
_FALLBACK = EndpointSpec(name="fallback", dialect="openai", fault_key="POST /v1/chat/completions")
_EMPTY = "Content-Length: 0\r\n"


def test_endpoints_have_faults_dialects_and_keys_of_their_own(driver: Driver) -> None:
    """One trial, two services, each with its own fault for its own requests; connections are numbered over both."""
    scenario = scenario_of(Failure(status=500), Good()).model_copy(
        update={"others": Fault(phases=(Phase(answers=(Failure(status=503),)),))}
    )
    with driver.trial(scenario, _PRIMARY, _FALLBACK) as served:
        with served.connect() as client, served.connect("fallback") as other:
            seen = [
                client.get("/v1/messages", "POST", _EMPTY).answer()[0],
                other.get("/v1/models").answer()[0],
                other.get("/v1/chat/completions", "POST", _EMPTY).answer()[0],
                client.get("/v1/messages", "POST", _EMPTY).answer()[0],
            ]
        journal = served.close()
    assert seen == [500, 200, 503, 200]
    assert [(entry.endpoint, entry.connection, entry.faulted, entry.good) for entry in journal.requests] == [
        ("main", 1, True, False),
        ("fallback", 2, False, True),
        ("fallback", 2, True, False),
        ("main", 1, True, True),
    ]
    assert [(connection.endpoint, connection.number) for connection in journal.connections] == [
        ("main", 1),
        ("fallback", 2),
    ]


def test_one_endpoint_refuses_and_the_other_answers(driver: Driver) -> None:
    """What is broken below HTTP is the first endpoint alone."""
    with driver.trial("first-refused", _PRIMARY, _FALLBACK) as served:
        with pytest.raises(ConnectionRefusedError):
            served.connect()
        with served.connect("fallback") as client:
            assert client.get("/v1/chat/completions", "POST", _EMPTY).answer()[0] == 200


def test_a_calls_last_attempt_counts_over_all_endpoints(driver: Driver) -> None:
    """A client that goes round between two endpoints is stopped like one that stays at one."""
    driver.limits.clear()
    with driver.trial("all-500", _PRIMARY, _FALLBACK, attempt_limit=3) as served:
        with served.connect() as client, served.connect("fallback") as other:
            assert client.get("/v1/messages", "POST", _EMPTY).answer()[0] == 500
            assert other.get("/v1/chat/completions", "POST", _EMPTY).answer()[0] == 500
            assert client.get("/v1/messages", "POST", _EMPTY).answer()[0] == 500
            assert other.get("/v1/chat/completions", "POST", _EMPTY).ends("silence") == b""
        served.close()
    assert [limit.call for limit in driver.limits] == [1]
