"""Holds every request and answer against GitHub's own description of its API."""

import json
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any
from urllib.parse import parse_qsl, unquote, urlsplit

from openapi_schema_validator import OAS30ReadValidator, OAS30WriteValidator
from referencing import Registry
from referencing.jsonschema import DRAFT4

_SPEC = "urn:github"
_RAW = "application/vnd.github.raw"
"""A file's bytes, whatever they are: documented in prose alone."""
_ANY_CALL = {301, 302, 307, 401, 403, 404, 429, 500, 502, 503, 504}
"""What any call may be answered with, whether or not its description lists it."""


@dataclass(frozen=True)
class Operation:
    """One operation of the API."""

    method: str
    path: str
    pattern: re.Pattern[str]
    parameters: tuple[dict[str, Any], ...]
    described: Mapping[str, Any]

    def pointer(self, *more: str) -> str:
        steps = ("paths", self.path, self.method, *more)
        return "#/" + "/".join(step.replace("~", "~0").replace("/", "~1") for step in steps)


class Contract:
    """GitHub's description; see `published.openapi`."""

    def __init__(self, spec: dict[str, Any]) -> None:
        self._spec = spec
        self._registry = Registry().with_resource(_SPEC, DRAFT4.create_resource(spec))

    @cached_property
    def _operations(self) -> tuple[Operation, ...]:
        return tuple(
            Operation(
                method,
                path,
                re.compile(re.sub(r"\{(\w+)\}", _parameter, path)),
                tuple(self._resolved(each) for each in described.get("parameters", ())),
                described,
            )
            for path, methods in self._spec["paths"].items()
            for method, described in methods.items()
        )

    def operation(self, method: str, target: str) -> tuple[Operation, dict[str, str]] | None:
        """The operation a request is for, and the parameters in its path."""
        path = urlsplit(target).path
        for operation in self._operations:
            if operation.method == method.lower() and (match := operation.pattern.fullmatch(path)):
                return operation, {name: unquote(value) for name, value in match.groupdict().items()}
        return None

    def request_problems(self, operation: Operation, target: str, body: bytes) -> Iterator[str]:
        """What is wrong with a request."""
        known = {each["name"]: each for each in operation.parameters if each["in"] == "query"}
        for name, value in parse_qsl(urlsplit(target).query, keep_blank_values=True):
            if name not in known:
                yield f"unknown query parameter {name}"
            else:
                yield from self._complaints(known[name]["schema"], _typed(known[name]["schema"], value), name)
        described = operation.described.get("requestBody")
        if body and described is None:
            yield "a body where none belongs"
        elif described is not None and (body or described.get("required")):
            pointer = operation.pointer("requestBody", "content", "application/json", "schema")
            yield from self._held(pointer, json.loads(body or b"null"), write=True)

    def answer_problems(self, operation: Operation, status: int, kind: str, body: bytes) -> Iterator[str]:
        """What is wrong with an answer; `kind` is its content type."""
        described = operation.described["responses"].get(str(status))
        if described is None:
            if status not in _ANY_CALL:
                yield f"status {status} is not described"
            elif body and status not in {301, 302, 307}:
                yield from self._held("#/components/schemas/basic-error", json.loads(body))
            return
        content = self._resolved(described).get("content")
        if not content:
            if body and status != 404:
                yield f"a body with {status}, which has none"
        elif not kind.startswith(_RAW):
            media = "application/json" if "application/json" in content else next(iter(content))
            where = described.get("$ref") or operation.pointer("responses", str(status))
            pointer = f"{where}/content/{media.replace('/', '~1')}/schema"
            yield from self._held(pointer, json.loads(body))

    def example(self, pointer_path: str, method: str, status: int) -> Any:
        """A fresh copy of the answer that GitHub gives as an example."""
        content = self._spec["paths"][pointer_path][method]["responses"][str(status)]["content"]["application/json"]
        example = self._resolved(next(iter(content["examples"].values())))
        return json.loads(json.dumps(example["value"]))

    def _resolved(self, value: dict[str, Any]) -> dict[str, Any]:
        while "$ref" in value:
            _, _, kind, name = value["$ref"].split("/")
            value = self._spec["components"][kind][name]
        return value

    def _held(self, pointer: str, value: Any, *, write: bool = False) -> Iterator[str]:
        return self._complaints({"$ref": f"{_SPEC}{pointer}"}, value, "body", write=write)

    def _complaints(self, schema: dict[str, Any], value: Any, where: str, *, write: bool = False) -> Iterator[str]:
        kind = OAS30WriteValidator if write else OAS30ReadValidator
        for error in kind(schema, registry=self._registry).iter_errors(value):
            place = ".".join([where, *map(str, error.absolute_path)])
            yield f"{place}: {error.message[:300]}"


def _parameter(name: re.Match[str]) -> str:
    # A file's path and a branch's name hold slashes; nothing else does.
    return f"(?P<{name[1]}>{'.+' if name[1] in {'path', 'ref', 'basehead'} else '[^/]+'})"


def _typed(schema: dict[str, Any], value: str) -> Any:
    if schema.get("type") == "integer":
        return int(value)
    if schema.get("type") == "boolean":
        return {"true": True, "false": False}.get(value, value)
    return value
