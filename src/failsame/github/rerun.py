"""After a pull request with baselines is merged: the check that waited for them runs again, or a comment says how."""

import re
from collections.abc import Iterator

from failsame.errors import FailsameError, UnmeasuredError
from failsame.github import sticky, words
from failsame.github.accepting import last_check
from failsame.github.api import GitHubError
from failsame.github.ending import remark
from failsame.github.event import PullRequest
from failsame.github.job import Job

_MARKER = re.compile(r"<!-- failsame:accepts name=([a-z0-9-]+) pull=(\d{1,9}) -->", re.ASCII)
_MOST_COMMITS = 20


def rerun(job: Job) -> None:
    """Run again what a merge to the default branch was waited for. Raises GitHubError where GitHub cannot be asked."""
    waiting = list(dict.fromkeys(_waiting(job)))
    if not waiting:
        job.runner.say("Nothing to do: no check waited for what was merged.")
    failed: GitHubError | None = None
    for number, baselines in waiting:
        try:
            pull = job.github.pull(number)
            if pull.state == "open":
                _run_again(job, pull, baselines)
        except GitHubError as error:  # the others wait, too
            remark(job, f"#{number} waited for #{baselines}: {error}", warn=True)
            failed = error
    if failed is not None:
        raise failed


def _waiting(job: Job) -> Iterator[tuple[int, int]]:
    """The pull requests that waited, each with the one whose baselines were merged."""
    commits = [each.id for each in job.payload.commits][-_MOST_COMMITS:]
    for commit in dict.fromkeys([job.settings.sha, *commits]):
        for merged in job.github.pulls_of(commit):
            marker = _MARKER.match(merged.body or "")
            ours = merged.head.ref.startswith(f"{job.settings.name}/") and not merged.from_fork
            if marker and ours and marker[1] == job.settings.name and merged.labelled(job.settings.baseline_label):
                yield int(marker[2]), merged.number


def _run_again(job: Job, pull: PullRequest, baselines: int) -> None:
    status = _started(job, pull, baselines)
    if status is None:
        return
    try:
        there = sticky.find(job.github, pull.number, job.settings.name)
        if there is not None:
            text = sticky.compose(job.settings.name, there.state, status, there.report)
            sticky.write(job.github, pull.number, job.settings.name, text, there)
    except FailsameError as refused:
        remark(job, str(refused), warn=True)


def _started(job: Job, pull: PullRequest, baselines: int) -> str | None:
    """Run the check again, if it is red: what the comment has to say of it."""
    about = f"#{pull.number} waited for #{baselines}"
    run: str | None = None
    try:
        check, _ = last_check(job, pull)
        run = check.html_url
        if check.conclusion is None:
            job.runner.say(f"{about}: its check runs already")
            return words.running(baselines, run=run)
        if check.conclusion == "success":
            job.runner.say(f"{about}: its check is not red")
            return None
        job.github.rerun_failed(check.id)
    except (GitHubError, UnmeasuredError) as error:
        remark(job, f"{about}: {error}", warn=True)
        return words.button(baselines, run=run, why=str(error))
    job.runner.say(f"{about}: its check runs again")
    return words.again(baselines)
