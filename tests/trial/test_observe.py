"""The facts of a trial from a journal and a record written by hand."""

from collections.abc import Iterable

import pytest

from failsame.faults.protocol import ConnectionEntry, EndpointSpec, Journal, RequestEntry
from failsame.observation import NOT_MADE, Call, ClockName, Observation
from failsame.suite import SCENARIOS, Good, Phase, Scenario
from failsame.trial.channel import CallEnded, CallStarted, Connect, Done
from failsame.trial.observe import observe
from failsame.trial.record import Cut, Record

KEY = "GET /b/k"
TWO_CALLS = Scenario(
    name="two", group="reuse", when="is used twice", shows="", phases=(Phase(calls=2, answers=(Good(),)),)
)


def request(
    at: float,
    *,
    call: int = 1,
    connection: int = 1,
    end: float | None = None,
    complete: bool = False,
    key: str = KEY,
    headers: dict[str, str] | None = None,
) -> RequestEntry:
    return RequestEntry(
        endpoint="main",
        connection=connection,
        call=call,
        key=key,
        at=at,
        faulted=key == KEY and call > 0,
        answer="500",
        end=end,
        complete=complete,
        headers=headers or {},
    )


def connection(
    number: int, accepted: float, *, ended: float | None = None, dead: float | None = None, used_dead: bool = False
) -> ConnectionEntry:
    return ConnectionEntry(
        endpoint="main",
        number=number,
        accepted=accepted,
        client_port=40000 + number,
        ended=ended,
        dead=dead,
        used_dead=used_dead,
    )


def record(
    *calls: tuple[float, float | None, str | None],
    connects: Iterable[Connect] = (),
    cut: Cut | None = None,
    status: int = 0,
    done: bool = True,
) -> Record:
    made = Record(cut=cut, status=status, connects=list(connects))
    for number, (start, end, outcome) in enumerate(calls, 1):
        made.started[number] = CallStarted(call=number, at=start, aligned=True)
        if end is not None and outcome is not None:
            made.ended[number] = CallEnded(call=number, at=end, outcome=outcome)
    if done:
        made.done = Done(closed_at=max((end or start) for start, end, _ in calls) + 2)
    return made


def see(
    scenario: Scenario,
    made: Record,
    *,
    requests: Iterable[RequestEntry] = (),
    connections: Iterable[ConnectionEntry] = (),
    clock: ClockName = "real",
) -> Observation:
    journal = Journal(trial=1, requests=tuple(requests), connections=tuple(connections))
    endpoints = (EndpointSpec(fault=scenario),)
    return observe("s", scenario, "low", journal, made, endpoints=endpoints, clock=clock, horizon=33.0)


def only_call(
    scenario: Scenario,
    made: Record,
    *,
    requests: Iterable[RequestEntry] = (),
    connections: Iterable[ConnectionEntry] = (),
    clock: ClockName = "real",
) -> Call:
    (call,) = see(scenario, made, requests=requests, connections=connections, clock=clock).calls
    return call


def test_attempts_waits_and_give_up() -> None:
    """Attempts are the call's requests; a wait runs from the end of an answer to the next attempt."""
    call = only_call(
        SCENARIOS["status-500"],
        record((100.0, 103.5, "botocore.ClientError")),
        requests=[request(100.01, end=100.02), request(101.02, end=101.03), request(103.03, end=103.04)],
        connections=[connection(1, 100.005, ended=103.6)],
    )
    assert (call.attempts, call.give_up, call.connections) == (3, 3.5, 1)
    assert call.waits == (1.0, 2.0)
    assert [a.at for a in call.starts] == [0.01, 1.02, 3.03]


def test_no_wait_after_an_answer_that_never_ended() -> None:
    """After silence there is no wait to measure, only the next start."""
    call = only_call(
        SCENARIOS["silent"],
        record((10.0, 12.0, "x.Timeout")),
        requests=[request(10.0), request(11.0, connection=2)],
        connections=[connection(1, 10.0), connection(2, 11.0)],
    )
    assert call.waits == (None,)
    assert [a.connection for a in call.starts] == [1, 2]


def test_requests_of_other_kinds_are_not_attempts() -> None:
    """Side calls before the call and other requests within it use up no attempt."""
    seen = see(
        SCENARIOS["status-500"],
        record((10.0, 11.0, "x.E")),
        requests=[
            request(9.0, call=0, key="GET /"),
            request(10.1, end=10.2),
            request(10.3, key="GET /token", end=10.4, complete=True),
        ],
    )
    assert seen.side_calls == ("GET /",)
    assert seen.calls[0].attempts == 1
    assert seen.calls[0].other_requests == {"GET /token": 1}


def test_horizon() -> None:
    """A call that had not ended at the horizon is still waiting, and what came after it does not count."""
    call = only_call(
        SCENARIOS["silent"],
        record((0.0, None, None), cut="horizon", status=-9, done=False),
        requests=[request(0.1), request(32.9), request(33.02)],
    )
    assert (call.still_waiting, call.give_up, call.outcome, call.attempts) == (True, None, None, 2)


def test_a_call_that_ends_just_after_the_horizon_is_still_waiting() -> None:
    """The horizon is a time of the call, not of whoever watches it."""
    call = only_call(SCENARIOS["silent"], record((0.0, 33.01, "ok")), requests=[request(0.1)])
    assert (call.still_waiting, call.outcome, call.give_up) == (True, None, None)


def test_late_attempts_belong_to_the_call_they_follow() -> None:
    """Requests after a call has ended are late attempts of that call."""
    call = only_call(
        SCENARIOS["status-500"], record((0.0, 1.0, "x.E")), requests=[request(0.1), request(1.5), request(2.5)]
    )
    assert (call.attempts, call.late_attempts) == (1, 2)


@pytest.mark.parametrize(
    ("outcome", "complete", "lost"), [("ok", False, True), ("ok", True, False), ("x.E", False, False)]
)
def test_data_lost(outcome: str, complete: bool, lost: bool) -> None:
    """Data is silently lost if the call returned ok and none of its answers was complete."""
    call = only_call(
        SCENARIOS["truncated-body"],
        record((0.0, 1.0, outcome)),
        requests=[request(0.1, end=0.2, complete=complete)],
    )
    assert call.data_lost is lost


def test_a_dead_connection_used_again_is_an_attempt_without_a_time() -> None:
    """What was sent on a half-open connection never arrives: it counts for the call after the connection died."""
    first, second = see(
        TWO_CALLS,
        record((0.0, 0.1, "ok"), (1.0, 6.0, "ok")),
        requests=[
            request(0.05, end=0.06, complete=True),
            request(6.0, call=2, connection=2, end=6.0, complete=True),
        ],
        connections=[connection(1, 0.01, dead=0.2, used_dead=True), connection(2, 5.99)],
    ).calls
    assert (first.attempts, first.dead_connection_reused) == (1, False)
    assert (second.attempts, second.dead_connection_reused, second.connections) == (2, True, 1)
    assert [(a.at, a.connection) for a in second.starts] == [(None, 1), (5.0, 2)]


def test_connects_count_below_http() -> None:
    """Where nothing listens an attempt is a connect that the probe saw; connects elsewhere are not."""
    call = only_call(
        SCENARIOS["refused"],
        record(
            (0.0, 1.0, "x.E"),
            connects=[
                Connect(at=0.1, to="127.0.0.1:9", endpoint="main"),
                Connect(at=0.2, to="10.0.0.1:443", endpoint=None),
                Connect(at=0.5, to="127.0.0.1:9", endpoint="main"),
            ],
        ),
    )
    assert (call.attempts, call.elsewhere) == (2, ("10.0.0.1:443",))


@pytest.mark.parametrize(("status", "outcome"), [(-9, "signal SIGKILL"), (3, "exit 3")])
def test_a_process_that_is_gone_is_an_outcome_and_later_calls_are_not_made(status: int, outcome: str) -> None:
    """A client that takes its process down is a result."""
    first, second = see(TWO_CALLS, record((0.0, None, None), status=status, done=False)).calls
    assert (first.outcome, first.give_up) == (outcome, None)
    assert second.outcome == NOT_MADE


@pytest.mark.parametrize(
    ("keys", "kept"), [(("a", "a"), True), (("a", "b"), False), ((None, None), None), (("a", None), False)]
)
def test_key_kept(keys: tuple[str | None, ...], kept: bool | None) -> None:
    """One idempotency key over all attempts is kept; no key at all is neither kept nor lost."""
    requests = [request(n / 10, headers={"idempotency-key": key} if key else {}) for n, key in enumerate(keys, 1)]
    assert only_call(SCENARIOS["status-500"], record((0.0, 1.0, "x.E")), requests=requests).key_kept is kept


def test_attempt_limit() -> None:
    """A call cut off at the limit is still trying."""
    call = only_call(
        SCENARIOS["status-500"],
        record((0.0, None, None), cut="limit", status=-9, done=False),
        requests=[request(n / 100) for n in range(200)],
    )
    assert (call.still_trying, call.still_waiting, call.attempts) == (True, False, 200)


def test_open_connections_are_a_note() -> None:
    """A connection that outlives the closing of its client is noted, never a fact."""
    seen = see(
        SCENARIOS["healthy"],
        record((0.0, 1.0, "ok")),
        requests=[request(0.1, end=0.2, complete=True)],
        connections=[connection(1, 0.05, ended=None)],
    )
    assert seen.notes == ("1 connection left open after closing",)


@pytest.mark.parametrize(("clock", "give_up"), [("real", 1.23), ("skip", 1.235)])
def test_digits(clock: ClockName, give_up: float) -> None:
    """Times are stored to 10 ms in real time and to 1 ms in skipped time."""
    call = only_call(SCENARIOS["status-500"], record((0.0, 1.2346, "x.E")), requests=[request(0.1)], clock=clock)
    assert call.give_up == give_up


def test_an_answer_that_ends_the_call_has_an_end() -> None:
    """The server's stamp may come a moment after the client has read the answer and ended its call."""
    call = only_call(
        SCENARIOS["status-404"], record((0.0, 0.5, "x.E")), requests=[request(0.1, end=0.5004)], clock="skip"
    )
    assert call.starts[0].end == 0.5


def test_an_answer_after_the_call_has_no_end() -> None:
    """What the server finished long after the client had given up, the call never saw."""
    call = only_call(SCENARIOS["late-3s"], record((0.0, 1.0, "x.Timeout")), requests=[request(0.1, end=3.5)])
    assert call.starts[0].end is None
