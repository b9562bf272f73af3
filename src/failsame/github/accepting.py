"""A label on an upgrade: who put it on, what it accepts, and the pull request that follows."""

from collections.abc import Iterator, Mapping

from failsame.baseline import lay_out
from failsame.errors import FailsameError, UnmeasuredError, UsageError
from failsame.gate import accept_reported
from failsame.github import sticky, words
from failsame.github.api import Artifact, Commit
from failsame.github.committed import baseline_of, baselines_folder, coming_of
from failsame.github.ending import remark
from failsame.github.event import PullRequest, WorkflowRun
from failsame.github.job import Job
from failsame.github.proposal import Proposal, propose
from failsame.github.sticky import ACTIONS, Acceptance, State, Sticky
from failsame.github.uploaded import fetched, missing
from failsame.report import Report, accepted_page

_MARKER = "<!-- failsame:accepts name={name} pull={pull} -->"


def accept_label(job: Job) -> None:
    """Accept what the label is on. Whoever may not do so gets no answer, whoever may gets one on the pull request."""
    asked, sender, label = job.payload.pull_request, job.payload.sender, job.payload.label
    if asked is None or sender is None or label is None or sender.is_bot:
        job.runner.say("Nothing to do: a label that a program puts on accepts nothing.")
        return
    pull = job.github.pull(asked.number)
    if not pull.labelled(job.settings.accept_label):
        job.runner.say(f"Nothing to do: the label {job.settings.accept_label} is off again.")
        return
    if not job.github.may_write(sender.login):
        job.runner.say(f"Nothing to do: {sender.login} may not write here, so the label accepts nothing.")
        return
    there: Sticky | None = None
    try:
        there = sticky.find(job.github, pull.number, job.settings.name)
        _accept(job, pull, asked, sender.login, there)
    except FailsameError as error:
        _answer(job, pull, there, words.refused(sender.login, str(error)), None)
        raise
    finally:
        job.github.remove_label(pull.number, label.name)


def _accept(job: Job, pull: PullRequest, asked: PullRequest, login: str, there: Sticky | None) -> None:
    if pull.state != "open" or pull.head.sha != asked.head.sha:
        raise UsageError("the pull request has changed since the label was put on: look again, and put it on again")
    run, artifact = last_check(job, pull)
    report = fetched(job.github, artifact, run.id, job.settings.report_name)
    if report.fingerprint is None:
        raise UsageError("the last check found nothing to accept: its comment or its log says what it found")
    # What was accepted is what a person could read here: a run may upload another report meanwhile.
    if there is None:
        raise UsageError(
            "no comment here says what would be accepted: let the check comment, or hardened-comment.yml for it, and "
            "put the label on again"
        )
    if there.state.fingerprint != report.fingerprint:
        raise UsageError("the comment here is not of the last check: wait until it says the same, and accept that")
    folder = baselines_folder(job.github, pull.base.ref, job.settings.config)
    files = dict(_files(job, report, pull.base.ref, folder))
    acceptance = Acceptance(by=login, fingerprint=report.fingerprint, pull=0)
    made = propose(job.github, _proposal(job, pull, report, acceptance, files))
    acceptance = acceptance.model_copy(update={"pull": made.number})
    job.runner.output("pull-request", str(made.number))
    job.runner.output("fingerprint", report.fingerprint)
    status = words.accepted(acceptance, pull)
    if made.user is not None and made.user.login == ACTIONS:
        status = f"{status} {words.no_checks(made.number)}"
    _answer(job, pull, there, status, acceptance)


def last_check(job: Job, pull: PullRequest) -> tuple[WorkflowRun, Artifact]:
    """The last run that judged a pull request's head, and the report it uploaded, which may have expired.

    Raises UnmeasuredError.
    """
    home = pull.head.repo
    for run in job.github.runs(pull.head.sha):
        if home is None or run.head_repository is None or run.head_repository.full_name != home.full_name:
            continue
        if uploaded := job.github.artifacts(run.id, job.settings.artifact):
            return run, uploaded[0]
    raise missing(job.settings.artifact, f"#{pull.number}")


def _files(job: Job, report: Report, branch: str, folder: str) -> Iterator[tuple[str, str]]:
    """The coming files, path and content, of every subject that drifted."""
    drifted = [subject for subject in report.subjects if subject.verdict == "drift" and not subject.informational]
    if not drifted:
        raise UnmeasuredError("no recorded subject drifted, so there is nothing to accept: record them first")
    for subject in drifted:
        baseline = baseline_of(job.github, branch, folder, subject.name)
        coming = coming_of(job.github, branch, folder, subject.name)
        fingerprint, file = accept_reported(report, subject, baseline, coming)
        yield f"{folder}/coming/{subject.name}@{fingerprint}.json", lay_out(file)


def _proposal(
    job: Job, pull: PullRequest, report: Report, acceptance: Acceptance, files: Mapping[str, str]
) -> Proposal:
    names = [subject.name for subject in report.subjects if subject.verdict == "drift" and not subject.informational]
    title = f"Accept how {words.failing(names)} after #{pull.number}"
    body = accepted_page(report, by=acceptance.by, pull=pull.number)
    return Proposal(
        branch=f"{job.settings.name}/accept-{pull.number}-{acceptance.fingerprint}",
        base=pull.base.ref,
        title=title,
        body=f"{_MARKER.format(name=job.settings.name, pull=pull.number)}\n\n{body}",
        label=job.settings.baseline_label,
        commit=Commit(title, f"Accepted by {acceptance.by} in #{pull.number}.", files),
    )


def _answer(job: Job, pull: PullRequest, there: Sticky | None, status: str, acceptance: Acceptance | None) -> None:
    """Say what came of it, above the report. That this fails changes nothing."""
    state = there.state if there is not None else State()
    if acceptance is not None and acceptance not in state.accepted:
        state = state.model_copy(update={"accepted": (*state.accepted, acceptance)})
    text = sticky.compose(job.settings.name, state, status, there.report if there is not None else "")
    try:
        sticky.write(job.github, pull.number, job.settings.name, text, there)
    except FailsameError as error:
        remark(job, str(error), warn=True)
