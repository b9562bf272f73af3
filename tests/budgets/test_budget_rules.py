"""Budgets over measured, declared and other subjects' numbers, as far as these are known."""

from math import inf
from typing import Any

import pytest
from tests.budgets.judging import REAL, client, judged, seen
from tests.drift.making import NOT_MADE_CALL, call, silence, trying, waiting

from failsame.budgets import Absent, Amount, Client, Judged, confirm
from failsame.observation import KERNEL_GAVE_UP, NEVER_SETTLED

FIVE_BY_THREE = (silence(3, 5.0), silence(3, 5.1))
"""5 s x 3 attempts, and up to 0.3 s of waits."""

S3 = client(
    {
        "healthy": call(outcome="ok"),
        "silent": FIVE_BY_THREE,
        "silent-once": (silence(2, 5.0, outcome="ok"), silence(2, 5.1, outcome="ok")),
        "status-500": (call(3, 0.0), call(3, 0.15, waits=(0.05, 0.1))),
        "status-404": call(),
    },
    {"function_timeout": "30s", "async_invocations": 3, "clean_up": "2 * 2.5 s"},
    settings={"read_timeout": 5, "retry_mode": "standard", "max_attempts": 3},
)
AI = client({"silent": silence(1, 90.0)}, {"gap": "500ms"})
OTHERS = {"ai": AI, "batch-s3": S3}

VERDICTS = {
    # rule: verdict, left, right, room
    "give_up.max < 30s": ("kept", 15.3, 30, 14.7),
    "give_up.ceiling < 30s": ("kept", 15.3, 30, 14.7),
    "give_up.max < function_timeout": ("kept", 15.3, 30, 14.7),
    "give_up.max < 3s": ("broken", 15.3, 3, -12.3),
    "give_up.max in status < 3s": ("kept", 0.15, 3, 2.85),
    "give_up.max in silent < 0.5 min": ("kept", 15.3, 30, 14.7),
    "give_up.floor in silence >= 10s": ("kept", 10, 10, 0),
    "give_up.floor in silent > 15s": ("broken", 15, 15, 0),
    "give_up.max in silent <= 15.3s": ("kept", 15.3, 15.3, 0),
    "give_up.max in silent < 15.3s": ("broken", 15.3, 15.3, 0),
    "15300ms > give_up.max in silent": ("broken", 15.3, 15.3, 0),
    "attempts.max * async_invocations <= 9": ("kept", 9, 9, 0),
    "attempts.max * async_invocations < 9 requests": ("broken", 9, 9, 0),
    "attempts.floor >= 1": ("kept", 1, 1, 0),
    "connections.max in silent <= 3": ("kept", 3, 3, 0),
    "waits.max <= 100 ms": ("kept", 0.1, 0.1, 0),
    "waits.floor in status-500 >= 50ms": ("broken", 0, 0.05, -0.05),
    "settings.read_timeout * settings.max_attempts <= give_up.floor in silent": ("kept", 15, 15, 0),
    "ai.give_up.max + s3.give_up.max < 110s": ("kept", 105.3, 110, 4.7),
    "batch-s3.give_up.max+ai.give_up.max in silent+ai.gap<105.8s": ("broken", 105.8, 105.8, 0),
    "sum(1s, 2s, 3s) - 2 * (1s + 1s) >= 2s": ("kept", 2, 2, 0),
    "min(give_up.max, 10s) / 2 < clean_up": ("broken", 5, 5, 0),
    "max(give_up.max, function_timeout) - 5s <= 25s": ("kept", 25, 25, 0),
    "-give_up.max in silent > -16s": ("kept", -15.3, -16, 0.7),
    # Tenths are tenths: no binary fractions.
    "0.1s + 0.2s <= 0.3s": ("kept", 0.3, 0.3, 0),
}


@pytest.mark.parametrize("rule", VERDICTS)
def test_numbers_that_are_known(rule: str) -> None:
    """Arithmetic, comparisons, units, ends and scopes: the verdict, both sides and the room."""
    verdict, *numbers = VERDICTS[rule]
    found = judged(rule, S3, OTHERS)
    assert found.verdict == verdict
    assert [float(each.least) for each in (found.left, found.right, found.room)] == numbers
    assert all(each.known for each in (found.left, found.right, found.room))
    assert (found.why, found.longer) == (None, {})


def test_numbers_come_with_the_scenario_that_makes_them() -> None:
    """Each term is told once, with its number and, where it was measured, the scenario."""
    found = judged("2 * give_up.max + give_up.max + ai.give_up.max + clean_up < 4 min", S3, OTHERS)
    told = [(each.term.text, each.amount and float(each.amount.least), each.scenario) for each in found.readings]
    assert told == [("give_up.max", 15.3, "silent"), ("ai.give_up.max", 90, "silent"), ("clean_up", 5, None)]
    assert found.places == (("s3", "silent"), ("ai", "silent"))


WAITING = client({"silent": waiting(), "status-500": call(3, 0.1)}, **REAL)
ENDLESS = client({"silent": waiting(), "status-500": call(3, 0.1)})
SHORT = client({"silent": waiting()}, clock="skip", horizon=10.0)
HALF_OPEN = client({"half-open": waiting()}, clock="skip", horizon=900.0)
TRYING = client({"status-500": trying(0.1)})
KERNEL = client({"connect-blackhole": call(outcome=KERNEL_GAVE_UP, give_up=None)})
GONE = client({"status-500": call(outcome="exit 3", give_up=None)})
UNSETTLED = client({"silent": call(outcome=NEVER_SETTLED, give_up=None)})
CUT_SHORT = client({"status-500": call(), "silent": silence(1, 5.0)}, absent={"late-3s": Absent("no port")})
NARROW = client({"status-500": call(2, 1.0)}, absent={"silent": Absent("not asked for", aside=True)})
UNFIT = client({"status-500": call()}, unfit={"bad-checksum": "the dialect has no checksum"})

CUT_OFF: dict[str, tuple[str, Client, str, dict[str, float]]] = {
    # what: rule, client, verdict, horizons to measure with
    "at least 33 s is too long": ("give_up.max < 30s", WAITING, "broken", {}),
    "at least 33 s may yet fit": ("give_up.max < 60s", WAITING, "unmeasured", {"silent": 61.0}),
    "as long as real time is watched": ("give_up.max < 10 min", WAITING, "unmeasured", {"silent": 300.0}),
    "counts are lower bounds": ("attempts.max in silent <= 3", WAITING, "unmeasured", {"silent": 300.0}),
    "lower bounds that suffice": ("attempts.max in silent >= 1", WAITING, "kept", {}),
    "more waits may come": ("waits.max <= 5s", WAITING, "unmeasured", {"silent": 300.0}),
    "others do not wait": ("give_up.max in status-500 < 1s", WAITING, "kept", {}),
    "the least is known": ("give_up.floor < 1s", WAITING, "kept", {}),
    "an hour is without end": ("give_up.max < 1000 h", ENDLESS, "broken", {}),
    "and so longer than anything": ("give_up.max in silent > 1000 h", ENDLESS, "kept", {}),
    "counts of an hour stand": ("attempts.max in silent <= 1", ENDLESS, "kept", {}),
    "without end minus without end": ("give_up.max - give_up.max < 1s", ENDLESS, "unmeasured", {}),
    "skipped time up to an hour": ("give_up.max < 2 h", SHORT, "unmeasured", {"silent": 3600.0}),
    "skipped time as long as it takes": ("give_up.max < 30s", SHORT, "unmeasured", {"silent": 31.0}),
    "the system ends a half-open connection": ("give_up.max < 20 min", HALF_OPEN, "unmeasured", {}),
    "which is too long here": ("give_up.max < 15 min", HALF_OPEN, "broken", {}),
    "cut off at 200 attempts": ("attempts.max < 1000", TRYING, "unmeasured", {}),
    "200 are enough": ("attempts.max < 200", TRYING, "broken", {}),
    "19.9 s at least": ("give_up.max < 19.9s", TRYING, "broken", {}),
    "19.9 s, and nobody knows how much more": ("give_up.max < 20s", TRYING, "unmeasured", {}),
    "the system gives up within 134 s": ("give_up.max <= 134s", KERNEL, "kept", {}),
    "and not before 127 s": ("give_up.max < 127s", KERNEL, "broken", {}),
    "but when exactly": ("give_up.max < 130s", KERNEL, "unmeasured", {}),
    "a process that was gone": ("give_up.max < 130s", GONE, "unmeasured", {}),
    "a process that was gone had its attempts": ("attempts.max <= 1", GONE, "kept", {}),
    "a promise that never settles": ("give_up.max < 1000h", UNSETTLED, "broken", {}),
    "a scenario without a measurement": ("give_up.max < 10s", CUT_SHORT, "unmeasured", {}),
    "which does not matter": ("give_up.max < 5s", CUT_SHORT, "broken", {}),
    "nor does it here": ("give_up.max in silent < 10s", CUT_SHORT, "kept", {}),
    "not asked for": ("give_up.max < 10s", NARROW, "left-out", {}),
    "not asked for, and broken all the same": ("give_up.max < 1s", NARROW, "broken", {}),
    "does not fit": ("give_up.max in bad-checksum < 1s", UNFIT, "unmeasured", {}),
    "no waits at all": ("waits.floor >= 2s", client({"status-500": call()}), "kept", {}),
    "no waits beside others": ("give_up.max + waits.floor < 30s", client({"status-500": call()}), "unmeasured", {}),
    "no waits at all, and no longer": ("waits.floor < 30s", client({"status-500": call()}), "unmeasured", {}),
    "waits that nobody saw": ("waits.floor in silent >= 1s", client({"silent": silence(3, 5.0)}), "unmeasured", {}),
    "none is longer than none": ("waits.max <= 0s", client({"status-500": call()}), "kept", {}),
    "healthy is no outage": ("attempts.floor in control <= 1", S3, "kept", {}),
    "all but healthy": ("attempts.max <= 9", client({"healthy": call()}), "unmeasured", {}),
    "divided by nothing": ("1 / waits.max < 3 / s", client({"status-500": call()}), "unmeasured", {}),
    "a setting that is not shown": ("settings.connect_timeout > 1s", S3, "unmeasured", {}),
}  # fmt: skip


@pytest.mark.parametrize("row", CUT_OFF.values(), ids=CUT_OFF)
def test_numbers_that_are_not(row: tuple[str, Client, str, dict[str, float]]) -> None:
    """What was cut off is known as far as it was seen: measured longer where that can tell, else unmeasured."""
    rule, own, verdict, longer = row
    found = judged(rule, own)
    assert found.verdict == verdict
    assert found.longer == {("s3", scenario): horizon for scenario, horizon in longer.items()}
    assert (found.why is None) == (verdict in {"kept", "broken"})


NOT_SHOWN = (
    'settings.connect_timeout: the client does not show its "connect_timeout"; of its settings it shows max_attempts, '
    "read_timeout, retry_mode"
)
WHY = {
    "give_up.max < 60s": (WAITING, "give_up.max: silent: it had not ended after 33 s: measure it in skipped time"),
    "give_up.max < 2 h": (
        SHORT, "give_up.max: silent: it had not ended after 10 s: watch it for longer, with --horizon"
    ),
    "give_up.max < 20 min": (
        HALF_OPEN, "give_up.max: half-open: after 900 s the system would end it, not the client"
    ),
    "attempts.max < 1000": (TRYING, "attempts.max: status-500: it was cut off at 200 attempts"),
    "give_up.max < 130s": (KERNEL, "give_up.max: connect-blackhole: the system ended it, not the client"),
    "give_up.max < 131s": (GONE, "give_up.max: status-500: nobody saw when its process ended"),
    "give_up.max < 10s": (CUT_SHORT, "give_up.max: no port"),
    "give_up.max < 11s": (NARROW, "give_up.max: not asked for"),
    "give_up.max in bad-checksum < 1s": (UNFIT, "give_up.max in bad-checksum: the dialect has no checksum"),
    "give_up.max in quota < 1s": (UNFIT, "give_up.max in quota: none of its scenarios fits this subject"),
    "settings.connect_timeout > 1s": (
        S3,
        NOT_SHOWN,
    ),
    "1 / waits.max < 3 / s": (
        client({"status-500": call()}), "both sides are endless, or it divides by a number that can be 0"
    ),
    "give_up.max < 12s": (Client(nothing=Absent("s3 could not be measured")), "give_up.max: s3 could not be measured"),
}  # fmt: skip


@pytest.mark.parametrize("rule", WHY)
def test_why_a_budget_is_not_known(rule: str) -> None:
    """The line names the term, the scenario and what to do."""
    own, why = WHY[rule]
    assert judged(rule, own).why == why


def test_a_longer_measurement_decides() -> None:
    """What the first horizon could not tell, the one that was asked for does, whether the call has ended or not."""
    (horizon,) = judged("give_up.max < 60s", WAITING).longer.values()
    still = client({"silent": waiting()}, clock="real", horizon=horizon)
    ended = client({"silent": silence(1, 45.0)}, clock="real", horizon=horizon)
    assert [judged("give_up.max < 60s", each).verdict for each in (still, ended)] == ["broken", "kept"]


def test_calls_that_were_not_made_do_not_count() -> None:
    """After a call that was cut off the next ones are not made: they have no attempts, and no time."""
    own = Client(scenarios={"half-open": seen([call(), waiting(), NOT_MADE_CALL])})
    assert judged("attempts.floor >= 1", own).verdict == "kept"
    assert judged("give_up.max < 1000h", own).left == Amount(inf, inf)


def test_slack() -> None:
    """A budget is broken only by more than its slack, which is in the unit of its rule."""
    assert judged("give_up.max in silent < 15.3s", S3, slack="1ms").verdict == "kept"
    assert judged("give_up.max in silent < 15.3s", S3, slack="0ms").verdict == "broken"
    found = judged("give_up.max in silent < 15s", S3, slack="300ms")
    assert (found.verdict, float(found.room.least)) == ("broken", 0)


def test_a_run_of_one_subject_leaves_rules_about_others_out() -> None:
    """A rule about a subject that was not asked for is left out; about one that cannot be measured it is unmeasured."""
    aside = {"ai": Client(nothing=Absent("not asked for", aside=True))}
    broken = {"ai": Client(nothing=Absent("ai does not work"))}
    rule = "give_up.max + ai.give_up.max < 110s"
    assert judged(rule, S3, aside).verdict == "left-out"
    assert judged(rule, S3, broken).verdict == "unmeasured"
    declared = client({}, {"gap": "1s"}, nothing=Absent("not asked for", aside=True))
    assert judged("give_up.max + ai.gap < 110s", S3, {"ai": declared}).verdict == "kept"


CONFIRMED: dict[str, tuple[tuple[str, str, str], tuple[str, int]]] = {
    "all three": (("broken", "broken", "broken"), ("broken", 3)),
    "the last two": (("broken", "kept", "kept"), ("kept", 2)),
    "no two": (("broken", "kept", "broken"), ("unmeasured", 0)),
    "nothing comes about": (("broken", "unmeasured", "unmeasured"), ("unmeasured", 2)),
}


@pytest.mark.parametrize("row", CONFIRMED.values(), ids=CONFIRMED)
def test_a_broken_budget_is_confirmed(row: Any) -> None:
    """The verdict is what two more measurements agree on, or none at all."""
    verdicts, expected = row
    kept = judged("give_up.max < 30s", S3)
    first, one, two = (Judged(each, kept.left, kept.right, kept.room, kept.readings) for each in verdicts)
    found, agreed = confirm(first, one, two)
    assert (found.verdict, agreed) == expected
    if agreed == 0:
        assert found.why == "measured three times, and the last two do not agree: broken, then kept, then broken"
