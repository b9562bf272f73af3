"""Two reports: what the newer one says of its budgets and settings counts."""

from typing import Any

import pytest
from tests.report.reports import call, report, scenario, subject

from failsame.errors import ExitCode
from failsame.gate import compare_reports, exit_code
from failsame.report import Report
from failsame.report.model import BudgetReport, SettingChange

BUDGET: dict[str, Any] = {"rule": "a < b", "unit": "s", "left": None, "right": None, "room": None}

CASES = {
    ("must", "broken"): ("over-budget", ExitCode.DRIFT),
    ("must", "kept"): ("same", ExitCode.SAME),
    ("must", "unmeasured"): ("unmeasured", ExitCode.UNMEASURED),
    ("must", "left-out"): ("same", ExitCode.SAME),
    ("should", "broken"): ("same", ExitCode.SAME),
    ("should", "unmeasured"): ("same", ExitCode.SAME),
}


def measured(**more: Any) -> Report:
    one = scenario("status-404", call(1, "x.Error"))
    return report("same", subject("s3", one, **more), command="measure")


@pytest.mark.parametrize("case", CASES)
def test_a_broken_budget_of_the_newer_report_counts(case: tuple[str, str]) -> None:
    """Nothing drifted between the two; a budget that must be kept decides all the same."""
    severity, verdict = case
    new = measured(budgets=(BudgetReport.model_validate({**BUDGET, "severity": severity, "verdict": verdict}),))
    compared = compare_reports(measured(), new, "old.json")
    assert (compared.verdict, exit_code(compared)) == CASES[case]


def test_settings_that_changed_between_two_reports() -> None:
    """Both values of each; nothing where the older report shows no settings at all."""
    new = measured(settings={"timeout": 5, "max_retries": 2})
    (found,) = compare_reports(measured(settings={"timeout": 3, "max_retries": 2}), new, "old.json").subjects
    assert found.setting_changes == (SettingChange(setting="timeout", before=3, after=5),)
    (found,) = compare_reports(measured(), new, "old.json").subjects
    assert found.setting_changes == ()
