"""What a dialect is: what a good answer and an error look like for one kind of service. Pure."""

import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any
from urllib.parse import parse_qsl, urlsplit

SERVER = "failsame"
"""Stands wherever a service would put its own name or a request's number: answers never vary."""

SERVER_ERRORS = 500
"""From this status on the fault is the server's; below it, from 400, the client's."""


@dataclass(frozen=True)
class Request:
    """A request read whole: header names in lower case, the body as far as the server kept it."""

    method: str
    target: str
    headers: Mapping[str, str] = field(default_factory=dict)
    body: bytes = b""

    @cached_property
    def path(self) -> str:
        """The path without query, percent-encoded as it was sent; `/` for a target that is no URL."""
        try:
            return urlsplit(self.target).path or "/"
        except ValueError:
            return "/"

    @cached_property
    def query(self) -> Mapping[str, str]:
        """The query's parameters, those without a value too."""
        try:
            return dict(parse_qsl(urlsplit(self.target).query, keep_blank_values=True))
        except ValueError:
            return {}

    @cached_property
    def document(self) -> Mapping[str, Any]:
        """The body as a JSON object; empty if it is none."""
        try:
            document = json.loads(self.body)
        except (ValueError, RecursionError):
            return {}
        return document if isinstance(document, dict) else {}


@dataclass(frozen=True)
class Reply:
    """A whole answer, before any fault: the framing headers and the date are the server's business."""

    status: int
    headers: Mapping[str, str] = field(default_factory=dict)
    body: bytes = b""


@dataclass(frozen=True)
class Dialect:
    """One kind of service. What a service does not have is None, and scenarios that need it are left out."""

    name: str
    service: str
    """Who it is, in words: "when S3 …"."""
    good: Callable[[Request], Reply]
    error: Callable[[Request, int], Reply]
    """The error for a status, with a body that the service's clients recognise."""
    throttled: Callable[[Request], Reply] | None = None
    """Its own throttling error, which brings a status of its own."""
    error_in_200: Callable[[Request], Reply] | None = None
    skewed: Callable[[Request], Reply] | None = None
    """What it says of a request whose date is off; only AWS's dialects sign with a date."""
    spoiled: Callable[[Reply], Reply] | None = None
    """The same good answer with a checksum that is not its body's."""
    has_body: bool = True
    """Whether its good answers have a body that can be cut, stalled or dripped."""


def json_reply(status: int, document: object, headers: Mapping[str, str] | None = None) -> Reply:
    """Make a reply of a JSON document."""
    return Reply(status, {"Content-Type": "application/json", **(headers or {})}, json.dumps(document).encode())


def event_stream(events: list[tuple[str | None, object]], headers: Mapping[str, str]) -> Reply:
    """Make a reply of server-sent events: pairs of name (or None) and data; a string is sent as it is."""
    lines = [
        (f"event: {name}\n" if name else "") + f"data: {data if isinstance(data, str) else json.dumps(data)}\n\n"
        for name, data in events
    ]
    return Reply(200, {"Content-Type": "text/event-stream", **headers}, "".join(lines).encode())
