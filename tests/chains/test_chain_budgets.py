"""A budget over a chain: the timeouts have to fit into what the platform allows, together."""

import asyncio

import pytest
from tests.chains.conftest import FIXTURE
from tests.facts.measuring import Unwatched

from failsame.gate import Options, Timing, plan, run_check
from failsame.report import Report, markdown

pytestmark = pytest.mark.install

KEPT, BROKEN = "shared-deadline-python", "added-timeouts-python"


@pytest.fixture(scope="module")
def checked(tmp_path_factory: pytest.TempPathFactory) -> Report:
    """Both chains while everybody is silent, none of them recorded."""
    nowhere = tmp_path_factory.mktemp("baselines")
    asked = plan(
        Options(folder=FIXTURE, baselines=nowhere, subjects=(KEPT, BROKEN), scenarios=frozenset({"all-silent"}))
    )
    return asyncio.run(run_check(asked, Timing("skip", 200.0), Unwatched()))


@pytest.mark.parametrize(("name", "verdict", "seconds"), [(KEPT, "kept", 110), (BROKEN, "broken", 180)])
def test_the_sum_of_a_chain(checked: Report, name: str, verdict: str, seconds: float) -> None:
    """Timeouts that add up to 180 s break what a shared deadline of 110 s keeps."""
    (subject,) = (each for each in checked.subjects if each.name == name)
    (budget,) = subject.budgets
    assert (budget.rule, budget.verdict) == ("give_up.max in all-silent < 150s", verdict)
    assert budget.left is not None
    assert budget.left.most == pytest.approx(seconds, abs=0.01)


def test_it_is_said(checked: Report) -> None:
    """By how much, and how much is left, in the report's words."""
    said = markdown(checked)
    assert "</code>, over by 30 s" in said
    assert "is 110 s (`all-silent`) | 40 s left |" in said
