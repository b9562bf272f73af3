"""What a run leaves with, as a table."""

import pytest

from failsame.errors import ExitCode, worst
from failsame.gate import exit_code, not_measured
from failsame.report import Report
from failsame.report.model import BudgetReport, ScenarioReport, SubjectReport, Verdict


def subject(
    verdict: Verdict, *scenarios: Verdict, informational: bool = False, why: str | None = None
) -> SubjectReport:
    return SubjectReport(
        name=f"{verdict}-{'-'.join(scenarios)}",
        origin="a.py",
        dialect="http",
        verdict=verdict,
        informational=informational,
        why=why,
        scenarios=tuple(
            ScenarioReport(name=f"{each}-{number}", verdict=each, clock="real", horizon=3, why=f"why {number}")
            for number, each in enumerate(scenarios, 1)
        ),
    )


def budgeted(of_subject: Verdict, **budget: str) -> SubjectReport:
    """A subject whose scenarios are all the same, with one budget."""
    sides = {"unit": "s", "left": None, "right": None, "room": None, "severity": "must"}
    made = BudgetReport.model_validate({"rule": "a < b", "why": "a: why", **sides, **budget})
    return subject(of_subject, "same").model_copy(update={"budgets": (made,)})


def report(*subjects: SubjectReport, mode: str = "block") -> Report:
    head = {"suite": 1, "failsame": "0", "command": "check", "verdict": "same", "clock": "real", "horizon": 3}
    return Report.model_validate({**head, "mode": mode, "subjects": subjects})


SAME, DRIFT, NEW, UNMEASURED = subject("same"), subject("drift"), subject("new"), subject("unmeasured")
HALF = subject("drift", "drift", "unmeasured")
FOUND = subject("drift", informational=True)
UNJUDGED = budgeted("unmeasured", verdict="unmeasured")
FOUND_UNMEASURED = subject("unmeasured", informational=True)

# Subjects -> what `block` and `warn` leave with.
TABLE: dict[str, tuple[tuple[SubjectReport, ...], int, int]] = {
    "nothing": ((), 0, 0),
    "same": ((SAME,), 0, 0),
    "drift": ((SAME, DRIFT), 1, 0),
    "over budget": ((subject("over-budget"),), 1, 0),
    "a budget that should be kept": ((budgeted("same", verdict="broken", severity="should"),), 0, 0),
    "a budget that could not be judged": ((UNJUDGED,), 3, 3),
    "drift, and a budget that could not be judged": ((budgeted("drift", verdict="unmeasured"),), 1, 3),
    "a budget that should be kept and could not be judged": (
        (budgeted("same", verdict="unmeasured", severity="should"),),
        0,
        0,
    ),
    "a budget that nobody asked for": ((budgeted("same", verdict="left-out"),), 0, 0),
    "new": ((SAME, NEW), 1, 0),
    "unmeasured": ((SAME, UNMEASURED), 3, 3),
    "drift and unmeasured": ((UNMEASURED, DRIFT), 1, 3),
    "new and unmeasured": ((UNMEASURED, NEW), 1, 3),
    "drift, and a scenario of it unmeasured": ((HALF,), 1, 3),
    "a scenario that is not recorded yet": ((subject("same", "same", "new"),), 0, 0),
    "drift of what was found by itself": ((FOUND,), 0, 0),
    "one of what was found unmeasured": ((FOUND, FOUND_UNMEASURED), 0, 0),
    "all of what was found unmeasured": ((FOUND_UNMEASURED, FOUND_UNMEASURED), 3, 3),
    "what was found drifts, what is configured does not": ((SAME, FOUND), 0, 0),
    "what was found is unmeasured, what is configured is not": ((SAME, FOUND_UNMEASURED), 0, 0),
}


@pytest.mark.parametrize("case", TABLE)
def test_exit_codes(case: str) -> None:
    """0 same, 1 drift or new, 3 unmeasured; 1 beats 3 beats 0; `warn` turns 1 into 0, and nothing else."""
    subjects, block, warn = TABLE[case]
    assert exit_code(report(*subjects)) == block
    assert exit_code(report(*subjects, mode="warn")) == warn


def test_precedence() -> None:
    """2 beats 1 beats 3 beats 0; an interrupt beats all."""
    order = [ExitCode.INTERRUPTED, ExitCode.USAGE, ExitCode.DRIFT, ExitCode.UNMEASURED, ExitCode.SAME]
    for number, code in enumerate(order):
        assert worst(list(reversed(order[number:]))) == code
    assert worst([]) == ExitCode.SAME


def test_what_was_not_measured() -> None:
    """Each subject that could not be measured, or not wholly, has one line; the others have none."""
    said = not_measured(
        report(
            SAME,
            subject("unmeasured", why="it is not there"),
            subject("drift", "unmeasured", "drift", "unmeasured"),
            subject("unmeasured", "same", "unmeasured", informational=True),
        )
    )
    assert said == {
        "unmeasured-": "it is not there",
        "drift-unmeasured-drift-unmeasured": "unmeasured-1 (and 1 more): why 1",
        "unmeasured-same-unmeasured": "unmeasured-2: why 2",
    }


def test_a_budget_that_could_not_be_judged_is_told() -> None:
    """The line names the rule and why; `measure` judges none, and leaves with 0."""
    assert not_measured(report(UNJUDGED)) == {UNJUDGED.name: 'the budget "a < b": a: why'}
    done = report(budgeted("same", verdict="unmeasured")).model_copy(update={"command": "measure"})
    assert (exit_code(done), not_measured(done)) == (ExitCode.SAME, {})
