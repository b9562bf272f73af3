"""The drift rules, as tables."""

from typing import Any

import pytest
from tests.drift.making import NOT_MADE_CALL, call, chain, measured, silence, trying, waiting

from failsame.drift import SEVERITIES, Judgement, Upgrade, judge, overall
from failsame.facts import Measurement, recorded
from failsame.observation import NEVER_SETTLED, Call
from failsame.pins.model import Change

UPGRADE = Upgrade(1, "s3", (Change(package="botocore", before="1.43", after="1.44", lock="uv.lock"),))


def judged(before: Any, after: Any, **more: Any) -> Judgement:
    own = more.pop("reference", {})
    reference = {**more, **own}
    return judge(recorded([measured(*before, **reference)]), measured(*after, **more), UPGRADE)


def short(judgement: Judgement) -> list[tuple[Any, ...]]:
    return [(drift.fact, drift.jitter, drift.before, drift.after, drift.severity) for drift in judgement.drifts]


ADDED = chain(("primary", 0.0, 60.0), ("fallback", 60.0, 180.0), give_up=180.0)
EXACT = {
    "attempts, not the connections and waits that follow": (
        call(5, 0.0, connections=5), call(3, 0.0, connections=3), [("attempts", "both", 5, 3, "changed")]
    ),
    "outcome": (call(outcome="a.E"), call(outcome="a.F"), [("outcome", "both", "a.E", "a.F", "outcome")]),
    "code": (call(code="X"), call(code="Y"), [("outcome", "both", "sdk.Error X", "sdk.Error Y", "outcome")]),
    "no longer ends": (silence(3, 1.0), waiting(), [("still_waiting", "both", False, True, "never-ends")]),
    "now ends": (waiting(), silence(3, 1.0), [("still_waiting", "both", True, False, "safer")]),
    "never settles": (call(), call(outcome=NEVER_SETTLED, give_up=None),
                      [("outcome", "both", "sdk.Error", NEVER_SETTLED, "never-ends")]),
    "settles again": (call(outcome=NEVER_SETTLED, give_up=None), call(),
                      [("outcome", "both", NEVER_SETTLED, "sdk.Error", "safer")]),
    "goes on trying": (call(3), trying(), [("still_trying", "both", False, True, "never-ends")]),
    "no longer goes on": (trying(), call(3), [("still_trying", "both", True, False, "safer")]),
    "waits no longer, but tries for ever": (waiting(), trying(), [("still_waiting", "both", True, False, "changed")]),
    "data lost": (call(), call(outcome="ok", data_lost=True), [("data_lost", "both", False, True, "data-lost")]),
    "data no longer lost": (call(outcome="ok", data_lost=True), call(), [("data_lost", "both", True, False, "safer")]),
    "connections": (call(connections=1), call(connections=2), [("connections", "both", 1, 2, "changed")]),
    "a dead connection used again": (call(), call(dead_connection_reused=True),
                                     [("dead_connection_reused", "both", False, True, "changed")]),
    "attempts after the end": (call(), call(late_attempts=2), [("late_attempts", "both", 0, 2, "changed")]),
    "a key not kept": (call(2, key_kept=True), call(2, key_kept=False), [("key_kept", "both", True, False, "changed")]),
    "a key not kept, and fewer attempts": (
        call(3, key_kept=True), call(2, key_kept=False),
        [("attempts", "both", 3, 2, "changed"), ("key_kept", "both", True, False, "changed")],
    ),
    "one attempt has no key to keep": (call(3, key_kept=True), call(1), [("attempts", "both", 3, 1, "changed")]),
    "other requests": (call(other_requests={"GET /t": 1}), call(),
                       [("other_requests", "both", {"GET /t": 1}, {}, "changed")]),
    "process gone": (call(), call(outcome="signal SIGKILL", give_up=None),
                     [("outcome", "both", "sdk.Error", "signal SIGKILL", "outcome")]),
    "the fallback no longer asked": (
        ADDED, chain(("primary", 0.0, 180.0), give_up=180.0),
        [("endpoints", "both", ["primary", "fallback"], ["primary"], "changed")],
    ),
    "another endpoint asked": (
        ADDED, chain(("primary", 0.0, 60.0), ("third", 60.0, 180.0), give_up=180.0),
        [("endpoints", "both", ["primary", "fallback"], ["primary", "third"], "changed")],
    ),
    "asked more often": (
        ADDED, chain(("primary", 0.0, 60.0), ("primary", 60.0, 120.0), ("fallback", 120.0, 240.0), give_up=240.0),
        [
            ("endpoints", "both", ["primary", "fallback"], ["primary", "primary", "fallback"], "changed"),
            ("give_up", "both", [180.0, 180.0], [240.0, 240.0], "times"),
        ],
    ),
    "another timeout": (
        ADDED, chain(("primary", 0.0, 90.0), ("fallback", 90.0, 180.0), give_up=180.0),
        [("starts", "both", [[0.0, 0.0], [60.0, 60.0]], [[0.0, 0.0], [90.0, 90.0]], "times")],
    ),
    "left sooner than the next was asked": (
        ADDED, chain(("primary", 0.0, 40.0), ("fallback", 60.0, 180.0), give_up=180.0),
        [("lasted", "both", [[60.0, 60.0], [120.0, 120.0]], [[40.0, 40.0], [120.0, 120.0]], "times")],
    ),
    "an end that nobody saw": (ADDED, chain(("primary", 0.0, None), ("fallback", 60.0, 180.0), give_up=180.0), []),
    "attempts after another had answered": (
        ADDED, ADDED.model_copy(update={"attempts_after_answer": 2, "late_attempts": 2}),
        [("attempts_after_answer", "both", 0, 2, "changed")],
    ),
    "notes": (call(elsewhere=("10.0.0.1:80",)), call(), []),
}  # fmt: skip


@pytest.mark.parametrize(("before", "after", "drifts"), EXACT.values(), ids=EXACT)
def test_exact_facts_drift_on_any_difference(before: Any, after: Any, drifts: Any) -> None:
    """One drift a cause, with its severity; what merely follows from it is not shown."""
    judgement = judged([before], [after])
    assert short(judgement) == drifts
    assert judgement.verdict == ("drift" if drifts else "same")


TIMES = [
    # clock, aligned, baseline, within, beyond
    ("skip", True, 0.0, 0.05, 0.06),
    ("skip", True, 180.0, 181.85, 181.86),
    ("skip", True, 180.0, 178.15, 178.14),
    ("real", True, 0.0, 0.25, 0.26),
    ("real", True, 15.0, 16.0, 16.01),
    ("real", False, 15.0, 16.75, 16.76),
    ("skip", False, 5.0, 6.05, 6.06),
]


@pytest.mark.parametrize("row", TIMES, ids=str)
@pytest.mark.parametrize("fact", ["give_up", "waits", "starts"])
def test_times_drift_beyond_the_slack_of_their_clock(fact: str, row: Any) -> None:
    """Up to the slack they are the same, one hundredth of a second more and they are not."""
    clock, aligned, baseline, within, beyond = row

    def timed(seconds: float) -> Call:
        starts = {"waits": [None], "starts": [0.0, seconds]} if fact == "starts" else {}
        waits = {"waits": [seconds]} if fact == "waits" else {}
        return call(2, seconds if fact == "give_up" else 0.0, **starts, **waits)

    conditions = {"clock": clock, "aligned": aligned}
    assert judged([timed(baseline)], [timed(within)], **conditions).verdict == "same"
    (drift,) = judged([timed(baseline)], [timed(beyond)], **conditions).drifts
    assert (drift.fact, drift.severity) == (fact, "times")


@pytest.mark.parametrize(("reference", "measured_with"), [("skip", "real"), ("real", "skip")])
def test_the_slack_is_that_of_the_coarser_clock(reference: Any, measured_with: Any) -> None:
    """0.2 s apart is no drift as soon as one of both was measured in real time."""
    judgement = judged([call(1, 1.0)], [call(1, 1.2)], clock=measured_with, reference={"clock": reference})
    assert judgement.verdict == "same"


def test_a_wait_that_shows_in_the_give_up_time_is_one_drift() -> None:
    """A longer wait makes later starts and a later end: one cause, one drift, the rest stands beside it."""
    (drift,) = judged([call(2, 1.0, waits=[1.0])], [call(2, 3.0, waits=[3.0])]).drifts
    assert (drift.fact, drift.before, drift.after, drift.also) == ("give_up", [1.0, 1.0], [3.0, 3.0], ("waits",))


def test_waits_that_make_up_for_each_other_are_not_missed() -> None:
    """The give-up time is the same, the waits are not."""
    (drift,) = judged([call(3, 4.0, waits=[1.0, 3.0])], [call(3, 4.0, waits=[2.0, 2.0])]).drifts
    assert (drift.fact, drift.before, drift.after) == ("waits", [[1.0, 1.0], [3.0, 3.0]], [[2.0, 2.0], [2.0, 2.0]])


def test_two_hundred_small_delays_do_not_add_up_to_a_drift() -> None:
    """Where waits are known the starts are not compared: they would add up the noise of all waits."""
    assert judged([trying(0.01)], [trying(0.02)], clock="real").verdict == "same"


def test_jitter_low_and_high_are_compared_apart() -> None:
    """A fact that changed at one jitter says which, with that jitter's values."""
    before = call(5, 0.0), call(5, 15.0, waits=[1.0, 2.0, 4.0, 8.0])
    after = call(5, 0.0), call(5, 7.5, waits=[0.5, 1.0, 2.0, 4.0])
    assert short(judged(before, after)) == [("give_up", "high", 15.0, 7.5, "times")]


def test_any_value_that_was_seen_when_recording_is_accepted() -> None:
    """3 and 4 attempts were recorded: both are the same, 5 is not."""
    reference = recorded([measured(call(3)), measured(call(4))])
    verdicts = {n: judge(reference, measured(call(n)), UPGRADE).verdict for n in (2, 3, 4, 5)}
    assert verdicts == {2: "drift", 3: "same", 4: "same", 5: "drift"}


@pytest.mark.parametrize(("low", "high", "verdict"), [(2.0, 7.9, "same"), (7.9, 7.9, "same"), (3.0, 9.0, "drift")])
def test_a_sample_drifts_where_no_other_would_lie(low: float, high: float, verdict: str) -> None:
    """A range of samples is widened by its own width first: 2 to 5 s reaches up to 8 s."""
    reference = recorded([measured(call(1, 2.0), call(1, 3.0)), measured(call(1, 4.0), call(1, 5.0))])
    seen = measured(call(1, low), call(1, high))
    assert judge(reference, seen, UPGRADE).verdict == verdict


def test_equal_calls_are_one_drift() -> None:
    """A retry quota: 70 calls are three drifts of attempts, not seventy."""
    after = [call(3)] * 17 + [call(2)] + [call(1)] * 52
    drifts = judged([[call(5)] * 70], [after]).drifts
    assert [(d.call, d.times, d.after) for d in drifts] == [(1, 17, 3), (18, 1, 2), (19, 52, 1)]


def test_the_strongest_comes_first() -> None:
    """Drifts are sorted by severity, whatever the order of the calls."""
    before = [call(1, 1.0), call(2), call(), call(), silence(2, 1.0)]
    after = [call(1, 2.0), call(1), call(outcome="a.F"), call(outcome="ok", data_lost=True), waiting()]
    severities = [drift.severity for drift in judged([before], [after]).drifts]
    assert severities == ["never-ends", "data-lost", "outcome", "changed", "times"]
    assert severities == sorted(severities, key=SEVERITIES.index)


@pytest.mark.parametrize("ends", [waiting(), call(outcome="exit 3", give_up=None)])
def test_calls_that_are_not_made_are_a_consequence(ends: Any) -> None:
    """Where the first call no longer ends, or takes the process along, the second is no drift of its own."""
    drifts = judged([[call(), call()]], [[ends, NOT_MADE_CALL]]).drifts
    assert [drift.call for drift in drifts] == [1]
    drifts = judged([[ends, NOT_MADE_CALL]], [[call(), call()]]).drifts
    assert [drift.call for drift in drifts] == [1]


def test_a_scenario_that_is_not_recorded_fails_nothing() -> None:
    """It is listed as new, with a reason."""
    judgement = judge(None, measured(call()), UPGRADE)
    assert (judgement.verdict, judgement.why) == ("new", "not recorded yet")


def test_another_number_of_calls_cannot_be_judged() -> None:
    """An own scenario that was edited is not compared with what it was."""
    judgement = judged([[call(), call()]], [call()])
    assert judgement.verdict == "unmeasured"
    assert judgement.why == "it makes 1 calls, its baseline has 2: record it again"


def test_fingerprints_hold_exact_values_and_of_times_only_the_name() -> None:
    """Two runs of one upgrade agree though times vary; another number of attempts, or another upgrade, does not."""

    def marks(after: Call, upgrade: Upgrade = UPGRADE) -> dict[str, str]:
        drifts = judge(recorded([measured(call(5, 15.0))]), measured(after), upgrade).drifts
        return {drift.fact: drift.fingerprint for drift in drifts}

    one = marks(call(3, 0.15))
    assert set(one) == {"attempts", "give_up"}
    assert marks(call(3, 0.31)) == one
    two = marks(call(2, 0.15))
    assert two["attempts"] != one["attempts"]
    assert two["give_up"] == one["give_up"]
    other = Upgrade(1, "s3", (Change(package="botocore", before="1.43", after="1.45", lock="uv.lock"),))
    assert set(marks(call(3, 0.15), other).values()).isdisjoint(one.values())


def test_a_fingerprint_holds_the_exact_values_that_its_drift_stands_for() -> None:
    """Connections are not shown beside attempts, but whoever accepts accepts them too."""
    one, two = (judged([call(5, connections=5)], [call(3, connections=n)]).drifts[0] for n in (1, 3))
    assert one.also == two.also == ("connections", "waits", "starts")
    assert one.fingerprint != two.fingerprint


def test_the_overall_fingerprint_does_not_depend_on_the_order() -> None:
    """8 hex digits over all drifts, sorted."""
    drifts = judged([call(5, 15.0)], [call(3, 0.15)]).drifts
    assert overall(drifts) == overall(reversed(drifts))
    assert len(overall(drifts)) == 8
    assert overall(drifts) != overall(drifts[:1])


@pytest.mark.parametrize(("apart", "verdict"), [(0.01, "same"), (0.03, "drift")])
def test_the_order_of_what_is_sent_at_once(apart: float, verdict: str) -> None:
    """Who comes first of two that are asked within a moment is a scheduler's choice; later it is the client's."""
    for give_up in (1.0, None):  # ended, and cut off at the horizon
        one, other = (
            measured(chain((first, 0.0, 1.0), (second, apart, 1.0), give_up=give_up))
            for first, second in (("primary", "fallback"), ("fallback", "primary"))
        )
        assert judge(recorded([one]), other, UPGRADE).verdict == verdict


def test_the_order_of_what_is_sent_at_once_beside_another_that_was_recorded() -> None:
    """Of several recorded orders any counts that only a scheduler tells from the one seen."""

    def asked(*names: str) -> Measurement:
        return measured(
            chain(*((name, at, 20.0) for name, at in zip(names, (0.0, 0.001, 10.0), strict=True)), give_up=20.0)
        )

    reference = recorded([asked("a", "b", "a"), asked("a", "b", "b")])
    assert judge(reference, asked("b", "a", "b"), UPGRADE).verdict == "same"
