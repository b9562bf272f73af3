"""A drift counts when two repeated measurements agree on it."""

from typing import Any

import pytest
from tests.drift.making import call, measured, observation, waiting

from failsame.drift import Upgrade, confirm
from failsame.facts import recorded
from failsame.observation import Call, Jitter, Observation

UPGRADE = Upgrade(1, "s3")
REFERENCE = recorded([measured(call(5, 10.0))])


def both(one: Call) -> dict[Jitter, Observation]:
    return {"low": observation("low", [one]), "high": observation("high", [one])}


TABLE = {
    "all agree": (call(3), call(3), call(3), "drift", 3),
    "the first was another": (call(4), call(3), call(3), "drift", 2),
    "it was nothing": (call(3), call(5, 10.0), call(5, 10.0), "same", None),
    "one is drift, the other not": (call(3), call(3), call(5, 10.0), "unmeasured", None),
    "two values": (call(3), call(3), call(4), "unmeasured", None),
    "times within the slack of each other": (call(3, 1.0), call(3, 1.03), call(3, 0.99), "drift", 3),
    "times apart": (call(5, 1.0), call(5, 2.0), call(5, 3.0), "unmeasured", None),
    "ends and does not": (waiting(), waiting(), call(5, 10.0), "unmeasured", None),
}


@pytest.mark.parametrize(("first", "one", "two", "verdict", "confirmed"), TABLE.values(), ids=TABLE)
def test_the_verdict_is_what_two_repeats_agree_on(first: Any, one: Any, two: Any, verdict: str, confirmed: Any) -> None:
    """Never a guess: what the repeats do not agree on is unmeasured."""
    judgement = confirm(REFERENCE, measured(first), (both(one), both(two)), UPGRADE)
    assert judgement.verdict == verdict
    assert {drift.confirmed for drift in judgement.drifts} == ({confirmed} if confirmed else set())


def test_the_values_are_named_where_repeats_disagree() -> None:
    """The words hold every value that was seen, so that a person can judge."""
    judgement = confirm(REFERENCE, measured(call(4, 10.0)), (both(call(3, 10.0)), both(call(4, 10.0))), UPGRADE)
    assert judgement.why == (
        "measured three times, and the last two do not agree: attempts of call 1 was 4, then 3, then 4"
    )


def test_the_words_stay_one_short_line() -> None:
    """What a hostile client put into its error's code cannot break the line or fill the screen."""
    code = "x\n::error::" + "y" * 5000
    judgement = confirm(REFERENCE, measured(call(3)), (both(call(3, code=code)), both(call(3))), UPGRADE)
    assert judgement.why is not None
    assert "\n" not in judgement.why
    assert len(judgement.why) < 1000


def test_only_the_jitter_that_drifted_needs_to_be_repeated() -> None:
    """The other one counts as it was measured at first."""
    first = measured(call(5, 10.0), call(5, 7.0))
    repeat: dict[Jitter, Observation] = {"high": observation("high", [call(5, 7.01)])}
    judgement = confirm(REFERENCE, first, (repeat, repeat), UPGRADE)
    assert [(drift.fact, drift.jitter, drift.confirmed) for drift in judgement.drifts] == [("give_up", "high", 3)]
