"""The one comment on a pull request: found again by its author and a marker that no text can forge.

The marker is the first thing in the comment, and whatever stands behind it has every `<` escaped. It holds the instance
and a state of its own. Two instances have two comments; several comments of one, after a race, are as one: the first.
"""

import base64
import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Annotated

from pydantic import Field, ValidationError

from failsame.github.api import Comment, GitHubError, Repository
from failsame.model import Model

ACTIONS = "github-actions[bot]"
"""Who comments with a job's own token; nobody else can."""

_MARKER = re.compile(r"<!-- failsame:comment name=([a-z0-9-]+) state=([A-Za-z0-9_=-]*) -->\r?\n", re.ASCII)
_REPORT = "<!-- failsame:report -->"


Fingerprint = Annotated[str, Field(pattern=r"^[0-9a-f]{8}$")]


class Acceptance(Model):
    """A person's acceptance: who, of which drift, and the pull request with the baselines."""

    by: str
    fingerprint: Fingerprint
    pull: int


class State(Model):
    """What a comment remembers: the fingerprint of the drift it tells of, and what was accepted."""

    fingerprint: Fingerprint | None = None
    accepted: tuple[Acceptance, ...] = ()

    def accepting(self, fingerprint: str | None) -> Acceptance | None:
        """The acceptance of this very drift."""
        return next((each for each in self.accepted if each.fingerprint == fingerprint), None)


@dataclass(frozen=True)
class Sticky:
    """A comment that is there, in its parts: a line or two on what happens, and the report."""

    id: int
    url: str
    state: State
    status: str
    report: str


def compose(name: str, state: State, status: str, report: str) -> str:
    """Put a comment's text together."""
    held = base64.urlsafe_b64encode(state.model_dump_json().encode()).decode()
    parts = (f"<!-- failsame:comment name={name} state={held} -->", status.strip(), _REPORT, report.strip())
    return "\n\n".join(filter(None, parts)) + "\n"


def overhead(name: str, state: State, status: str) -> int:
    """The bytes that a comment takes besides its report."""
    return len(compose(name, state, status, "").encode()) + len("\n\n")


def find(github: Repository, pull: int, name: str) -> Sticky | None:
    """Find the comment of an instance, over all pages; None if there is none."""
    return next(_marked(github, pull, name), None)


def _marked(github: Repository, pull: int, name: str) -> Iterator[Sticky]:
    known = {ACTIONS}
    for comment in github.comments(pull):
        marker = _MARKER.match(comment.body or "")
        if marker is None or marker[1] != name or comment.user is None:
            continue
        if comment.user.login not in known and len(known) == 1:
            # Only now: a job's own token, which most use, needs no question.
            known.add(github.viewer())
        if comment.user.login in known:
            yield _taken_apart(comment, marker)


def _taken_apart(comment: Comment, marker: re.Match[str]) -> Sticky:
    try:
        state = State.model_validate_json(base64.urlsafe_b64decode(marker[2]))
    except (ValueError, ValidationError):  # somebody edited it
        state = State()
    status, _, report = marker.string[marker.end() :].partition(_REPORT)
    return Sticky(comment.id, comment.html_url, state, status.strip(), report.strip())


def write(github: Repository, pull: int, name: str, text: str, there: Sticky | None) -> str:
    """Write the comment's text, in place where it is there; its address."""
    if there is not None:
        return github.edit_comment(there.id, text).html_url
    try:
        return github.add_comment(pull, text).html_url
    except GitHubError as error:
        # The answer may have been lost, and not the comment.
        made = find(github, pull, name) if error.status is None or error.status >= 500 else None  # noqa: PLR2004
        if made is None:
            raise
        return made.url
