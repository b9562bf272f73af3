"""Single waits, closely: the standard retry mode case by case, and the waits of the changes that matter most."""

from collections.abc import Sequence
from pathlib import Path

import pytest
from tests.facts.cases import Case, that_end_before
from tests.facts.measuring import HORIZON, TIMING, Asked, observe
from tests.facts.rows import LEGACY, OPENAI, SMITHY, STANDARD
from tests.facts.waits import Waits

from failsame.observation import Call, Jitter, Observation
from failsame.suite import SCENARIOS

pytestmark = pytest.mark.install

CASES = that_end_before(HORIZON)
STATUS_500 = SCENARIOS["status-500"]
CLOSELY: tuple[tuple[str, Jitter, Waits], ...] = (
    ("s3-before", "high", LEGACY),
    ("s3-after", "high", STANDARD),
    ("node-s3", "high", SMITHY),
    ("openai-today", "low", OPENAI),
    ("openai-today", "high", OPENAI),
)

TIMES = {"real": 3, "skip": 1}[TIMING.clock]
"""A wait in real time is never shorter than was drawn, but longer on a busy machine: so each is the best of three."""

ROUNDED = 0.01
"""Seconds: real time is stored to so much."""


@pytest.fixture(scope="module")
def observed(project: Path) -> dict[str, list[Observation]]:
    """All trials of this module by name, as often as the clock needs."""
    asked = {str(case): _case(case) for case in CASES}
    asked |= {f"{subject} {jitter}": Asked(subject, STATUS_500, jitter) for subject, jitter, _ in CLOSELY}
    return dict(zip(asked, observe(project, list(asked.values()), times=TIMES), strict=True))


def _case(case: Case) -> Asked:
    return Asked(f"standard-{case.service}", case.scenario, variables=case.variables)


def _best(seen: Sequence[float | None], expected: float) -> float:
    """The one of several that is nearest to the expected wait."""
    return min((each for each in seen if each is not None), key=lambda each: abs(each - expected))


def _after_last_request(call: Call) -> float:
    """Seconds from the last request, which is answered at once, to the end of the call."""
    last = call.starts[-1].at
    assert last is not None
    assert call.give_up is not None
    return call.give_up - last


@pytest.mark.parametrize("case", CASES, ids=str)
def test_the_standard_retry_mode_case_by_case(observed: dict[str, list[Observation]], case: Case) -> None:
    """botocore meets the tables through failsame's own server: attempts exactly, every wait within 0.05 s."""
    seen = observed[str(case)]
    for number, expected in enumerate(case.calls):
        calls = [each.calls[number] for each in seen]
        assert [call.attempts for call in calls] == [len(expected.answers)] * TIMES
        assert {call.outcome == "ok" for call in calls} == {expected.succeeds}
        for index, wait in enumerate(expected.waits):
            assert -ROUNDED <= _best([call.waits[index] for call in calls], wait) - wait <= 0.05
        last = _best([_after_last_request(call) for call in calls], expected.before_error)
        assert -2 * ROUNDED <= last - expected.before_error <= 0.05


@pytest.mark.parametrize(("subject", "jitter", "waits"), CLOSELY)
def test_the_waits_that_changed_come_out_closely(
    observed: dict[str, list[Observation]], subject: str, jitter: Jitter, waits: Waits
) -> None:
    """botocore's waits before and after November 2026, smithy's and openai's, each within 0.03 s of the formula."""
    calls = [each.calls[0] for each in observed[f"{subject} {jitter}"]]
    for index, wait in enumerate(waits.at(jitter)):
        assert _best([call.waits[index] for call in calls], wait) == pytest.approx(wait, abs=0.03)
    assert {len(call.waits) for call in calls} == {len(waits.at(jitter))}
