"""Says what a report has to say on its pull request; nothing depends on whether that works."""

from failsame.github import sticky, words
from failsame.github.activity import author
from failsame.github.api import Repository
from failsame.github.event import PullRequest
from failsame.github.settings import Settings
from failsame.github.sticky import State
from failsame.report import Report, headline, markdown
from failsame.report.fit import FITS

MOVED_ON = "the pull request has moved on since: the comment is left to the run for its new head"


def say(github: Repository, settings: Settings, pull: PullRequest, report: Report, *, fresh: bool) -> str | None:
    """Comment on a pull request, or mend its comment; the comment's address, or None if there is nothing to say.

    `fresh` says that nobody can have commented yet. Raises GitHubError if GitHub refuses.
    """
    to_say = headline(report).alert is not None
    if fresh and not to_say:
        return None
    there = sticky.find(github, pull.number, settings.name)
    if there is None and not to_say:
        return None
    before = there.state if there is not None else State()
    state = before.model_copy(update={"fingerprint": report.fingerprint})
    text = (
        _telling(settings, pull, report, state)
        if to_say
        else sticky.compose(settings.name, state, "", words.mended(state))
    )
    return sticky.write(github, pull.number, settings.name, text, there)


def still_there(github: Repository, pull: PullRequest) -> bool:
    """Whether a pull request's head is still the one that was judged: an older run says nothing over a newer one."""
    now = github.pull(pull.number)
    return now.state == "open" and now.head.sha == pull.head.sha


def _telling(settings: Settings, pull: PullRequest, report: Report, state: State) -> str:
    status = words.status(state, report, author(pull))
    fits = FITS - sticky.overhead(settings.name, state, status)
    return sticky.compose(settings.name, state, status, markdown(report, label=settings.accept_label, fits=fits))
