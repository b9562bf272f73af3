"""Observations of different horizons: what was cut off shows a beginning, and no more is concluded from it."""

from typing import Any

import pytest
from tests.drift.making import call, chain, measured, silence, trying, waiting

from failsame.drift import Upgrade, judge
from failsame.facts import recorded
from failsame.observation import KERNEL_GAVE_UP

UPGRADE = Upgrade(1, "s3")
SKIP: dict[str, Any] = {"clock": "skip", "horizon": 3600.0}
REAL: dict[str, Any] = {"clock": "real", "horizon": 33.0}
LONG: dict[str, Any] = {"clock": "real", "horizon": 300.0}

_ADDED = chain(("primary", 0.0, 60.0), ("fallback", 60.0, 180.0), give_up=180.0)
_CUT = chain(("primary", 0.0, None), give_up=None, outcome=None)

VERDICTS = {
    # name: baseline, its conditions, measured, its conditions, verdict, longer
    "ended long before": (silence(1, 5.0), SKIP, waiting(), REAL, "drift", None),
    "would end later: measure again": (silence(3, 60.0), SKIP, waiting(), REAL, "unmeasured", 191.0),
    "and then it is still waiting": (silence(1, 180.0), SKIP, waiting(), {**REAL, "horizon": 191.0}, "drift", None),
    "would end too late for real time": (silence(3, 600.0), SKIP, waiting(), REAL, "unmeasured", None),
    "no limit in skipped time": (
        silence(1, 5000.0), {**SKIP, "horizon": 7200.0}, waiting(), SKIP, "unmeasured", 5052.0
    ),
    "a tie with the horizon does not flap": (silence(1, 32.9), REAL, waiting(), REAL, "unmeasured", 36.0),
    "nor the other way round": (waiting(), REAL, silence(1, 32.9), REAL, "same", None),
    "both still waiting": (waiting(), SKIP, waiting(), REAL, "same", None),
    "ends after the baseline was last looked at": (waiting(), REAL, silence(1, 60.0), SKIP, "same", None),
    "ends while the baseline was waiting": (waiting(), REAL, silence(1, 5.0), SKIP, "drift", None),
    "ends now": (waiting(), SKIP, silence(1, 5.0), REAL, "drift", None),
    "both ended, one after the other's horizon": (silence(1, 60.0), SKIP, silence(1, 60.1), {**REAL, "horizon": 90.0},
                                                  "same", None),
    "more attempts than the baseline made by then": (
        silence(3, 60.0), SKIP, waiting(4, 10.0), REAL, "drift", None
    ),
    "fewer attempts than the baseline made by then": (silence(10, 10.0), SKIP, waiting(1), REAL, "drift", None),
    "as many as by then, of many more": (silence(10, 10.0), SKIP, waiting(4, 10.0), REAL, "unmeasured", 107.0),
    "at other times": (waiting(40, 10.0), SKIP, waiting(4, 8.0), REAL, "drift", None),
    "an attempt about the horizon": (waiting(2, 32.5), REAL, waiting(1), REAL, "same", None),
    "a baseline of few attempts, cut off": (waiting(4, 10.0), REAL, waiting(360, 10.0), SKIP, "same", None),
    "a baseline of more attempts": (waiting(4, 10.0), REAL, waiting(2, 20.0), SKIP, "drift", None),
    "connections are lower bounds": (waiting(4, 10.0, connections=4), REAL,
                                     waiting(360, 10.0, connections=1), SKIP, "drift", None),
    "equal horizons, other connections": (waiting(), REAL, waiting(connections=2), REAL, "drift", None),
    "a key dropped later": (waiting(4, 10.0, key_kept=True), REAL, waiting(360, 10.0, key_kept=False), SKIP,
                            "same", None),
    "a key dropped before": (waiting(4, 10.0, key_kept=False), REAL, waiting(360, 10.0, key_kept=True), SKIP,
                             "drift", None),
    "other requests are lower bounds": (waiting(other_requests={"GET /t": 2}), REAL,
                                        waiting(other_requests={"GET /t": 1}), SKIP, "drift", None),
    "a dead connection no longer used": (waiting(dead_connection_reused=True), REAL, waiting(), SKIP, "drift", None),
    "the same endpoints, one of them beyond": (_ADDED, SKIP, _CUT, REAL, "unmeasured", 191.0),
    "another endpoint than by then": (
        _ADDED, SKIP, chain(("fallback", 0.0, None), give_up=None, outcome=None), REAL, "drift", None
    ),
    "both cut off, at other endpoints": (
        _CUT, REAL, chain(("fallback", 0.0, None), give_up=None, outcome=None), REAL, "drift", None
    ),
    "left sooner than by then": (
        chain(("primary", 0.0, 20.0), ("fallback", 20.0, 180.0), give_up=180.0), SKIP,
        chain(("primary", 0.0, 10.0), ("fallback", 20.0, None), give_up=None, outcome=None), REAL, "drift", None,
    ),
    "200 attempts, later": (waiting(3, 10.0), REAL, trying(10.0), SKIP, "drift", None),
    "200 attempts, cut off": (trying(10.0), SKIP, waiting(4, 10.0), REAL, "unmeasured", None),
    "the kernel gives up, not yet": (call(outcome=KERNEL_GAVE_UP, give_up=None), LONG, waiting(), REAL,
                                     "unmeasured", 142.0),
    "the kernel gives up, no more": (call(outcome=KERNEL_GAVE_UP, give_up=None), LONG, waiting(), LONG, "drift", None),
    "the kernel gives up, seen for the first time": (
        waiting(), REAL, call(outcome=KERNEL_GAVE_UP, give_up=None), LONG, "same", None
    ),
    "a process that was gone by then": (call(outcome="exit 3", give_up=None), REAL, waiting(), REAL, "drift", None),
    "a process that may go later": (call(outcome="exit 3", give_up=None), LONG, waiting(), REAL, "unmeasured", None),
    "a process that goes later": (waiting(), REAL, call(outcome="exit 3", give_up=None), SKIP, "same", None),
}  # fmt: skip


@pytest.mark.parametrize("row", VERDICTS.values(), ids=VERDICTS)
def test_two_horizons(row: Any) -> None:
    """Two observations are compared up to the smaller horizon, and a doubt is measured again or said."""
    before, then, after, now, verdict, longer = row
    judgement = judge(recorded([measured(before, **then)]), measured(after, **now), UPGRADE)
    assert (judgement.verdict, judgement.longer) == (verdict, longer)


def test_what_cannot_be_judged_in_real_time_says_so() -> None:
    """A baseline of 1,801 s: the words name the call, the time and the remedy."""
    reference = recorded([measured(silence(3, 600.5), **SKIP)])
    judgement = judge(reference, measured(waiting(), **REAL), UPGRADE)
    assert judgement.why == (
        "call 1 has not ended after 33 s, its baseline only does after that: it takes 1892 s to see, and in real time "
        "300 s are the most; measure it in skipped time"
    )


@pytest.mark.parametrize("end", [30.9, 31.5, 32.0, 32.9, 33.0, 33.1, 34.0])
def test_times_about_the_horizon_never_flap(end: float) -> None:
    """A client that ends about the horizon, now just before it and now just after, is never drift."""
    seen = [silence(1, end - 0.02), silence(1, end + 0.02)]
    cut = [waiting() if one.give_up and one.give_up > 33.0 else one for one in seen]
    for before in cut:
        for after in cut:
            judgement = judge(recorded([measured(before, **REAL)]), measured(after, **REAL), UPGRADE)
            assert judgement.verdict == "same" or judgement.longer is not None
