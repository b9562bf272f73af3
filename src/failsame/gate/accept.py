"""Accepting what a report found: it is a file, and no code of the project has to run. Pure."""

from collections.abc import Mapping

from failsame.baseline import Baseline, Coming, accept, installed_with, lay
from failsame.errors import UsageError
from failsame.gate.reports import recorded_in
from failsame.report.model import Report, SubjectReport


def accept_reported(
    report: Report, subject: SubjectReport, baseline: Baseline, coming: Mapping[str, Coming]
) -> tuple[str, Coming]:
    """Make the coming file, and its fingerprint, of a subject that drifted; `baseline` and `coming` are what there is.

    Raises UsageError where no deciding package moved, or nothing differs from the baselines any more.
    """
    runtime = subject.runtime or ""
    laid = lay(baseline, coming, installed_with(subject.packages, runtime))
    drifted = [scenario for scenario in subject.scenarios if scenario.drifts]
    fingerprint, file = accept(
        laid,
        packages=subject.packages,
        runtime=runtime,
        # What moved here, and nothing that had moved before: else the file held before the change is merged.
        changes=report.changes,
        measured={scenario.name: recorded_in(scenario) for scenario in drifted},
        drifts=[drift for scenario in drifted for drift in scenario.drifts],
    )
    if not file.scenarios:
        raise UsageError(f"{subject.name}: the baselines hold all of this already: run the check again")
    return fingerprint, file
