"""JSON with the places of an object's members: the content by the standard parser, member by member."""

import json
import re
from collections.abc import Iterator
from json.decoder import scanstring  # type: ignore[attr-defined]
from typing import Any

from failsame.errors import UsageError
from failsame.pins.quoting import shown

_SPACE = re.compile(r"[ \t\n\r]*")
_DECODER = json.JSONDecoder()


def load_json(name: str, text: str, remedy: str) -> dict[str, Any]:
    """Parse a file that is one JSON object; UsageError, with the line, for anything else."""
    try:
        data = json.loads(text)
    except json.JSONDecodeError as error:
        raise UsageError(f"{name} line {error.lineno} is cut off or no JSON: {shown(error.msg)}; {remedy}") from error
    except (ValueError, RecursionError) as error:
        # A number of thousands of digits is a plain ValueError.
        raise UsageError(f"{name} is no JSON: it nests or counts too far; {remedy}") from error
    if not isinstance(data, dict):
        raise UsageError(f"{name} is no JSON object; {remedy}")
    return data


def members(text: str, start: int = 0) -> Iterator[tuple[str, int]]:
    """The members of the object that begins at `start` (or after space) in valid JSON: key, and where its value begins.

    A key may stand several times; JSON parsers take the last.
    """
    at = _skip(text, _skip(text, start) + 1)
    while text[at] != "}":
        key, at = scanstring(text, at + 1)
        at = _skip(text, _skip(text, at) + 1)
        yield key, at
        at = _skip(text, _DECODER.raw_decode(text, at)[1])
        if text[at] == ",":
            at = _skip(text, at + 1)


def _skip(text: str, at: int) -> int:
    found = _SPACE.match(text, at)
    return found.end() if found else at
