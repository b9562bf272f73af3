"""The kinds of text a configuration holds, each with what it must look like.

A configuration comes with a pull request: its words become arguments of package managers, names of files and
headers on the wire, so each is checked where it enters.
"""

import re
from collections.abc import Callable
from decimal import Decimal
from pathlib import PurePosixPath
from typing import Annotated

from pydantic import AfterValidator, BeforeValidator, Field, WithJsonSchema

from failsame.config.units import seconds
from failsame.words import quoted

NAME = r"^[a-z0-9][a-z0-9-]*$"

_ENDPOINT = r"^[a-z][a-z0-9-]*$"
_PACKAGE = r"^[A-Za-z0-9]([A-Za-z0-9._-]*[A-Za-z0-9])?$"
_VERSION = r"^[0-9]+\.[0-9]+(\.[0-9]+)?$"
_HOST = r"^[A-Za-z0-9]([A-Za-z0-9.-]*[A-Za-z0-9])?$"
_HEADER = r"^[A-Za-z0-9!#$%&'*+.^_`|~-]+$"  # a token, RFC 9110 5.6.2
_TERM = r"^[a-z][a-z0-9_]*$"
_ADDRESS = r"^https://[!-~]+$"
_VARIABLE = r"^[A-Za-z_][A-Za-z0-9_]*$"

# The server frames its answers itself; a second frame would make another fault of it.
_FRAMING = frozenset({"content-length", "transfer-encoding", "connection"})

_REFUSED: tuple[tuple[str, str], ...] = (
    (r"PATH|HOME|TMPDIR", "failsame sets it"),
    (r"FAILSAME_.*", "failsame's own"),
    (r"(LD|DYLD)_.*", "it loads code into the measuring process"),
    (r"PYTHON.*", 'it changes the measuring process; the import path is set by "root"'),
    (
        r"NODE_(OPTIONS|PATH|COMPILE_CACHE|V8_COVERAGE|REDIRECT_WARNINGS|DEBUG.*)|UV_USE_IO_URING",
        "it changes the measuring process",
    ),
    (r"(?i:.*_PROXY)", "a client connects to the broken server and to nothing else"),
    (r"SSL_CERT_(FILE|DIR)|(REQUESTS|CURL|AWS)_CA_BUNDLE|NODE_EXTRA_CA_CERTS", 'the authority is set by "tls"'),
    (r"AWS_ENDPOINT_URL.*|(OPENAI|ANTHROPIC)_BASE_URL", "failsame sets it to the broken server"),
)
"""Environment variables that a subject may not set -> why."""


def _matches(pattern: str, what: str) -> Callable[[str], str]:
    form = re.compile(pattern.removesuffix("$"), re.ASCII)

    def check(text: str) -> str:
        if form.fullmatch(text) is None:
            raise ValueError(f"{quoted(text)} is no {what}")
        return text

    return check


def _inside(text: str) -> str:
    path = PurePosixPath(text)
    if not text or path.is_absolute() or ".." in path.parts or "\\" in text or not text.isprintable():
        raise ValueError(
            f"{quoted(text)} is no path inside the repository: write it from the repository's root, with /"
        )
    return text


def _variable(text: str) -> str:
    _matches(_VARIABLE, "name of an environment variable")(text)
    for pattern, why in _REFUSED:
        if re.fullmatch(pattern, text):
            raise ValueError(f"{quoted(text)} cannot be set here: {why}")
    return text


def _header(text: str) -> str:
    _matches(_HEADER, "name of a header")(text)
    if text.lower() in _FRAMING:
        raise ValueError(f"{quoted(text)} cannot be set here: the server sets it to fit the answer")
    return text


def _header_value(text: str) -> str:
    if re.fullmatch(r"([!-~]([\t -~]*[!-~])?)?", text) is None:  # RFC 9110 5.5, without obs-text
        raise ValueError(f"{quoted(text)} is no value of a header: use one line of ASCII")
    return text


def _no_nul(text: str) -> str:
    if "\0" in text:
        raise ValueError(f"{quoted(text)} holds a NUL character")
    return text


def _one_line(text: str) -> str:
    if not text.strip() or not text.isprintable():
        raise ValueError(f"{quoted(text)} has to be words on one line")
    return text.strip()


def _number(written: object) -> str:
    """Decimal text of a number, or text that is arithmetic already: 0.0000166667 is not to become 1.66667e-05."""
    if isinstance(written, str):
        return written
    if isinstance(written, (int, float)) and not isinstance(written, bool):
        return f"{Decimal(str(written)):f}"
    raise ValueError(f"{quoted(written)} is no number: write one with its unit, as in 30s")


def _dots(text: str) -> str:
    return _matches(_VERSION, 'version of Python: write it as in "3.12", with quotes')(text)


Name = Annotated[
    str,
    Field(max_length=64, json_schema_extra={"pattern": NAME}),
    AfterValidator(_matches(NAME, "name: use a to z, 0 to 9 and -, and begin with a letter or digit")),
]
"""The name of a subject or of a scenario."""

EndpointName = Annotated[
    str,
    Field(max_length=64),
    AfterValidator(_matches(_ENDPOINT, "name of an endpoint: use a to z, 0 to 9 and -, and begin with a letter")),
]
"""The name of one of several endpoints. It begins with a letter, or JavaScript would not keep the order of several."""

RepositoryPath = Annotated[str, Field(max_length=1000), AfterValidator(_inside)]
"""A path from the repository's root that does not leave it."""

Package = Annotated[
    str,
    Field(max_length=200, json_schema_extra={"pattern": _PACKAGE}),
    AfterValidator(_matches(_PACKAGE, "name of a package")),
]
GroupName = Annotated[
    str,
    Field(max_length=200, json_schema_extra={"pattern": _PACKAGE}),
    AfterValidator(_matches(_PACKAGE, "name of a group or extra")),
]
PythonVersion = Annotated[str, Field(json_schema_extra={"pattern": _VERSION}), AfterValidator(_dots)]
HostName = Annotated[str, Field(max_length=253), AfterValidator(_matches(_HOST, "name of a host"))]
VariableName = Annotated[str, Field(max_length=200), AfterValidator(_variable)]
VariableValue = Annotated[str, Field(max_length=10_000), AfterValidator(_no_nul)]
HeaderName = Annotated[str, Field(max_length=200), AfterValidator(_header)]
HeaderValue = Annotated[str, Field(max_length=10_000), AfterValidator(_header_value)]
OneLine = Annotated[str, Field(max_length=200), AfterValidator(_one_line)]
Body = Annotated[str, Field(max_length=1_000_000)]

TermName = Annotated[
    str,
    Field(max_length=64, json_schema_extra={"pattern": _TERM}),
    AfterValidator(_matches(_TERM, "name of a term: use a to z, 0 to 9 and _, and begin with a letter")),
]
Amount = Annotated[
    str,
    BeforeValidator(_number),
    WithJsonSchema({"anyOf": [{"type": "number"}, {"type": "string"}]}),
]
"""A number with its unit, as rules read it; or a bare one."""
RuleText = Annotated[str, Field(max_length=1000)]
Address = Annotated[
    str,
    Field(max_length=500, json_schema_extra={"pattern": _ADDRESS}),
    AfterValidator(_matches(_ADDRESS, "address: begin with https://")),
]

Duration = Annotated[
    float,
    BeforeValidator(seconds),
    WithJsonSchema(
        {
            "anyOf": [
                {"type": "number", "minimum": 0},
                {"type": "string", "pattern": r"^\s*[0-9]+(\.[0-9]+)?\s*(ms|s|min|h)?\s*$"},
            ]
        }
    ),
]
"""Seconds, written as in units.py."""
