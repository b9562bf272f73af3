"""`failsame github check`: the verdict on what is checked out; on a pull request, a comment besides."""

import tempfile
from dataclasses import replace
from pathlib import Path
from shutil import copytree

from failsame.errors import ExitCode, FailsameError
from failsame.gate import Before, Options, Timing, exit_code, plan, run_record
from failsame.github.activity import Activity, activity
from failsame.github.api import ForbiddenError
from failsame.github.earlier import checked_out
from failsame.github.ending import failures_told, remark, tell
from failsame.github.event import PullRequest
from failsame.github.job import Job, Measure
from failsame.github.judge import judge
from failsame.github.say import say
from failsame.pins import Tree
from failsame.report import Report


def check(job: Job, measure: Measure) -> ExitCode:
    """Judge, or record, what is checked out. Raises UsageError, UnmeasuredError or GitHubError where that cannot be."""
    with failures_told(job):
        what = activity("check", job.settings.event, job.payload, accept_label=job.settings.accept_label)
        if what is Activity.NOTHING:
            job.runner.say(f"Nothing to do on {job.settings.event} {job.payload.action}.")
            return ExitCode.SAME
        report = record(job, measure) if what is Activity.RECORD else judge(job, what, measure).report
        tell(job, report)
    if what is Activity.JUDGE_PULL and job.payload.pull_request is not None:
        comment(job, job.payload.pull_request, report)
    return exit_code(report)


def comment(job: Job, pull: PullRequest, report: Report) -> None:
    """Comment on the pull request. Whatever comes of it, the verdict stands."""
    fresh = job.payload.action == "opened" and job.settings.attempt == 1
    try:
        said = say(job.github, job.settings, pull, report, fresh=fresh)
    except ForbiddenError as error:
        # To be expected of a fork's run, and of Dependabot's, where another workflow comments.
        remark(job, f"{error}. The summary of this run says it all")
    except FailsameError as error:
        remark(job, f"{error}. The summary of this run says it all", warn=True)
    else:
        job.runner.output("comment-url", said.url or "")
        job.runner.say(f"The comment: {said.url}" if said.url else said.why)


def record(job: Job, measure: Measure) -> Report:
    """Measure everything and write down what is new, into the report alone: another job proposes it."""
    folder, commit = job.settings.workspace.resolve(), checked_out(job.settings)
    config = folder / job.settings.config if job.settings.config else None
    planned = plan(Options(folder=folder, config=config, before=Before(Tree(folder), base=commit, commit=commit)))
    with tempfile.TemporaryDirectory(prefix="failsame-") as scratch:
        copy = Path(scratch) / planned.shown_baselines
        if planned.baselines.is_dir():
            copytree(planned.baselines, copy)
        aside = replace(planned, baselines=copy)
        done = measure(lambda progress: run_record(aside, Timing(), progress)).report
    return done.model_copy(update={"written": _new(folder, done)})


def _new(folder: Path, done: Report) -> dict[str, str | None]:
    """What differs from what is committed."""
    return {path: text for path, text in done.written.items() if text is None or not _holds(folder / path, text)}


def _holds(file: Path, text: str) -> bool:
    return file.is_file() and file.read_bytes() == text.encode()
