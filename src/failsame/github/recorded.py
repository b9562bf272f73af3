"""What a run recorded, by hand or on a schedule, as a pull request: another job of the same run measured it."""

import re
from collections.abc import Iterator

from failsame.baseline import COMING, lay_out, parse_baseline
from failsame.errors import UnmeasuredError, UsageError
from failsame.github import words
from failsame.github.api import Commit
from failsame.github.committed import baselines_folder
from failsame.github.event import branch_name
from failsame.github.job import Job
from failsame.github.proposal import Proposal, propose
from failsame.github.uploaded import missing, report_of
from failsame.report import Report, markdown

_FILE = re.compile(rf"(?P<coming>{COMING}/)?(?P<subject>[a-z0-9][a-z0-9-]{{0,99}})(@[0-9a-f]{{8}})?\.json", re.ASCII)


def propose_recorded(job: Job) -> None:
    """Propose what this run recorded. Raises UsageError for what is no recording, GitHubError where GitHub refuses."""
    settings = job.settings
    base = branch_name(settings.ref)
    if base is None:
        raise UsageError(f"{settings.ref} is no branch, and baselines are recorded for one: run it on a branch")
    report = report_of(job.github, settings.run, settings.artifact, settings.report_name)
    if report is None:
        raise missing(settings.artifact, "this run")
    if report.command != "record":
        raise UnmeasuredError(f"the report of this run is one of `{report.command}`: record in a job before this one")
    files = dict(_files(report, baselines_folder(job.github, base, settings.config)))
    if not files:
        job.runner.say("Nothing to do: the baselines hold all that was recorded.")
        return
    title = f"Record how {words.failing([subject.name for subject in report.subjects])}"
    made = propose(
        job.github,
        Proposal(
            branch=f"{settings.name}/record-{base}",
            base=base,
            title=title,
            body=markdown(report),
            label=settings.baseline_label,
            commit=Commit(title, "", files),
        ),
    )
    job.runner.output("pull-request", str(made.number))
    job.runner.say(f"#{made.number} has the new baselines.")


def _files(report: Report, folder: str) -> Iterator[tuple[str, str | None]]:
    """The files as they are proposed: nothing but baselines, in their folder, in our own layout."""
    for path, text in report.written.items():
        name = _FILE.fullmatch(path.removeprefix(f"{folder}/"))
        if name is None or not path.startswith(f"{folder}/") or (text is None) != bool(name["coming"]):
            raise UsageError("the report of this run writes what is no baseline: record it again")
        baseline = None if text is None else parse_baseline(text, subject=name["subject"], where=path)
        yield path, None if baseline is None else lay_out(baseline)
