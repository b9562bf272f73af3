"""Everything the action says besides a report, in one or two lines of Markdown. Pure."""

from collections.abc import Sequence

from failsame.github.activity import Author, author
from failsame.github.event import PullRequest
from failsame.github.sticky import Acceptance, State
from failsame.report import Report
from failsame.report.escape import code, message, short

_NAMED = 2

_AGAIN = {
    Author.DEPENDABOT: "; the comment `@dependabot rebase` does it, too.",
    Author.RENOVATE: "; Renovate's box to rebase, in the description, does it, too.",
    Author.FORK: ".",
    Author.PERSON: "; so it does when you update this branch.",
}


def failing(subjects: Sequence[str]) -> str:
    """Who fails, in plain text: `batch-s3 fails`, `batch-s3 and upload fail`, `12 clients fail`."""
    if len(subjects) > _NAMED or not all(map(str.isprintable, subjects)):
        return f"{len(subjects)} clients fail"
    return f"{short(' and '.join(subjects))} {'fails' if len(subjects) == 1 else 'fail'}"


def mended(state: State) -> str:
    """What is left of a comment once all is well."""
    accepted = "".join(f" {_by(each)} in #{each.pull}." for each in state.accepted)
    return f"**Your clients fail the same again.**{accepted}"


def status(state: State, report: Report, pull: PullRequest, baselines: PullRequest | None) -> str:
    """What was accepted before, where a drift is there all the same; `baselines` accept this very drift."""
    same = state.accepting(report.fingerprint)
    if same is not None and baselines is not None:
        return accepted(same, pull) if baselines.state == "open" else _too_late(same, merged=baselines.merged)
    if not state.accepted or report.fingerprint is None:
        return ""
    last = state.accepted[-1]
    return f"{_by(last)} in #{last.pull}, but that was another change: this one is new."


def accepted(acceptance: Acceptance, pull: PullRequest) -> str:
    """What follows an acceptance. No push but one to the default branch starts anything."""
    again = f"this check runs again by itself{_AGAIN[author(pull)]}" if pull.to_default else f"press {_button()}."
    return f"**{_by(acceptance)}: merge #{acceptance.pull}.** Once that is merged, {again}"


def _too_late(acceptance: Acceptance, *, merged: bool) -> str:
    """The baselines were merged, or given up, while the check ran: nothing starts it again."""
    if merged:
        return f"{_by(acceptance)}, and #{acceptance.pull} was merged while this check ran: press {_button()}."
    return f"{_by(acceptance)}, but #{acceptance.pull} was closed: reopen it, or put the label on again."


def refused(by: str, why: str) -> str:
    """Why an acceptance came to nothing."""
    return f"{code(by)} tried to accept this, and it came to nothing. {_sentence(why)}"


def again(pull: int) -> str:
    """What happens once the baselines are merged."""
    return f"{_merged(pull)} The check runs again."


def button(pull: int, *, run: str | None, why: str) -> str:
    """What a person has to do once the baselines are merged, where the check could not be run again: why not."""
    return f"{_merged(pull)} **Press {_button(run)}.** {_sentence(why)}"


def running(pull: int, *, run: str) -> str:
    """What a person may have to do, since the check ran while the baselines were merged."""
    return f"{_merged(pull)} The check runs already, perhaps without them: if it ends red, press {_button(run)}."


def no_checks(pull: int) -> str:
    """What a person has to do where a job's own token opened a pull request: GitHub starts no workflow for it."""
    return f"The checks of #{pull} do not start by themselves: close and reopen it, or pass an App's token as `token`."


def _button(run: str | None = None) -> str:
    """The button that runs a check again; `run` is the address of its run."""
    return f'"Re-run failed jobs" on {f"[the run]({run})" if run else "this check"}'


def _merged(pull: int) -> str:
    return f"The baselines of #{pull} are merged."


def _by(acceptance: Acceptance) -> str:
    return f"{code(acceptance.by)} accepted {code(acceptance.fingerprint)}"


def _sentence(text: str) -> str:
    """One of our own messages as Markdown, escaped, as a sentence."""
    return str(message(text[:1].upper() + text[1:].rstrip("."))) + "."
