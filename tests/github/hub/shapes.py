"""State in the words of GitHub's REST API: its own examples, with what the state says laid over them."""

from typing import Any

from tests.github.contract import Contract
from tests.github.hub.state import NAME, Artifact, Comment, Commit, Pull, Repository, Run, blob

_REPO = "/repos/{owner}/{repo}"
SERVER = "https://github.com"


class Shapes:
    """Makes the API's objects."""

    def __init__(self, contract: Contract, repository: Repository) -> None:
        self._contract = contract
        self._repository = repository

    def _example(self, path: str, status: int = 200, method: str = "get") -> Any:
        return self._contract.example(f"{_REPO}/{path}", method, status)

    def user(self, login: str) -> dict[str, Any]:
        example = self._example("issues/{issue_number}/comments")[0]["user"]
        return {**example, "login": login, "type": "Bot" if login in self._repository.bots else "User"}

    def repository(self, name: str) -> dict[str, Any]:
        example: dict[str, Any] = self._example("pulls/{pull_number}")["base"]["repo"]
        owner = {**example["owner"], "login": name.partition("/")[0]}
        named = {"full_name": name, "name": name.partition("/")[2], "owner": owner, "default_branch": "main"}
        return {**example, **named, "fork": name != NAME}

    def pull(self, pull: Pull, *, listed: bool = False) -> dict[str, Any]:
        example = self._example("pulls")[0] if listed else self._example("pulls/{pull_number}")
        state = self._repository
        label = example["labels"][0]
        return {
            **example,
            "number": pull.number,
            "state": pull.state,
            "title": pull.title,
            "body": pull.body,
            "user": self.user(pull.author),
            "html_url": f"{SERVER}/{NAME}/pull/{pull.number}",
            "labels": [{**label, "name": name} for name in pull.labels],
            "requested_teams": [],
            "merge_commit_sha": pull.merge_commit,
            "merged_at": "2026-11-30T10:00:00Z" if pull.merged else None,
            **({} if listed else {"merged": pull.merged}),
            "head": {
                **example["head"],
                "label": f"{pull.head_repository.partition('/')[0]}:{pull.head}",
                "ref": pull.head,
                "sha": state.head_sha(pull),
                "repo": self.repository(pull.head_repository),
            },
            "base": {
                **example["base"],
                "label": f"{NAME.partition('/')[0]}:{pull.base}",
                "ref": pull.base,
                "sha": state.branches[NAME, pull.base],
                "repo": self.repository(NAME),
            },
        }

    def event(self, pull: Pull, action: str, *, sender: str | None = None, **more: Any) -> dict[str, Any]:
        """The payload of an event about a pull request."""
        return {
            "action": action,
            "number": pull.number,
            "pull_request": self.pull(pull),
            "repository": {**self.repository(NAME), "default_branch": "main"},
            "sender": self.user(sender or pull.author),
            **more,
        }

    def comment(self, comment: Comment) -> dict[str, Any]:
        return {
            **self._example("issues/{issue_number}/comments")[0],
            "id": comment.id,
            "body": comment.body,
            "user": self.user(comment.author),
            "html_url": f"{SERVER}/{NAME}/pull/{comment.issue}#issuecomment-{comment.id}",
        }

    def label(self, name: str) -> dict[str, Any]:
        return {**self._example("issues/{issue_number}/labels")[0], "name": name}

    def run(self, run: Run) -> dict[str, Any]:
        example = self._example("actions/runs/{run_id}")
        return {
            **example,
            "id": run.id,
            "event": run.event,
            "head_sha": run.head_sha,
            "head_branch": run.head_branch,
            "status": "completed" if run.conclusion else "in_progress",
            "conclusion": run.conclusion,
            "run_attempt": run.attempt,
            "html_url": f"{SERVER}/{NAME}/actions/runs/{run.id}",
            "head_repository": {**example["head_repository"], "full_name": run.head_repository},
            "pull_requests": [],
        }

    def artifact(self, artifact: Artifact, run: Run) -> dict[str, Any]:
        example = self._example("actions/runs/{run_id}/artifacts")["artifacts"][0]
        return {
            **example,
            "id": artifact.id,
            "name": artifact.name,
            "size_in_bytes": len(artifact.content),
            "expired": artifact.expired,
            "workflow_run": {**example["workflow_run"], "id": run.id, "head_sha": run.head_sha},
        }

    def reference(self, branch: str, sha: str) -> dict[str, Any]:
        example = self._example("git/ref/{ref}")
        return {**example, "ref": f"refs/heads/{branch}", "object": {**example["object"], "sha": sha}}

    def permission(self, login: str) -> dict[str, Any]:
        example = self._example("collaborators/{username}/permission")
        name = self._repository.permissions.get(login, "none")
        # As documented: the roles maintain and triage show in `permission` as write and read.
        coarse = {"maintain": "write", "triage": "read"}.get(name, name)
        user = {**example["user"], **self.user(login), "role_name": name}
        return {**example, "permission": coarse, "role_name": name, "user": user}

    def comparison(self, base: Commit, head: Commit) -> dict[str, Any]:
        example = self._example("compare/{basehead}")
        before = self._repository.commits[self._repository.merge_base(base.sha, head.sha)]
        return {
            **example,
            "base_commit": {**example["base_commit"], "sha": base.sha},
            "merge_base_commit": {**example["merge_base_commit"], "sha": before.sha},
            "files": [{**example["files"][0], **file} for file in _changed_files(before.files, head.files)][:300],
        }

    def listing(self, files: dict[str, bytes], folder: str) -> list[dict[str, Any]]:
        """The entries of a folder; empty if there is none."""
        example = self._contract.example(f"{_REPO}/contents/{{path}}", "get", 200)
        names = sorted(
            {path.removeprefix(f"{folder}/").partition("/")[0] for path in files if path.startswith(f"{folder}/")}
        )
        entry = {key: value for key, value in example.items() if key not in {"content", "encoding"}}
        return [
            {
                **entry,
                "name": name,
                "path": f"{folder}/{name}",
                "type": "file" if f"{folder}/{name}" in files else "dir",
                "sha": blob(files.get(f"{folder}/{name}", b"")),
                "size": len(files.get(f"{folder}/{name}", b"")),
            }
            for name in names
        ]


def _changed_files(before: Any, after: Any) -> list[dict[str, Any]]:
    gone = {content: path for path, content in before.items() if path not in after}
    files: list[dict[str, Any]] = []
    for path in sorted({**before, **after}):
        if path in after and path not in before:
            if source := gone.get(after[path]):
                files.append({"filename": path, "status": "renamed", "previous_filename": source})
            else:
                files.append({"filename": path, "status": "added"})
        elif path not in after and path in before:
            if not any(file.get("previous_filename") == path for file in files):
                files.append({"filename": path, "status": "removed"})
        elif before[path] != after[path]:
            files.append({"filename": path, "status": "modified"})
    renamed = {file.get("previous_filename") for file in files}
    return [file for file in files if not (file["status"] == "removed" and file["filename"] in renamed)]
