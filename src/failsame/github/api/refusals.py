"""GitHub's refusals in one line each, with the setting or the YAML that mends them: a table."""

import re
from dataclasses import dataclass
from typing import Literal

from failsame.errors import FailsameError
from failsame.text import printable

Level = Literal["read", "write"]


class GitHubError(FailsameError):
    """GitHub did not do what was asked. `status` is its answer's; None if it gave none."""

    def __init__(self, what: str, status: int | None = None) -> None:
        super().__init__(what)
        self.status = status


class ForbiddenError(GitHubError):
    """The token lacks a right: to be expected of a fork's run, and of Dependabot's."""


@dataclass(frozen=True)
class Scope:
    """A permission of a job's token, as a workflow writes it."""

    name: Literal["actions", "contents", "metadata", "pull-requests"]
    level: Level

    @property
    def yaml(self) -> str:
        """What grants it."""
        return f"permissions: {{{self.name}: {self.level}}}"


@dataclass(frozen=True)
class _Row:
    status: int
    pattern: str
    """Found in GitHub's message; case does not matter."""
    remedy: str
    forbidden: bool = False


_SETTINGS = "in the repository's Settings"

_TABLE = (
    _Row(401, "", "pass `token: ${{ github.token }}`, or a token that has not expired"),
    _Row(
        403,
        "not permitted to create or approve pull requests",
        f'tick "Allow GitHub Actions to create and approve pull requests" {_SETTINGS} > Actions > General, or pass '
        "the token of an App as `token`",
    ),
    _Row(
        403,
        "not accessible by|must have|read-only",
        "give the job `{yaml}`; a run for a fork or for Dependabot may have no more than reading",
        forbidden=True,
    ),
    _Row(
        403, "cannot be retried|already running", "it is older than a month, or runs already: push to the branch again"
    ),
    _Row(403, "saml|sso", "authorize the token for the organization's single sign-on"),
    _Row(403, "", "give the job `{yaml}`", forbidden=True),
    _Row(404, "", "it is not there, or the token may not see it: give the job `{yaml}`"),
    _Row(409, "", "somebody else changed it meanwhile: run it again"),
    _Row(410, "", "it is gone for good: run the check again"),
    _Row(
        422,
        "rule violation|protected|changes must be made|cannot update this",
        f"a rule protects the branch: let the action's branches (`{{instance}}/**`) pass {_SETTINGS} > Rules",
    ),
    _Row(422, "", "that is a fault of failsame: report it with this line"),
)
_LATER = "GitHub is in trouble: run it again later, https://www.githubstatus.com tells when"


def refusal(status: int, message: str, *, what: str, scope: Scope, instance: str) -> GitHubError:
    """Make the error for an answer. `what` completes "GitHub did not …"; `message` is GitHub's, and quoted short."""
    said = f": {printable(message)[:200]}" if message else ""
    row = next((row for row in _TABLE if row.status == status and re.search(row.pattern, message, re.IGNORECASE)), None)
    remedy = row.remedy.replace("{yaml}", scope.yaml).replace("{instance}", instance) if row else _LATER
    kind = ForbiddenError if row is not None and row.forbidden else GitHubError
    return kind(f"GitHub did not {what} ({status}{said}): {remedy}", status)
