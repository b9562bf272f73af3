"""A pull request with baselines: one commit, signed by GitHub, on a branch of the action's own.

Every step may have been done by a run before, or is done by one beside this one: each looks first, and none undoes.
"""

from dataclasses import dataclass

from failsame.github.api import Commit, GitHubError, Repository
from failsame.github.event import PullRequest

_CONFLICT, _INVALID = 409, 422
_TRIES = 3


@dataclass(frozen=True)
class Proposal:
    """What is proposed: files (path -> content, None where one goes) for a branch, and how that is said."""

    branch: str
    base: str
    title: str
    body: str
    label: str
    commit: Commit


def propose(github: Repository, proposal: Proposal) -> PullRequest:
    """Open the pull request, or bring the one that is open up to date. Raises GitHubError where that is refused."""
    head = f"{github.name.partition('/')[0]}:{proposal.branch}"
    there = next(github.open_pulls(head=head, base=proposal.base), None)
    _committed(github, proposal, is_open=there is not None)
    if there is None:
        there = _opened(github, proposal, head)
    github.add_label(there.number, proposal.label)
    return there


def _committed(github: Repository, proposal: Proposal, *, is_open: bool) -> None:
    tip = _begun(github, proposal, is_open=is_open)
    for left in range(_TRIES, 0, -1):
        missing = {
            path: content
            for path, content in proposal.commit.files.items()
            if github.file(path, tip) != (None if content is None else content.encode())
        }
        if not missing:
            return
        try:
            github.commit(proposal.branch, tip, Commit(proposal.commit.headline, proposal.commit.body, missing))
        except GitHubError as error:
            moved = github.branch(proposal.branch) if error.status == _CONFLICT and left > 1 else None
            if moved is None:
                raise
            tip = moved
        else:
            return


def _begun(github: Repository, proposal: Proposal, *, is_open: bool) -> str:
    """The tip of the branch, which begins at the base's. What is left of a pull request that is closed is put aside."""
    base, tip = github.branch(proposal.base), github.branch(proposal.branch)
    if base is None:
        raise GitHubError(f"there is no branch {proposal.base} to propose baselines for: run it again")
    if tip is None:
        try:
            github.make_branch(proposal.branch, base)
        except GitHubError as error:
            tip = github.branch(proposal.branch) if error.status == _INVALID else None
            if tip is None:
                raise
        return tip or base
    if not is_open and tip != base:
        github.reset_branch(proposal.branch, base)
        return base
    return tip


def _opened(github: Repository, proposal: Proposal, head: str) -> PullRequest:
    try:
        return github.open_pull(head=proposal.branch, base=proposal.base, title=proposal.title, body=proposal.body)
    except GitHubError as error:
        there = next(github.open_pulls(head=head, base=proposal.base), None) if error.status == _INVALID else None
        if there is None:
            raise
        return there
