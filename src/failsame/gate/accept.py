"""Accepting what a report found: it is a file, and no code of the project has to run. Pure."""

from collections.abc import Mapping

from failsame.baseline import Baseline, Coming, accept, installed_with, lay
from failsame.errors import UsageError
from failsame.gate.reference import deciding_changes, with_runtime
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
    changes = deciding_changes(
        report.changes,
        now=with_runtime(subject.packages, runtime),
        before=with_runtime(baseline.packages, baseline.runtime),
        lock=subject.lock or "",
        language=subject.language,
    )
    drifted = [scenario for scenario in subject.scenarios if scenario.drifts]
    fingerprint, file = accept(
        laid,
        packages=subject.packages,
        runtime=runtime,
        changes=changes,
        measured={scenario.name: recorded_in(scenario) for scenario in drifted},
        drifts=[drift for scenario in drifted for drift in scenario.drifts],
    )
    if not file.scenarios:
        raise UsageError(f"{subject.name}: the baselines hold all of this already: run the check again")
    return fingerprint, file
