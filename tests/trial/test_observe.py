"""The facts of a trial from a journal and a record written by hand."""

from collections.abc import Iterable
from typing import Any

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
    good: bool = False,
    key: str = KEY,
    headers: dict[str, str] | None = None,
    endpoint: str = "main",
) -> RequestEntry:
    return RequestEntry(
        endpoint=endpoint,
        connection=connection,
        call=call,
        key=key,
        at=at,
        faulted=key == KEY and call > 0,
        answer="500",
        end=end,
        complete=complete,
        good=good,
        headers=headers or {},
    )


def connection(
    number: int,
    accepted: float,
    *,
    ended: float | None = None,
    dead: float | None = None,
    used_dead: bool = False,
    endpoint: str = "main",
) -> ConnectionEntry:
    return ConnectionEntry(
        endpoint=endpoint,
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
    endpoints: Iterable[str] = ("main",),
    horizon: float = 33.0,
    beside: Iterable[str] = (),
) -> Observation:
    journal = Journal(trial=1, requests=tuple(requests), connections=tuple(connections))
    first, *others = endpoints
    specs = EndpointSpec(name=first, fault=scenario), *(EndpointSpec(name=n, fault=scenario.others) for n in others)
    return observe(
        "s", scenario, "low", journal, made, endpoints=specs, beside=frozenset(beside), clock=clock, horizon=horizon
    )


def only_call(
    scenario: Scenario,
    made: Record,
    *,
    requests: Iterable[RequestEntry] = (),
    connections: Iterable[ConnectionEntry] = (),
    clock: ClockName = "real",
    **more: Any,
) -> Call:
    (call,) = see(scenario, made, requests=requests, connections=connections, clock=clock, **more).calls
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


def test_late_connects_are_late_attempts_below_http() -> None:
    """Where nobody answers a connect, one after the call has ended counts, on its own endpoint alone."""
    connects = [
        Connect(at=0.1, to="127.0.0.1:9", endpoint="main"),
        Connect(at=1.5, to="127.0.0.1:9", endpoint="main"),
        Connect(at=1.6, to="10.0.0.1:443", endpoint=None),
    ]
    made = record((0.0, 1.0, "x.E"), connects=connects)
    assert [
        (only_call(SCENARIOS[name], made).attempts, only_call(SCENARIOS[name], made).late_attempts)
        for name in ("refused", "connect-blackhole")
    ] == [(1, 1), (1, 1)]
    asked = only_call(SCENARIOS["status-500"], made, requests=[request(0.1)])
    assert asked.late_attempts == 0


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


@pytest.mark.parametrize(("key", "lost"), [("GET /beside", True), ("GET /instead", False)])
def test_another_whole_answer(key: str, lost: bool) -> None:
    """A request that the call makes anyway does not give what was lost; one made only because of the fault does."""
    half = request(0.1, end=0.2, complete=False)
    whole = request(0.3, end=0.4, complete=True, key=key)
    call = only_call(
        SCENARIOS["truncated-body"], record((0.0, 1.0, "ok")), requests=[half, whole], beside=["GET /beside"]
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


@pytest.mark.parametrize(("status", "outcome"), [(-9, "signal SIGKILL"), (-40, "signal 40"), (3, "exit 3")])
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


def test_how_a_client_numbers_its_attempts_is_a_note() -> None:
    """What the attempts of the longest call carry, and of many the first few; a single attempt is not worth a note."""
    numbered = [
        request(number / 10, call=call, headers={"amz-sdk-request": f"ttl=20261130T12511{number}Z; attempt={number}"})
        for call, attempts in ((1, 1), (2, 3), (3, 2))
        for number in range(1, attempts + 1)
    ]
    calls = ((0.0, 1.0, "x.E"),) * 3
    said = "attempts carry amz-sdk-request: attempt=1, attempt=2, attempt=3"
    assert see(SCENARIOS["quota-500"], record(*calls), requests=numbered).notes == (said,)
    assert see(SCENARIOS["quota-500"], record(*calls), requests=numbered[:1]).notes == ()
    many = [request(number / 10, headers={"x-stainless-retry-count": str(number)}) for number in range(9)]
    said = "attempts carry x-stainless-retry-count: 0, 1, 2, 3, 4, …"
    assert see(SCENARIOS["status-500"], record(*calls[:1]), requests=many).notes == (said,)


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


CHAIN: dict[str, Any] = {"endpoints": ("primary", "fallback"), "clock": "skip", "horizon": 3600.0}


def test_whom_each_attempt_asked_and_how_long_it_lasted() -> None:
    """An attempt is over when its answer has ended, or when the client has left its connection."""
    call = only_call(
        SCENARIOS["all-silent"],
        record((0.0, 181.0, "x.Timeout")),
        requests=[
            request(0.0, endpoint="primary"),
            request(60.0, endpoint="fallback", connection=2, end=60.5),
            request(61.0, endpoint="fallback", connection=2),
        ],
        connections=[
            connection(1, 0.0, endpoint="primary", ended=59.9),
            connection(2, 60.0, endpoint="fallback", ended=181.01),
        ],
        **CHAIN,
    )
    assert call.endpoints == ("primary", "fallback", "fallback")
    assert [(attempt.at, attempt.over) for attempt in call.starts] == [(0.0, 59.9), (60.0, 60.5), (61.0, 181.0)]
    assert call.lasted == pytest.approx((59.9, 0.5, 120.0))


def test_a_connection_that_outlives_the_call_says_nothing_of_its_attempt() -> None:
    """The client gave up and left the request under way: nobody saw its end."""
    call = only_call(
        SCENARIOS["all-silent"],
        record((0.0, 110.0, "x.Timeout")),
        requests=[request(0.0, endpoint="primary")],
        connections=[connection(1, 0.0, endpoint="primary", ended=170.0)],
        **CHAIN,
    )
    assert call.lasted == (None,)


def test_connects_and_requests_are_attempts_side_by_side() -> None:
    """Where the first endpoint refuses, its attempts are connects, and those of the others requests, in one order."""
    call = only_call(
        SCENARIOS["first-refused"],
        record(
            (0.0, 2.0, "ok"),
            connects=[
                Connect(at=0.1, to="127.0.0.1:9", endpoint="primary"),
                Connect(at=0.6, to="127.0.0.1:10", endpoint="fallback"),
                Connect(at=1.0, to="127.0.0.1:9", endpoint="primary"),
            ],
        ),
        requests=[request(0.6, endpoint="fallback", end=0.7), request(1.5, endpoint="fallback", end=1.6)],
        connections=[connection(1, 0.6, endpoint="fallback")],
        **CHAIN,
    )
    assert call.endpoints == ("primary", "fallback", "primary", "fallback")
    assert call.lasted == pytest.approx((0.0, 0.1, 0.0, 0.1))


def test_attempts_that_went_on_after_another_endpoint_had_answered() -> None:
    """Those that began after a whole good answer of another endpoint, in the call and after it."""
    good: dict[str, Any] = {"endpoint": "fallback", "connection": 2, "good": True}
    call = only_call(
        SCENARIOS["first-silent"],
        record((0.0, 12.0, "ok")),
        requests=[
            request(0.0, endpoint="primary"),
            request(1.0, **good, end=1.5),  # cut short: no whole answer
            request(2.0, endpoint="primary"),
            request(3.0, **good, end=10.0, complete=True),
            request(4.0, endpoint="primary"),
            request(11.0, endpoint="primary"),
            request(11.0, **good, end=11.5, complete=True),
            request(20.0, endpoint="primary"),
        ],
        **CHAIN,
    )
    assert (call.attempts_after_answer, call.late_attempts) == (2, 1)


def test_an_attempt_at_the_same_moment_did_not_go_on() -> None:
    """Of two that are sent at once one may be answered before the other arrives: nobody chose that."""
    call = only_call(
        SCENARIOS["first-500"],
        record((0.0, 1.0, "ok")),
        requests=[
            request(0.1, endpoint="fallback", connection=2, end=0.11, good=True, complete=True),
            request(0.12, endpoint="primary", end=0.13),
        ],
        **CHAIN,
    )
    assert call.attempts_after_answer == 0


def test_after_an_error_going_back_to_the_first_is_no_going_on() -> None:
    """Only a good answer ends the need for another attempt."""
    call = only_call(
        SCENARIOS["all-500"],
        record((0.0, 1.0, "x.E")),
        requests=[
            request(0.1, endpoint="primary", end=0.2, complete=True),
            request(0.3, endpoint="fallback", connection=2, end=0.4, complete=True),
            request(0.5, endpoint="primary", end=0.6, complete=True),
        ],
        **CHAIN,
    )
    assert call.attempts_after_answer == 0


def test_keys_are_kept_within_an_endpoint() -> None:
    """Two services never share an idempotency key; each of them is asked with one of its own."""
    keyed = [("primary", "a"), ("primary", "a"), ("fallback", "b"), ("fallback", "b")]
    requests = [
        request(n / 10, endpoint=endpoint, headers={"idempotency-key": key})
        for n, (endpoint, key) in enumerate(keyed, 1)
    ]
    made = record((0.0, 1.0, "x.E"))
    assert only_call(SCENARIOS["all-500"], made, requests=requests, **CHAIN).key_kept is True
    assert only_call(SCENARIOS["all-500"], made, requests=requests[1:3], **CHAIN).key_kept is None
    changed = request(0.5, endpoint="fallback", headers={"idempotency-key": "c"})
    assert only_call(SCENARIOS["all-500"], made, requests=[*requests, changed], **CHAIN).key_kept is False


@pytest.mark.parametrize(("next_at", "outcome"), [(127.2, "kernel gave up"), (60.0, "ok")])
def test_the_kernel_may_decide_when_the_fallback_is_asked(next_at: float, outcome: str) -> None:
    """A connect to the first that lasted as long as the kernel lets it is no measurement of the client."""
    call = only_call(
        SCENARIOS["connect-blackhole"],
        record((0.0, next_at + 1, "ok"), connects=[Connect(at=0.0, to="127.0.0.1:9", endpoint="primary")]),
        requests=[request(next_at, endpoint="fallback", end=next_at + 1, complete=True, good=True)],
        **CHAIN,
    )
    assert (call.outcome, call.endpoints) == (outcome, ("primary", "fallback"))


def test_a_subject_with_one_endpoint_has_no_chain() -> None:
    """Its facts are what they were."""
    call = only_call(SCENARIOS["silent"], record((0.0, 9.0, "x.E")), requests=[request(0.0)])
    assert (call.endpoints, call.lasted, call.attempts_after_answer) == ((), (), 0)
