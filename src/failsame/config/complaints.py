"""What pydantic finds wrong, in words that name the key and end in the remedy."""

from collections.abc import Iterator, Mapping
from typing import Any

from pydantic import ValidationError
from pydantic_core import ErrorDetails

from failsame.config.document import Document, Place, Problem
from failsame.config.model import SECTIONS
from failsame.words import quoted, unknown

_EXPECTED: Mapping[str, str] = {
    "bool_type": "true or false",
    "int_type": "a whole number",
    "int_from_float": "a whole number",
    "string_type": "text",
    "tuple_type": "a list",
    "mapping_type": "a mapping",
    "dict_type": "a mapping",
    "model_type": "a mapping",
    "literal_error": "{expected}",
    "too_short": "a list with {min_length} entry or more",
    "too_long": "of {max_length} entries or fewer",
    "string_too_long": "text of {max_length} characters or fewer",
    "greater_than_equal": "{ge} or more",
    "less_than_equal": "{le} or less",
}
"""pydantic's kind of error -> what the value has to be."""


def complaints(error: ValidationError, document: Document) -> Iterator[Problem]:
    """Say pydantic's findings in words of our own, in the order of the document's lines."""
    found = [
        (_place(detail["loc"]), detail) for detail in error.errors(include_url=False) if not _is_consequence(detail)
    ]
    for place, detail in sorted(found, key=lambda pair: document.line(pair[0])):
        yield place, _say(place, detail)


def _is_consequence(detail: ErrorDetails) -> bool:
    # pydantic counts only the good items of a list: the others have findings of their own.
    return detail["type"] == "too_short" and len(detail["input"]) >= detail["ctx"]["min_length"]


# Lists whose items are a word or a mapping.
_TAGGED = frozenset({("scenarios", "answers"), ("subjects", "budgets")})


def _place(loc: Place) -> Place:
    """Without what pydantic adds: the tag of the union that an item is, and the sign of a wrong key."""
    if (loc[0:1] + loc[2:3]) in _TAGGED:
        loc = (*loc[:4], *loc[5:])
    return loc[:-1] if loc[-1:] == ("[key]",) else loc


def _say(place: Place, detail: ErrorDetails) -> str:
    kind, value, context = detail["type"], detail["input"], detail.get("ctx", {})
    key = next((part for part in reversed(place) if isinstance(part, str)), "")
    match kind:
        case "value_error":  # from values.py or a section's own check, which name what they refuse
            return str(context["error"])
        case "extra_forbidden":
            section = tuple(part for part in place[:-1] if isinstance(part, str))
            return unknown("key", key, tuple(SECTIONS[section].model_fields))
        case "missing":
            return f"the key {quoted(key)} is missing" + (': begin with "version: 1"' if key == "version" else "")
        case "literal_error" if key == "version":
            return f"version {_shown(value)} of this format is unknown: this failsame knows version 1"
        case "string_type" if isinstance(value, (int, float)):
            return f"{quoted(key)} has to be text: put it in quotes"
        case _:
            expected = _EXPECTED[kind].format(**context) if kind in _EXPECTED else detail["msg"]
            return f"{_subject(place, key)} has to be {expected}, not {_shown(value)}"


def _subject(place: Place, key: str) -> str:
    if not place:
        return "the file"
    return quoted(key) if place[-1] == key else f"an entry of {quoted(key)}"


def _shown(value: Any) -> str:
    match value:
        case None:
            return "empty"
        case bool():
            return str(value).lower()
        case dict():
            return "a mapping"
        case tuple():
            return f"a list of {len(value)}" if value else "an empty list"
        case _:
            return quoted(value)
