"""`failsame github comment`: comments on a pull request that another workflow judged, without rights of its own there.

It runs on `workflow_run`, with rights, after code that nobody has reviewed. So it runs none of that code and believes
none of its words: which pull request it is about is GitHub's to say, and the report is read as a stranger's.
"""

from failsame.errors import ExitCode
from failsame.github.activity import Activity, activity
from failsame.github.ending import failures_told, remark
from failsame.github.event import PullRequest, WorkflowRun
from failsame.github.job import Job
from failsame.github.say import say
from failsame.github.uploaded import report_of


def comment(job: Job) -> ExitCode:
    """Comment on the pull request of the run that ended. Raises UsageError, GitHubError, UnusableError."""
    settings, run = job.settings, job.payload.workflow_run
    with failures_told(job):
        what = activity("comment", settings.event, job.payload, accept_label=settings.accept_label)
        if what is Activity.NOTHING or run is None or run.event != "pull_request":
            job.runner.say("Nothing to do: that run judged no pull request.")
            return ExitCode.SAME
        pulls = judged_by(job, run)
        if len(pulls) != 1:
            job.runner.say(f"Nothing to do: {len(pulls)} open pull requests have the head that was judged.")
            return ExitCode.SAME
        report = report_of(job.github, run.id, settings.artifact, settings.report_name)
        if report is None:
            remark(job, f"the run uploaded no `{settings.artifact}`, so there is nothing to say: its log says why")
            return ExitCode.SAME
        said = say(job.github, settings, pulls[0], report, fresh=False)
        job.runner.output("comment-url", said.url or "")
        job.runner.output("pull-request", str(pulls[0].number))
        job.runner.say(f"The comment: {said.url}" if said.url else said.why)
    return ExitCode.SAME


def judged_by(job: Job, run: WorkflowRun) -> list[PullRequest]:
    """The open pull requests to this repository whose head is what a run judged."""
    home = run.head_repository.full_name if run.head_repository else None
    if home is None or run.head_branch is None:  # the fork is gone
        return []
    head = f"{home.partition('/')[0]}:{run.head_branch}"
    return [
        pull
        for pull in job.github.open_pulls(head=head)
        if pull.head.sha == run.head_sha
        and pull.head.repo is not None
        and pull.head.repo.full_name == home
        and pull.base.repo is not None
        and pull.base.repo.full_name == job.settings.repository
    ]
