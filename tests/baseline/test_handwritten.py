"""Coming files that a person wrote: only what differs, as it would stand in a baseline."""

import json
from typing import Any

import pytest
from tests.baseline.recording import baseline
from tests.drift.making import call, measured, silence, waiting

from failsame.baseline import lay, parse_coming
from failsame.drift import Judgement, Upgrade, judge
from failsame.facts import Measurement
from failsame.observation import Call

KEPT = {"key_kept": True}
BACKING_OFF = call(3, 0.15, waits=(0.05, 0.1), **KEPT)


def judged(before: Measurement, now: Measurement, **written: Any) -> Judgement:
    """The verdict on `now`, where a person wrote these facts beside the baseline `before`."""
    text = {
        "schema": 1,
        "suite": 1,
        "subject": "s3",
        "when": {"botocore": ">= 1.44"},
        "scenarios": {"status-500": {"clock": "skip", "horizon": 3600, "call 1": written}},
    }
    file = parse_coming(json.dumps(text), subject="s3", where="x")
    laid = lay(baseline(status_500=before), {"a": file}, {"botocore": "1.44"})
    return judge(laid.scenarios["status-500"], now, Upgrade(1, "s3"))


WRITTEN = {
    "fewer attempts, none of them answered": (
        silence(3, 60.0, **KEPT), silence(2, 60.0, **KEPT), {"attempts": 2, "connections": 2, "give_up": [120, 120]}
    ),
    "a single attempt keeps no key": (
        silence(3, 60.0, **KEPT), silence(1, 60.0), {"attempts": 1, "connections": 1, "give_up": [60, 60]}
    ),
    "waits that nobody wrote": (
        BACKING_OFF, call(2, 0.05, waits=(0.05,), **KEPT), {"attempts": 2, "give_up": [0.05, 0.05]}
    ),
    "waits that were written": (
        BACKING_OFF, call(2, 0.2, waits=(0.2,), **KEPT), {"attempts": 2, "give_up": [0.2, 0.2], "waits": [[0.2, 0.2]]}
    ),
    "more attempts": (
        call(2, 0.05, waits=(0.05,), **KEPT), BACKING_OFF, {"attempts": 3, "give_up": [0.15, 0.15]}
    ),
    "a call that no longer ends": (silence(1, 60.0), waiting(), {"still_waiting": True}),
    "other waits tell other starts": (BACKING_OFF, call(3, 2.0, waits=(1.0, 1.0), **KEPT), {
        "give_up": [2, 2], "waits": [[1, 1], [1, 1]]
    }),
}  # fmt: skip


@pytest.mark.parametrize(("before", "now", "written"), WRITTEN.values(), ids=WRITTEN)
def test_what_follows_need_not_be_written(before: Call, now: Call, written: Any) -> None:
    """Waits between attempts that are not made, a key over a single one, the end of a call that has none."""
    assert judged(measured(before), measured(now), **written).verdict == "same"


@pytest.mark.parametrize(
    ("now", "written", "drifted"),
    [
        (call(3, 0.15, waits=(0.05, 0.1), **KEPT), {"attempts": 2}, "attempts"),
        (call(2, 0.05, waits=(0.05,), connections=2, **KEPT), {"attempts": 2, "give_up": [0.05, 0.05]}, "connections"),
        (call(2, 0.15, waits=(0.15,), key_kept=False), {"attempts": 2}, "key_kept"),
        (call(2, 0.15, waits=(0.15,), **KEPT), {"attempts": 2, "waits": [[0.05, 0.05]]}, "waits"),
    ],
)
def test_what_was_not_accepted_still_drifts(now: Call, written: Any, drifted: str) -> None:
    """What is written holds to the letter, and what does not follow from it is as it was."""
    judgement = judged(measured(BACKING_OFF), measured(now), **written)
    assert [drift.fact for drift in judgement.drifts] == [drifted]


def test_low_and_high_follow_each_by_itself() -> None:
    """Where only the longest waits cost an attempt, the waits of the shortest stay."""
    before = measured(BACKING_OFF)
    fewer = call(2, 0.15, waits=(0.05,), **KEPT)
    written = {"attempts": {"low": 3, "high": 2}}
    assert judged(before, measured(BACKING_OFF, fewer), **written).verdict == "same"
    longer = call(3, 0.15, waits=(0.05, 0.9), **KEPT)
    assert [drift.fact for drift in judged(before, measured(longer, fewer), **written).drifts] == ["waits"]
