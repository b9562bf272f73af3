"""The committed files as text: read with errors that name the place, written stable to the byte."""

import json
from collections.abc import Mapping
from typing import TypeVar

from pydantic import JsonValue, ValidationError

from failsame.baseline.model import SCHEMA, Baseline, Coming
from failsame.errors import UsageError
from failsame.facts import quoted
from failsame.suite import SUITE

# A baseline's objects: the file, its scenarios, a scenario, a call. What is deeper is a fact, on one line.
_DEPTH = 4

File = TypeVar("File", Baseline, Coming)


def parse_baseline(text: str, *, subject: str, where: str) -> Baseline:
    """Read a baseline from its text; `where` names it in errors. Raises UsageError."""
    return _parse(Baseline, text, subject, where, f"mend it, or record it again: failsame record --subject {subject}")


def parse_coming(text: str, *, subject: str, where: str) -> Coming:
    """Read a coming file from its text; `where` names it in errors. Raises UsageError."""
    return _parse(Coming, text, subject, where, "mend it, or remove it and accept again")


def lay_out(file: Baseline | Coming) -> str:
    """Write a file: scenarios and facts sorted, one fact a line, so that its diff reads like a sentence."""
    document: dict[str, JsonValue] = file.model_dump(mode="json")
    for name in ("settings", "fault_keys"):  # of a client that shows none
        if not document.get(name, True):
            del document[name]
    for name in ("packages", "settings", "fault_keys", "when", "scenarios"):
        part = document.get(name)
        if isinstance(part, dict):
            document[name] = dict(sorted(part.items()))
    return _lines(document, 1) + "\n"


def _parse(kind: type[File], text: str, subject: str, where: str, remedy: str) -> File:
    document = _document(text, where, remedy)
    _refuse_newer(document, where)
    try:
        file = kind.model_validate(document)
    except ValidationError as error:
        first = error.errors(include_url=False, include_context=False, include_input=False)[0]
        place = ".".join(json.dumps(str(part))[1:-1][:100] for part in first["loc"])
        said = first["msg"].removeprefix("Value error, ")
        raise UsageError(f"{where}: {place}: {said}; {remedy}") from error
    if file.subject != subject:
        raise UsageError(another_name(where, file.subject, subject))
    return file


def another_name(where: str, owner: str, subject: str) -> str:
    """Say that a file stands under another subject's name."""
    return (
        f"{where}: it is the file of subject {quoted(owner)}, not of {quoted(subject)}: "
        "a file is named after its subject"
    )


def owner_of(text: str) -> str | None:
    """Whose baseline a text is, as it says itself; None for what is no baseline."""
    try:
        document = _document(text, "", "")
    except UsageError:
        return None
    owner = document.get("subject")
    return owner if isinstance(owner, str) and "scenarios" in document else None


def _document(text: str, where: str, remedy: str) -> dict[str, JsonValue]:
    try:
        document = json.loads(text, object_pairs_hook=_unique, parse_constant=_no_constant)
    except json.JSONDecodeError as error:
        raise UsageError(f"{where}:{error.lineno}:{error.colno}: not JSON ({error.msg}); {remedy}") from error
    except RecursionError as error:
        raise UsageError(f"{where}: not a baseline, its JSON is nested too deep; {remedy}") from error
    except ValueError as error:  # a key that stands there twice, NaN, a number of thousands of digits
        raise UsageError(f"{where}: {error}; {remedy}") from error
    if not isinstance(document, dict):
        raise UsageError(f"{where}: not a baseline, a JSON object is expected; {remedy}")
    return document


def _unique(pairs: list[tuple[str, JsonValue]]) -> dict[str, JsonValue]:
    # A merge that went wrong leaves both sides behind; JSON itself would silently take the last.
    seen = dict(pairs)
    if len(seen) < len(pairs):
        names = [name for name, _ in pairs]
        twice = next(name for name in names if names.count(name) > 1)
        raise ValueError(f"{quoted(twice)} stands there twice")
    return seen


def _no_constant(name: str) -> JsonValue:
    raise ValueError(f"{name} is not JSON")


def _refuse_newer(document: Mapping[str, JsonValue], where: str) -> None:
    for name, number, ours in (("schema", document.get("schema"), SCHEMA), ("suite", document.get("suite"), SUITE)):
        if isinstance(number, int) and not isinstance(number, bool) and number > ours:
            raise UsageError(
                f"{where}: written by a newer failsame ({name} {quoted(number)}, this one knows {ours}): "
                "upgrade failsame"
            )
    suite = document.get("suite")
    if isinstance(suite, int) and suite < SUITE - 1:
        raise UsageError(
            f"{where}: suite {suite} is no longer run (this failsame runs {SUITE - 1} and {SUITE}): record it again"
        )


def _lines(value: JsonValue, depth: int) -> str:
    if not isinstance(value, dict) or not value or depth > _DEPTH:
        return json.dumps(value)
    pad = " " * depth
    lines = ",\n".join(f"{pad}{json.dumps(name)}: {_lines(entry, depth + 1)}" for name, entry in value.items())
    return f"{{\n{lines}\n{pad[1:]}}}"
