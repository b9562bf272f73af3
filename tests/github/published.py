"""What GitHub publishes about its API, from npm: fetched once, and only the parts that are used are kept."""

import hashlib
import json
import subprocess
import tarfile
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

from graphql import DocumentNode, ObjectTypeDefinitionNode, parse, print_ast, visit
from graphql.language import NamedTypeNode, Visitor

OPENAPI = "@octokit/openapi@23.0.2"
WEBHOOKS = "@octokit/webhooks-examples@7.6.1"
GRAPHQL = "@octokit/graphql-schema@15.26.1"

PATHS = tuple(
    f"/repos/{{owner}}/{{repo}}/{rest}"
    for rest in (
        "compare/{basehead}",
        "contents/{path}",
        "git/ref/{ref}",
        "git/refs",
        "git/refs/{ref}",
        "pulls",
        "pulls/{pull_number}",
        "issues/{issue_number}/comments",
        "issues/comments/{comment_id}",
        "issues/{issue_number}/labels",
        "issues/{issue_number}/labels/{name}",
        "collaborators/{username}/permission",
        "actions/runs",
        "actions/runs/{run_id}",
        "actions/runs/{run_id}/artifacts",
        "actions/artifacts/{artifact_id}/{archive_format}",
        "actions/runs/{run_id}/rerun-failed-jobs",
        "commits/{commit_sha}/pulls",
    )
)
"""The paths that the fake serves."""

EVENTS = ("merge_group", "pull_request", "push", "workflow_dispatch", "workflow_run")

# Type -> its fields that the fake answers; inputs and scalars come whole.
_FIELDS = {
    "Query": ["viewer"],
    "Mutation": ["createCommitOnBranch"],
    "User": ["login"],
    "CreateCommitOnBranchPayload": ["commit"],
    "Commit": ["oid", "url"],
}


def openapi(folder: Path) -> dict[str, Any]:
    """GitHub's description of its REST API, cut down to `PATHS`."""
    return _kept(folder, OPENAPI, PATHS, _openapi)  # type: ignore[no-any-return]


def graphql_types(folder: Path) -> str:
    """The types of GitHub's GraphQL schema that the fake executes."""
    return _kept(folder, GRAPHQL, _FIELDS, _graphql)  # type: ignore[no-any-return]


def webhook_examples(folder: Path) -> dict[str, list[dict[str, Any]]]:
    """Real payloads of events, by event."""
    return _kept(folder, WEBHOOKS, EVENTS, _webhooks)  # type: ignore[no-any-return]


def _kept(folder: Path, package: str, part: Any, make: Callable[[], Any]) -> Any:
    """Make a value once, and keep it as JSON under what it is made of."""
    file = folder / f"{hashlib.sha256(json.dumps([package, part]).encode()).hexdigest()}.json"
    if not file.exists():
        with tempfile.NamedTemporaryFile("w", encoding="utf-8", dir=folder, delete=False) as beside:
            json.dump(make(), beside)
        Path(beside.name).rename(file)
    return json.loads(file.read_text(encoding="utf-8"))


def _member(package: str, member: str) -> str:
    """One file of an npm package; nothing of the package is run."""
    with tempfile.TemporaryDirectory() as folder:
        subprocess.run(
            ["npm", "pack", "--silent", "--ignore-scripts", package], capture_output=True, check=True, cwd=folder
        )
        (archive,) = Path(folder).iterdir()
        with tarfile.open(archive) as tar:
            file = tar.extractfile(member)
            assert file is not None, member
            return file.read().decode()


def _openapi() -> dict[str, Any]:
    whole = json.loads(_member(OPENAPI, "package/generated/api.github.com.json"))
    paths = {path: whole["paths"][path] for path in PATHS}
    components: dict[str, dict[str, Any]] = {}
    waiting = [*_references(paths), "#/components/schemas/basic-error", "#/components/schemas/validation-error"]
    while waiting:
        _, _, kind, name = waiting.pop().split("/")
        if name not in components.setdefault(kind, {}):
            components[kind][name] = whole["components"][kind][name]
            waiting += _references(components[kind][name])
    # A folder's listing is told from a file by a discriminator that an array cannot have: no validator can follow that.
    kept = {"openapi": whole["openapi"], "paths": paths, "components": components}
    return {name: _without("discriminator", part) for name, part in kept.items()}


def _without(name: str, value: Any) -> Any:
    if isinstance(value, dict):
        return {key: _without(name, each) for key, each in value.items() if key != name}
    return [_without(name, each) for each in value] if isinstance(value, list) else value


def _references(value: Any) -> Iterator[str]:
    if isinstance(value, dict):
        if isinstance(reference := value.get("$ref"), str):
            yield reference
        for each in value.values():
            yield from _references(each)
    elif isinstance(value, list):
        for each in value:
            yield from _references(each)


def _webhooks() -> dict[str, list[dict[str, Any]]]:
    every = json.loads(_member(WEBHOOKS, "package/api.github.com/index.json"))
    return {event["name"]: event["examples"] for event in every if event["name"] in EVENTS}


class _Names(Visitor):
    """The types that a definition names."""

    def __init__(self) -> None:
        super().__init__()
        self.found: list[str] = []

    def enter_named_type(self, node: NamedTypeNode, *_: Any) -> None:
        self.found.append(node.name.value)


def _graphql() -> str:
    document = parse(_member(GRAPHQL, "package/schema.graphql"), no_location=True)
    by_name = {name.value: each for each in document.definitions if (name := getattr(each, "name", None))}
    kept: dict[str, Any] = {}
    waiting = ["Query", "Mutation"]
    while waiting:
        name = waiting.pop()
        if name in kept or name not in by_name:
            continue
        kept[name], names = _cut(by_name[name]), _Names()
        visit(kept[name], names)
        waiting += names.found
    return print_ast(DocumentNode(definitions=tuple(kept.values())))


def _cut(definition: Any) -> Any:
    if not isinstance(definition, ObjectTypeDefinitionNode):
        return definition
    fields = tuple(field for field in definition.fields or () if field.name.value in _FIELDS[definition.name.value])
    return ObjectTypeDefinitionNode(name=definition.name, fields=fields, interfaces=(), directives=())
