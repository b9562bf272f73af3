"""Judges what is checked out: finds whether anything that is watched changed, and if so measures it."""

import tempfile
from dataclasses import dataclass, replace
from pathlib import Path

from failsame import __version__
from failsame.gate import Before, Options, Plan, Timing, plan, run_check, unguarded
from failsame.github import standing
from failsame.github.activity import Activity
from failsame.github.api import Comparison
from failsame.github.earlier import Earlier, checked_out, compared
from failsame.github.job import Job, Measure
from failsame.github.watching import to_measure
from failsame.report import Report
from failsame.report.verdicts import NOBODY
from failsame.suite import SUITE

NOTHING = "Nothing that failsame watches changed: no lock file, configuration, client file or baseline."


@dataclass(frozen=True)
class Judged:
    """A report, and why its subjects were measured: subject -> reason. Nothing was measured where there is none."""

    report: Report
    reasons: dict[str, str]


def judge(job: Job, activity: Activity, measure: Measure) -> Judged:
    """Judge the change that is checked out. Raises UsageError, UnmeasuredError or GitHubError where that cannot be."""
    comparison = compared(job.payload, activity, checked_out(job.settings), job.github)
    planned = planned_for(job, comparison)
    reasons = to_measure(planned, comparison, settings=job.settings)
    if not reasons:
        return Judged(_nothing(planned), {})
    for subject, reason in reasons.items():
        job.runner.say(f"{subject}: measured, since {reason}")
    chosen = replace(planned, subjects=tuple(each for each in planned.subjects if each.name in reasons))
    if activity is not Activity.JUDGE_PULL or job.payload.pull_request is None:
        return Judged(measure(lambda progress: run_check(chosen, Timing(), progress)), reasons)
    with tempfile.TemporaryDirectory(prefix="failsame-") as scratch:
        baselines = Path(scratch) / planned.shown_baselines
        baselines.mkdir(parents=True)
        standing.lay_out(
            planned.shown_baselines,
            workspace=planned.folder,
            branch=job.payload.pull_request.base.ref,
            comparison=comparison,
            github=job.github,
            into=baselines,
        )
        against = replace(chosen, baselines=baselines)
        return Judged(measure(lambda progress: run_check(against, Timing(), progress)), reasons)


def planned_for(job: Job, comparison: Comparison) -> Plan:
    """What the workspace holds, and what moved since the merge base."""
    workspace = job.settings.workspace.resolve()
    earlier = Earlier(job.github, comparison, workspace)
    config = workspace / job.settings.config if job.settings.config else None
    before = Before(earlier, base=comparison.base, commit=comparison.head, paths=comparison.paths)
    return plan(Options(folder=workspace, config=config, before=before))


def _nothing(planned: Plan) -> Report:
    return Report(
        suite=SUITE,
        failsame=__version__,
        command="check",
        mode=planned.mode,
        verdict="same",
        commit=planned.commit,
        base=planned.base,
        clock="real",
        horizon=0,
        changes=planned.all_changes,
        notes=(NOTHING if planned.subjects else NOBODY,),
        unguarded=unguarded(planned, ()) if not planned.subjects else (),
    )
