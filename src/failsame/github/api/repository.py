"""The repository on GitHub, in the words of this program: each question and each change is one method."""

import base64
from collections.abc import Iterator
from typing import Any, Final
from urllib.parse import quote

from failsame.github.api.client import Client
from failsame.github.api.model import Artifact, Comment, Commit, Comparison, Folder, Viewer
from failsame.github.api.refusals import GitHubError, Scope
from failsame.github.event import PullRequest, WorkflowRun, read

_LISTED: Final = 300
"""Files of a comparison; of more GitHub lists just as many."""

_CONTENTS, _CONTENTS_WRITE = Scope("contents", "read"), Scope("contents", "write")
_PULLS, _PULLS_WRITE = Scope("pull-requests", "read"), Scope("pull-requests", "write")
_ACTIONS, _ACTIONS_WRITE = Scope("actions", "read"), Scope("actions", "write")
_METADATA = Scope("metadata", "read")

_VIEWER = "query { viewer { login } }"
_COMMIT = """
mutation($input: CreateCommitOnBranchInput!) {
  createCommitOnBranch(input: $input) { commit { oid } }
}
"""


class Repository:
    """One repository. Raises GitHubError for all that fails."""

    def __init__(self, client: Client, name: str) -> None:
        self._client = client
        self.name = name

    def compare(self, base: str, head: str) -> Comparison:
        """What `head` changed since it left `base`; both are commits or branches."""
        what = "compare with the base branch"
        path = f"compare/{quote(base, safe='/')}...{quote(head, safe='/')}"
        found = self._client.get(path, _CONTENTS, what, {"per_page": 1})
        files = found.get("files") or []
        paths = {path for file in files for path in (file["filename"], file.get("previous_filename")) if path}
        return Comparison(
            base=found["merge_base_commit"]["sha"],
            head=head,
            paths=frozenset(paths) if len(files) < _LISTED else None,
        )

    def file(self, path: str, revision: str) -> bytes | None:
        """A file's content at a commit or branch; None where there is none. Links are followed by GitHub."""
        return self._client.raw(f"contents/{quote(path)}", _CONTENTS, f"give {path}", {"ref": revision})

    def folder(self, path: str, revision: str) -> Folder:
        """What lies right in a folder ("" is the root); nothing where there is no folder."""
        what = f"list {path or 'the root'}"
        try:
            entries = self._client.get(f"contents/{quote(path)}", _CONTENTS, what, {"ref": revision})
        except GitHubError as error:
            if error.status == 404:  # noqa: PLR2004 - not found
                return Folder()
            raise
        if not isinstance(entries, list):  # a file
            return Folder()
        return Folder(
            files={each["name"]: each["sha"] for each in entries if each["type"] == "file"},
            folders=tuple(sorted(each["name"] for each in entries if each["type"] == "dir")),
        )

    def pull(self, number: int) -> PullRequest:
        """A pull request as it is now."""
        what = f"tell about pull request #{number}"
        return read(PullRequest, self._client.get(f"pulls/{number}", _PULLS, what), "the pull request")

    def open_pulls(self, *, head: str, base: str | None = None) -> Iterator[PullRequest]:
        """The open pull requests from `owner:branch`."""
        asked = {"state": "open", "head": head} | ({"base": base} if base else {})
        return self._pulls("pulls", asked)

    def pulls_of(self, commit: str) -> Iterator[PullRequest]:
        """The pull requests that brought a commit."""
        return self._pulls(f"commits/{commit}/pulls", {})

    def _pulls(self, path: str, asked: dict[str, str]) -> Iterator[PullRequest]:
        for each in self._client.pages(path, _PULLS, "list pull requests", asked):
            yield read(PullRequest, each, "a pull request")

    def open_pull(self, *, head: str, base: str, title: str, body: str) -> PullRequest:
        """Open a pull request. One that is there already is refused (422), so that asking again does no harm."""
        asked = {"head": head, "base": base, "title": title, "body": body}
        return read(
            PullRequest,
            self._client.send("POST", "pulls", _PULLS_WRITE, "open a pull request", asked),
            "the pull request",
        )

    def comments(self, pull: int) -> Iterator[Comment]:
        """All comments of a pull request, oldest first."""
        for each in self._client.pages(f"issues/{pull}/comments", _PULLS, "list comments"):
            yield read(Comment, each, "a comment")

    def add_comment(self, pull: int, body: str) -> Comment:
        """Comment. Not repeated by itself: a lost answer may hide a comment that is there."""
        path, asked = f"issues/{pull}/comments", {"body": body}
        return read(
            Comment, self._client.send("POST", path, _PULLS_WRITE, "comment", asked, repeatable=False), "the comment"
        )

    def edit_comment(self, comment: int, body: str) -> Comment:
        """Replace a comment's text."""
        path = f"issues/comments/{comment}"
        return read(Comment, self._client.send("PATCH", path, _PULLS_WRITE, "comment", {"body": body}), "the comment")

    def add_label(self, pull: int, label: str) -> None:
        """Put a label on; GitHub makes one that it does not know."""
        self._client.send(
            "POST", f"issues/{pull}/labels", _PULLS_WRITE, f"put on the label {label}", {"labels": [label]}
        )

    def remove_label(self, pull: int, label: str) -> None:
        """Take a label off; one that is not there is off."""
        try:
            path = f"issues/{pull}/labels/{quote(label, safe='')}"
            self._client.send("DELETE", path, _PULLS_WRITE, f"take off the label {label}")
        except GitHubError as error:
            if error.status != 404:  # noqa: PLR2004 - not found
                raise

    def may_write(self, login: str) -> bool:
        """Whether a person may push: the roles write, maintain and admin."""
        path = f"collaborators/{quote(login, safe='')}/permission"
        found = self._client.get(path, _METADATA, f"tell what {login} may do")
        return found["permission"] in {"write", "admin"}  # GitHub tells maintain as write here

    def runs(self, commit: str) -> Iterator[WorkflowRun]:
        """The runs for a pull request's head commit, newest first."""
        asked = {"head_sha": commit, "event": "pull_request"}
        for each in self._client.pages("actions/runs", _ACTIONS, "list runs", asked, key="workflow_runs"):
            yield read(WorkflowRun, each, "a run")

    def artifacts(self, run: int, name: str) -> list[Artifact]:
        """What a run uploaded under a name, newest first, what has expired last: each attempt uploads one."""
        path, asked = f"actions/runs/{run}/artifacts", {"name": name}
        found = [
            read(Artifact, each, "an artifact")
            for each in self._client.pages(path, _ACTIONS, "list artifacts", asked, key="artifacts")
        ]
        return sorted(found, key=lambda each: (each.expired, -each.id))

    def archive(self, artifact: int, *, largest: int) -> bytes:
        """An artifact's archive, of at most `largest` bytes."""
        return self._client.download(f"actions/artifacts/{artifact}/zip", _ACTIONS, "give the report", largest=largest)

    def rerun_failed(self, run: int) -> None:
        """Run again what failed in a run."""
        self._client.send(
            "POST", f"actions/runs/{run}/rerun-failed-jobs", _ACTIONS_WRITE, "run it again", repeatable=False
        )

    def branch(self, name: str) -> str | None:
        """A branch's tip; None if there is no such branch."""
        try:
            found = self._client.get(f"git/ref/heads/{quote(name)}", _CONTENTS, f"tell about {name}")
        except GitHubError as error:
            if error.status == 404:  # noqa: PLR2004 - not found
                return None
            raise
        return str(found["object"]["sha"])

    def make_branch(self, name: str, commit: str) -> None:
        """Begin a branch; raises GitHubError (422) if it is there."""
        asked = {"ref": f"refs/heads/{name}", "sha": commit}
        self._client.send("POST", "git/refs", _CONTENTS_WRITE, f"make the branch {name}", asked)

    def reset_branch(self, name: str, commit: str) -> None:
        """Put a branch to a commit, whatever it held."""
        asked = {"sha": commit, "force": True}
        self._client.send("PATCH", f"git/refs/heads/{quote(name)}", _CONTENTS_WRITE, f"reset {name}", asked)

    def commit(self, branch: str, tip: str, commit: Commit) -> str:
        """Commit to a branch whose tip is known, signed by GitHub; raises GitHubError (409) if the tip moved."""
        asked: dict[str, Any] = {
            "branch": {"repositoryNameWithOwner": self.name, "branchName": branch},
            "expectedHeadOid": tip,
            "message": {"headline": commit.headline, "body": commit.body},
            "fileChanges": {
                "additions": [
                    {"path": path, "contents": base64.b64encode(content.encode()).decode()}
                    for path, content in commit.files.items()
                    if content is not None
                ],
                "deletions": [{"path": path} for path, content in commit.files.items() if content is None],
            },
        }
        done = self._client.query(_COMMIT, {"input": asked}, _CONTENTS_WRITE, f"commit to {branch}")
        return str(done["createCommitOnBranch"]["commit"]["oid"])

    def viewer(self) -> str:
        """Whose token this is. REST tells it to people only; for an App and for a job's own token this does."""
        what = "tell whose token this is"
        return read(Viewer, self._client.query(_VIEWER, {}, _METADATA, what), "the token's owner").viewer.login
