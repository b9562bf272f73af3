"""What GitHub does with each request, once it is known to be well-formed and allowed."""

import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any
from urllib.parse import quote

from tests.github.hub.shapes import Shapes
from tests.github.hub.state import ACTIONS, NAME, Identity, Repository

_REPO = "/repos/{owner}/{repo}"
RAW = "application/vnd.github.raw+json; charset=utf-8"


@dataclass(frozen=True)
class Ask:
    """A request, taken apart."""

    parameters: Mapping[str, str]
    query: Mapping[str, str]
    body: Any
    accept: str
    who: Identity
    address: str


@dataclass(frozen=True)
class Answer:
    """An answer: JSON, or bytes under their own content type. A list under `listed` is sent in pages."""

    status: int
    value: Any = None
    headers: Mapping[str, str] = field(default_factory=dict)
    kind: str = "application/json; charset=utf-8"
    paged: bool = False
    listed: str | None = None

    @property
    def content(self) -> bytes:
        if isinstance(self.value, bytes):
            return self.value
        return b"" if self.value is None else json.dumps(self.value).encode()


def problem(status: int, message: str, **more: Any) -> Answer:
    return Answer(
        status, {"message": message, "documentation_url": "https://docs.github.com/rest", "status": str(status), **more}
    )


NOT_FOUND = problem(404, "Not Found")


class Routes:
    """The API of one repository."""

    def __init__(self, repository: Repository, shapes: Shapes) -> None:
        self._repository = repository
        self._shapes = shapes
        self.table: dict[tuple[str, str], tuple[str, str, Callable[[Ask], Answer]]] = {
            ("get", "compare/{basehead}"): ("contents", "read", self._compare),
            ("get", "contents/{path}"): ("contents", "read", self._contents),
            ("get", "git/ref/{ref}"): ("contents", "read", self._reference),
            ("post", "git/refs"): ("contents", "write", self._new_reference),
            ("patch", "git/refs/{ref}"): ("contents", "write", self._move_reference),
            ("get", "pulls"): ("pull_requests", "read", self._pulls),
            ("post", "pulls"): ("pull_requests", "write", self._open_pull),
            ("get", "pulls/{pull_number}"): ("pull_requests", "read", self._pull),
            ("get", "issues/{issue_number}/comments"): ("pull_requests", "read", self._comments),
            ("post", "issues/{issue_number}/comments"): ("pull_requests", "write", self._new_comment),
            ("patch", "issues/comments/{comment_id}"): ("pull_requests", "write", self._edit_comment),
            ("post", "issues/{issue_number}/labels"): ("pull_requests", "write", self._add_labels),
            ("delete", "issues/{issue_number}/labels/{name}"): ("pull_requests", "write", self._remove_label),
            ("get", "collaborators/{username}/permission"): ("metadata", "read", self._permission),
            ("get", "actions/runs"): ("actions", "read", self._runs),
            ("get", "actions/runs/{run_id}/artifacts"): ("actions", "read", self._artifacts),
            ("get", "actions/artifacts/{artifact_id}/{archive_format}"): ("actions", "read", self._download),
            ("post", "actions/runs/{run_id}/rerun-failed-jobs"): ("actions", "write", self._rerun),
            ("get", "commits/{commit_sha}/pulls"): ("pull_requests", "read", self._pulls_of_commit),
        }

    def answer(self, method: str, path: str, ask: Ask) -> Answer:
        """Answer a request for the operation at `path`, as far as the token allows it."""
        scope, level, handle = self.table[method, path.removeprefix(f"{_REPO}/")]
        # What everybody may read of a public repository needs no permission.
        public = level == "read" and scope in {"contents", "pull_requests", "metadata"}
        if not public and not ask.who.may(scope, level):
            answer = problem(403, "Resource not accessible by integration")
            return Answer(403, answer.value, {"X-Accepted-GitHub-Permissions": f"{scope}={level}"})
        return handle(ask)

    def _compare(self, ask: Ask) -> Answer:
        base, _, head = ask.parameters["basehead"].partition("...")
        shas = [self._repository.resolve(each) for each in (base, head)]
        if shas[0] is None or shas[1] is None:
            return NOT_FOUND
        return Answer(200, self._shapes.comparison(*(self._repository.commits[sha] for sha in shas if sha)))

    def _contents(self, ask: Ask) -> Answer:
        sha = self._repository.resolve(ask.query.get("ref", "main"))
        if sha is None:
            return problem(404, f"No commit found for the ref {ask.query['ref']}")
        files, path = dict(self._repository.commits[sha].files), ask.parameters["path"]
        if path in files:
            assert "raw" in ask.accept, "files are read raw, since they may have more than 1 MB"
            return Answer(200, files[path], kind=RAW)
        entries = self._shapes.listing(files, path)
        return Answer(200, entries) if entries else NOT_FOUND

    def _reference(self, ask: Ask) -> Answer:
        branch = ask.parameters["ref"].removeprefix("heads/")
        sha = self._repository.branches.get((NAME, branch))
        return Answer(200, self._shapes.reference(branch, sha)) if sha else NOT_FOUND

    def _new_reference(self, ask: Ask) -> Answer:
        branch, sha = ask.body["ref"].removeprefix("refs/heads/"), ask.body["sha"]
        if (NAME, branch) in self._repository.branches:
            return problem(422, "Reference already exists")
        if sha not in self._repository.commits:
            return problem(422, "Object does not exist")
        self._repository.branches[NAME, branch] = sha
        return Answer(201, self._shapes.reference(branch, sha))

    def _move_reference(self, ask: Ask) -> Answer:
        branch = ask.parameters["ref"].removeprefix("heads/")
        if (NAME, branch) not in self._repository.branches:
            return problem(422, "Reference does not exist")
        self._repository.branches[NAME, branch] = ask.body["sha"]
        return Answer(200, self._shapes.reference(branch, ask.body["sha"]))

    def _pulls(self, ask: Ask) -> Answer:
        wanted = [
            pull
            for pull in self._repository.pulls.values()
            if ask.query.get("state", "open") in {pull.state, "all"}
            and ask.query.get("base", pull.base) == pull.base
            and ask.query.get("head", None) in {None, f"{pull.head_repository.partition('/')[0]}:{pull.head}"}
        ]
        return Answer(200, [self._shapes.pull(pull, listed=True) for pull in wanted], paged=True)

    def _open_pull(self, ask: Ask) -> Answer:
        if ask.who.login == ACTIONS and not self._repository.actions_may_open_pulls:
            return problem(403, "GitHub Actions is not permitted to create or approve pull requests.")
        head, base = ask.body["head"], ask.body["base"]
        if any(p.head == head and p.base == base and p.state == "open" for p in self._repository.pulls.values()):
            return _invalid("PullRequest", f"A pull request already exists for {NAME.partition('/')[0]}:{head}.")
        if self._repository.branches[NAME, head] == self._repository.branches[NAME, base]:
            return _invalid("PullRequest", f"No commits between {base} and {head}")
        pull = self._repository.open_pull(
            head, author=ask.who.login, title=ask.body["title"], base=base, body=ask.body["body"]
        )
        return Answer(201, self._shapes.pull(pull))

    def _pull(self, ask: Ask) -> Answer:
        pull = self._repository.pulls.get(int(ask.parameters["pull_number"]))
        return Answer(200, self._shapes.pull(pull)) if pull else NOT_FOUND

    def _comments(self, ask: Ask) -> Answer:
        number = int(ask.parameters["issue_number"])
        found = [self._shapes.comment(each) for each in self._repository.comments if each.issue == number]
        return Answer(200, found, paged=True)

    def _new_comment(self, ask: Ask) -> Answer:
        if (refused := _too_long(ask.body["body"])) is not None:
            return refused
        number = int(ask.parameters["issue_number"])
        return Answer(201, self._shapes.comment(self._repository.add_comment(number, ask.who.login, ask.body["body"])))

    def _edit_comment(self, ask: Ask) -> Answer:
        if (refused := _too_long(ask.body["body"])) is not None:
            return refused
        number = int(ask.parameters["comment_id"])
        comment = next((each for each in self._repository.comments if each.id == number), None)
        if comment is None:
            return NOT_FOUND
        comment.body = ask.body["body"]
        return Answer(200, self._shapes.comment(comment))

    def _add_labels(self, ask: Ask) -> Answer:
        pull = self._repository.pulls[int(ask.parameters["issue_number"])]
        pull.labels += [name for name in ask.body["labels"] if name not in pull.labels]
        return Answer(200, [self._shapes.label(name) for name in pull.labels])

    def _remove_label(self, ask: Ask) -> Answer:
        pull = self._repository.pulls[int(ask.parameters["issue_number"])]
        if ask.parameters["name"] not in pull.labels:
            return problem(404, "Label does not exist")
        pull.labels.remove(ask.parameters["name"])
        return Answer(200, [self._shapes.label(name) for name in pull.labels])

    def _permission(self, ask: Ask) -> Answer:
        return Answer(200, self._shapes.permission(ask.parameters["username"]))

    def _runs(self, ask: Ask) -> Answer:
        runs = [
            self._shapes.run(run)
            for run in reversed(self._repository.runs)
            if ask.query.get("head_sha", run.head_sha) == run.head_sha
            and ask.query.get("event", run.event) == run.event
        ]
        return Answer(200, runs, paged=True, listed="workflow_runs")

    def _artifacts(self, ask: Ask) -> Answer:
        run = next((each for each in self._repository.runs if each.id == int(ask.parameters["run_id"])), None)
        if run is None:
            return NOT_FOUND
        found = [
            self._shapes.artifact(artifact, run)
            for artifact in run.artifacts
            if ask.query.get("name", artifact.name) == artifact.name
        ]
        return Answer(200, found, paged=True, listed="artifacts")

    def _download(self, ask: Ask) -> Answer:
        # The archive lies on another host, under an address that is its own permission.
        address = ask.address.replace("127.0.0.1", "localhost")
        return Answer(
            302, headers={"Location": f"{address}/_archives/{ask.parameters['artifact_id']}?sig={quote('a/b')}"}
        )

    def _rerun(self, ask: Ask) -> Answer:
        run = next((each for each in self._repository.runs if each.id == int(ask.parameters["run_id"])), None)
        if run is None or run.conclusion != "failure":
            return problem(403, "This workflow run cannot be retried")
        run.rerun_by.append(ask.who.login)
        run.attempt, run.conclusion = run.attempt + 1, None
        return Answer(201, {})

    def _pulls_of_commit(self, ask: Ask) -> Answer:
        found = [
            self._shapes.pull(pull, listed=True)
            for pull in self._repository.pulls.values()
            if pull.merge_commit == ask.parameters["commit_sha"]
        ]
        return Answer(200, found, paged=True)


def _invalid(resource: str, message: str) -> Answer:
    return problem(422, "Validation Failed", errors=[{"resource": resource, "code": "custom", "message": message}])


def _too_long(body: str) -> Answer | None:
    # Real: "body is too long (maximum is 65536 characters)".
    return _invalid("IssueComment", "body is too long (maximum is 65536 characters)") if len(body) > 65536 else None
