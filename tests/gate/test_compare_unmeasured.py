"""Two reports of which one says less than the other."""

from typing import Any

from tests.report.reports import call, report, scenario, subject

from failsame.errors import ExitCode
from failsame.gate import compare_reports, exit_code
from failsame.report import Report


def measured(attempts: int = 1, **more: Any) -> Report:
    one = scenario("status-404", call(attempts, "x.Error"))
    return report("same", subject("s3", one, **more), command="measure")


def test_what_could_not_be_measured_before() -> None:
    """Nothing is known of it, and that is not the same."""
    lost = scenario("status-404", verdict="unmeasured").model_copy(update={"why": "the measurements disagree"})
    old = report("unmeasured", subject("s3", lost), command="measure")
    compared = compare_reports(old, measured(), "old.json")
    assert (compared.verdict, exit_code(compared)) == ("unmeasured", ExitCode.UNMEASURED)
    (only,) = compared.subjects[0].scenarios
    assert only.why == "it could not be measured before: the measurements disagree"


def test_what_was_for_information() -> None:
    """A subject that only informs a check counts where two reports are compared."""
    compared = compare_reports(measured(), measured(3, informational=True), "old.json")
    assert (compared.verdict, exit_code(compared)) == ("drift", ExitCode.DRIFT)
