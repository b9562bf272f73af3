"""Everything the action says besides a report, in one or two lines of Markdown. Pure."""

from collections.abc import Sequence

from failsame.github.activity import Author
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


def status(state: State, report: Report, author: Author) -> str:
    """What was accepted before, where a drift is there all the same."""
    if not state.accepted or report.fingerprint is None:
        return ""
    same = next((each for each in state.accepted if each.fingerprint == report.fingerprint), None)
    if same is not None:
        return accepted(same, author)
    last = state.accepted[-1]
    return f"{_by(last)} in #{last.pull}, but that was another change: this one is new."


def accepted(acceptance: Acceptance, author: Author) -> str:
    """What follows an acceptance."""
    after = f"Once that is merged, this check runs again by itself{_AGAIN[author]}"
    return f"**{_by(acceptance)}: merge #{acceptance.pull}.** {after}"


def refused(by: str, why: str) -> str:
    """Why an acceptance came to nothing."""
    return f"{code(by)} tried to accept this, and it came to nothing. {_sentence(why)}"


def again(pull: int, *, run: str, error: str | None) -> str:
    """What happens once the baselines are merged; `error` says why the check could not be run again."""
    merged = f"The baselines of #{pull} are merged."
    if error is None:
        return f"{merged} The check runs again."
    return f'{merged} **Press "Re-run failed jobs" on [the run]({run}).** {_sentence(error)}'


def no_checks(pull: int) -> str:
    """What a person has to do where a job's own token opened a pull request: GitHub starts no workflow for it."""
    return f"The checks of #{pull} do not start by themselves: close and reopen it, or pass an App's token as `token`."


def _by(acceptance: Acceptance) -> str:
    return f"{code(acceptance.by)} accepted {code(acceptance.fingerprint)}"


def _sentence(text: str) -> str:
    """One of our own messages as Markdown, escaped, as a sentence."""
    return str(message(text[:1].upper() + text[1:].rstrip("."))) + "."
