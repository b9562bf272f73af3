"""A repository as GitHub keeps it: commits, branches, pull requests, comments, runs. No network."""

import hashlib
import io
import json
import zipfile
from collections.abc import Mapping
from dataclasses import dataclass, field
from itertools import count
from pathlib import Path
from typing import Any

NAME = "octo-org/batch"
ACTIONS = "github-actions[bot]"


@dataclass(frozen=True)
class Identity:
    """Who a token speaks for, and what it may do."""

    login: str
    permissions: Mapping[str, str]

    def may(self, scope: str, level: str) -> bool:
        return self.permissions.get(scope) in ({"read", "write"} if level == "read" else {"write"})


@dataclass(frozen=True)
class Commit:
    sha: str
    files: Mapping[str, bytes]
    parents: tuple[str, ...]
    message: str
    author: str
    signed: bool = False


@dataclass
class Pull:
    number: int
    author: str
    head: str
    base: str
    title: str
    body: str = ""
    head_repository: str = NAME
    labels: list[str] = field(default_factory=list)
    state: str = "open"
    merged: bool = False
    merge_commit: str | None = None


@dataclass
class Comment:
    id: int
    issue: int
    author: str
    body: str


@dataclass
class Artifact:
    id: int
    name: str
    content: bytes
    expired: bool = False


@dataclass
class Run:
    id: int
    event: str
    head_sha: str
    head_branch: str
    head_repository: str
    conclusion: str | None
    attempt: int = 1
    artifacts: list[Artifact] = field(default_factory=list)
    rerun_by: list[str] = field(default_factory=list)


class Repository:
    """One repository and the forks in its network, which share its commits."""

    def __init__(self, files: Mapping[str, bytes | str]) -> None:
        self.commits: dict[str, Commit] = {}
        self.branches: dict[tuple[str, str], str] = {}
        self.pulls: dict[int, Pull] = {}
        self.comments: list[Comment] = []
        self.runs: list[Run] = []
        self.permissions: dict[str, str] = {}
        self.bots: set[str] = {ACTIONS, "dependabot[bot]", "renovate[bot]"}
        self.actions_may_open_pulls = True
        self.protected: set[str] = {"main"}
        self._numbers = count(11)
        self._ids = count(1001)
        self.branches[NAME, "main"] = self.commit(files, (), "Begin", "octocat").sha

    @property
    def tip(self) -> Commit:
        return self.commits[self.branches[NAME, "main"]]

    def commit(
        self,
        files: Mapping[str, bytes | str],
        parents: tuple[str, ...],
        message: str,
        author: str,
        *,
        signed: bool = False,
    ) -> Commit:
        content = {path: text.encode() if isinstance(text, str) else text for path, text in files.items()}
        made_of = json.dumps([sorted((path, blob(data)) for path, data in content.items()), parents, message, author])
        sha = hashlib.sha1(made_of.encode(), usedforsecurity=False).hexdigest()
        self.commits[sha] = Commit(sha, content, parents, message, author, signed)
        return self.commits[sha]

    def push(
        self,
        branch: str,
        changes: Mapping[str, bytes | str | None],
        *,
        author: str = "octocat",
        message: str = "Change",
        repository: str = NAME,
        signed: bool = False,
    ) -> str:
        """Commit changes (None removes a file) to a branch, which begins at main's tip if it is new."""
        parent = self.commits[self.branches.get((repository, branch), self.branches[NAME, "main"])]
        commit = self.commit(changed(parent.files, changes), (parent.sha,), message, author, signed=signed)
        self.branches[repository, branch] = commit.sha
        return commit.sha

    def open_pull(
        self,
        head: str,
        *,
        author: str,
        title: str = "Upgrade",
        base: str = "main",
        body: str = "",
        repository: str = NAME,
    ) -> Pull:
        pull = Pull(next(self._numbers), author, head, base, title, body, repository)
        self.pulls[pull.number] = pull
        return pull

    def head_sha(self, pull: Pull) -> str:
        return self.branches[pull.head_repository, pull.head]

    def merge(self, pull: Pull) -> str:
        """Merge a pull request into its base; the new tip."""
        sha = self.merged_tree(pull).sha
        self.branches[NAME, pull.base] = sha
        pull.state, pull.merged, pull.merge_commit = "closed", True, sha
        return sha

    def merged_tree(self, pull: Pull) -> Commit:
        """The commit that GitHub makes to test a pull request: its changes on the tip of its base."""
        tip, head = self.commits[self.branches[NAME, pull.base]], self.commits[self.head_sha(pull)]
        base = self.merge_base(tip.sha, head.sha)
        files = changed(tip.files, difference(self.commits[base].files, head.files))
        return self.commit(files, (tip.sha, head.sha), f"Merge {head.sha} into {tip.sha}", "octocat", signed=True)

    def merge_base(self, one: str, two: str) -> str:
        ancestors = self._ancestors(one)
        return next(sha for sha in self._ancestors(two) if sha in set(ancestors))

    def _ancestors(self, sha: str) -> list[str]:
        found, waiting = [], [sha]
        while waiting:
            current = waiting.pop(0)
            if current not in found:
                found.append(current)
                waiting += self.commits[current].parents
        return found

    def resolve(self, revision: str) -> str | None:
        """A branch's or a commit's full id."""
        return self.branches.get((NAME, revision.removeprefix("refs/heads/"))) or (
            revision if revision in self.commits else None
        )

    def add_comment(self, issue: int, author: str, body: str) -> Comment:
        comment = Comment(next(self._ids), issue, author, body)
        self.comments.append(comment)
        return comment

    def add_run(
        self,
        *,
        head_sha: str,
        head_branch: str,
        conclusion: str | None,
        event: str = "pull_request",
        repository: str = NAME,
    ) -> Run:
        run = Run(next(self._ids), event, head_sha, head_branch, repository, conclusion)
        self.runs.append(run)
        return run

    def upload(self, run: Run, name: str, content: bytes | Mapping[str, bytes]) -> Artifact:
        """Add an artifact to a run: files, or the archive itself."""
        artifact = Artifact(next(self._ids), name, content if isinstance(content, bytes) else zipped(content))
        run.artifacts.append(artifact)
        return artifact

    def check_out(self, sha: str, folder: Path) -> None:
        """Write a commit's files as actions/checkout does, with a detached HEAD."""
        for path, content in self.commits[sha].files.items():
            file = folder / path
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_bytes(content)
        (folder / ".git").mkdir(exist_ok=True)
        (folder / ".git" / "HEAD").write_text(f"{sha}\n")


def changed(files: Mapping[str, bytes], changes: Mapping[str, Any]) -> dict[str, bytes | str]:
    """Files with changes laid over them; None removes one."""
    return {path: content for path, content in {**files, **changes}.items() if content is not None}


def difference(before: Mapping[str, bytes], after: Mapping[str, bytes]) -> dict[str, bytes | None]:
    """What turns one tree into the other."""
    return {path: after.get(path) for path in {**before, **after} if before.get(path) != after.get(path)}


def blob(content: bytes) -> str:
    """Git's id of a file's content."""
    return hashlib.sha1(b"blob %d\0" % len(content) + content, usedforsecurity=False).hexdigest()


def zipped(files: Mapping[str, bytes]) -> bytes:
    """An archive as upload-artifact makes it."""
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in files.items():
            archive.writestr(name, content)
    return buffer.getvalue()
