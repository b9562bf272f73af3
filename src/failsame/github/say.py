"""Says what a report has to say on its pull request; nothing depends on whether that works."""

from dataclasses import dataclass

from failsame.github import sticky, words
from failsame.github.api import Repository
from failsame.github.event import PullRequest
from failsame.github.settings import Settings
from failsame.github.sticky import State
from failsame.report import Report, headline, markdown
from failsame.report.fit import FITS


@dataclass(frozen=True)
class Said:
    """The comment's address; None if nothing was said, and then `why` has the reason."""

    url: str | None
    why: str = ""


def say(github: Repository, settings: Settings, pull: PullRequest, report: Report, *, fresh: bool) -> Said:
    """Comment on a pull request, or bring its comment up to date.

    `fresh` says that nobody can have commented yet. Raises GitHubError if GitHub refuses.
    """
    to_say = headline(report).alert is not None
    there = None if fresh else sticky.find(github, pull.number, settings.name)
    if there is None and not to_say:
        return Said(None, "There is nothing to say on the pull request.")
    before = there.state if there is not None else State()
    state = before.model_copy(update={"fingerprint": report.fingerprint})
    same = state.accepting(report.fingerprint)
    baselines = github.pull(same.pull) if to_say and same is not None else None
    status = words.status(state, report, pull, baselines)
    text = _telling(settings, report, state, status) if to_say else _mended(settings, state)
    # As late as can be: a run for an older head says nothing over one for a newer.
    now = github.pull(pull.number)
    if now.state != "open" or now.head.sha != pull.head.sha:
        return Said(None, "The pull request has moved on: the comment is left to the run for its new head.")
    return Said(sticky.write(github, pull.number, settings.name, text, there))


def _telling(settings: Settings, report: Report, state: State, status: str) -> str:
    fits = FITS - sticky.overhead(settings.name, state, status)
    return sticky.compose(settings.name, state, status, markdown(report, label=settings.accept_label, fits=fits))


def _mended(settings: Settings, state: State) -> str:
    return sticky.compose(settings.name, state, "", words.mended(state))
