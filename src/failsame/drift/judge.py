"""The verdict on one scenario, and what to do where one measurement cannot give it."""

import math
from dataclasses import dataclass
from typing import Literal

from failsame.drift.fingerprint import Upgrade
from failsame.drift.model import Drift
from failsame.drift.scenario import Contradictions, contradictions
from failsame.drift.shown import drifts
from failsame.facts import Conditions, Measurement, Recorded, recorded
from failsame.observation import LONGEST_REAL

ScenarioVerdict = Literal["same", "drift", "new", "unmeasured"]

NOT_RECORDED = "not recorded yet"


@dataclass(frozen=True)
class Judgement:
    """The verdict on a scenario. `why` is set where it is `new` or `unmeasured`, in one line."""

    verdict: ScenarioVerdict
    drifts: tuple[Drift, ...] = ()
    why: str | None = None
    longer: float | None = None
    """The horizon to measure again with: the verdict is `unmeasured` only as long as that was not done."""


def judge(reference: Recorded | None, measurement: Measurement, upgrade: Upgrade) -> Judgement:
    """Judge one scenario, measured once at each jitter, under the drift rules.

    A scenario that the baseline does not hold is `new`; that fails nothing as long as its subject has a baseline.
    """
    if reference is None:
        return Judgement("new", why=NOT_RECORDED)
    measured = recorded([measurement])
    if len(measured.calls) != len(reference.calls):
        return Judgement(
            "unmeasured",
            why=f"it makes {len(measured.calls)} calls, its baseline has {len(reference.calls)}: record it again",
        )
    found = contradictions(reference, measured)
    if found.facts:
        return Judgement("drift", drifts(reference, measured, found, measurement.low.scenario, upgrade))
    if found.reach:
        return _longer(found, measured.conditions)
    return Judgement("same")


def _longer(found: Contradictions, conditions: Conditions) -> Judgement:
    (call, _), reach = max(found.reach.items(), key=lambda item: item[1])
    why = f"call {call} has not ended after {conditions.horizon:g} s, its baseline only does after that"
    # One second more than the slack, so that the longer measurement leaves no doubt.
    horizon = math.ceil(reach) + 1.0
    if conditions.clock == "real" and horizon > LONGEST_REAL:
        return Judgement(
            "unmeasured",
            why=f"{why}: it takes {reach:.0f} s to see, and in real time {LONGEST_REAL} s are the most; "
            "measure it in skipped time",
        )
    return Judgement("unmeasured", why=f"{why}: measure again with --horizon {horizon:g}", longer=horizon)
