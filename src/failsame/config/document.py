"""YAML as plain values that remember their lines.

Read event by event instead of with a loader: so that every value keeps its line, keys stand once, and a hostile file
is refused at the first alias or the first level too deep, before it costs memory (the "billion laughs").
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

import yaml
from yaml.constructor import SafeConstructor
from yaml.resolver import Resolver

from failsame.words import quoted

MAX_BYTES = 1_000_000
MAX_DEPTH = 20

Place = tuple[str | int, ...]
"""Where a value stands: `("subjects", 0, "name")`."""

Problem = tuple[Place, str]
"""Where, and what is wrong."""

_NUMBERS = frozenset({"tag:yaml.org,2002:int", "tag:yaml.org,2002:float"})
_LONGEST_NUMBER = 30

# libyaml reads a megabyte in a second; PyYAML's own parser takes half a minute.
_LOADER: type[yaml.CSafeLoader | yaml.SafeLoader] = getattr(yaml, "CSafeLoader", yaml.SafeLoader)


class DocumentError(Exception):
    """What is wrong with a document, and on which line (from 1; 0 where it has none)."""

    def __init__(self, line: int, what: str) -> None:
        super().__init__(what)
        self.line = line
        self.what = what


@dataclass(frozen=True)
class Document:
    """A document's value (mappings are dicts, lists are tuples, keys are text) and the line of each place in it."""

    value: Any
    lines: Mapping[Place, int]

    def line(self, place: Place) -> int:
        """The line of a place, or of the nearest one around it; parts that the document does not have are skipped."""
        found: Place = ()
        for part in place:
            if (*found, part) in self.lines:
                found = (*found, part)
        return self.lines.get(found, 1)


class _Scalars(SafeConstructor, Resolver):
    """PyYAML's rules for what a plain scalar means, without the rest of its loader."""

    def __init__(self) -> None:
        SafeConstructor.__init__(self)
        Resolver.__init__(self)

    def value(self, event: yaml.ScalarEvent) -> Any:
        tag: str = self.resolve(yaml.ScalarNode, event.value, event.implicit)  # type: ignore[no-untyped-call]
        if tag in _NUMBERS and len(event.value) > _LONGEST_NUMBER:
            raise ValueError
        node = yaml.ScalarNode(tag, event.value)
        match tag:
            case "tag:yaml.org,2002:null":
                return None
            case "tag:yaml.org,2002:bool":
                return self.construct_yaml_bool(node)
            case "tag:yaml.org,2002:int":
                return self.construct_yaml_int(node)
            case "tag:yaml.org,2002:float":
                return self.construct_yaml_float(node)
            case _:  # dates and YAML 1.1's oddities (`=`, `<<`) are text
                return event.value


class _Reader:
    def __init__(self, events: Iterator[yaml.Event]) -> None:
        self.events = events
        self.lines: dict[Place, int] = {}
        self.scalars = _Scalars()

    def read(self) -> Any:
        value: Any = None
        documents = 0
        for event in self.events:
            if isinstance(event, yaml.DocumentStartEvent):
                documents += 1
                if documents > 1:
                    raise DocumentError(_line(event), "a second document begins here: keep one")
            elif isinstance(event, yaml.NodeEvent):
                value = self.node(event, ())
        return value

    def node(self, event: yaml.Event, place: Place) -> Any:
        line = _line(event)
        self.lines.setdefault(place, line)  # a mapping's entry already has the line of its key
        if len(place) > MAX_DEPTH:
            raise DocumentError(line, f"nested more than {MAX_DEPTH} levels deep")
        match event:
            case yaml.AliasEvent():
                raise DocumentError(line, f"the alias {quoted(f'*{event.anchor}')} is not accepted: write it out")
            case yaml.MappingStartEvent(tag=None):
                return self.mapping(place)
            case yaml.SequenceStartEvent(tag=None):
                return self.sequence(place)
            case yaml.ScalarEvent(tag=None):
                return self.scalar(event)
            case _:
                raise DocumentError(line, "a tag (!) is not accepted: leave it out")

    def scalar(self, event: yaml.ScalarEvent) -> Any:
        try:
            return self.scalars.value(event)
        except (ValueError, IndexError):  # `0b`, `1e`, 5,000 digits: numbers by their form only
            raise DocumentError(_line(event), f"{quoted(event.value)} is no number: put it in quotes") from None

    def mapping(self, place: Place) -> dict[str, Any]:
        entries: dict[str, Any] = {}
        while not isinstance(event := next(self.events), yaml.MappingEndEvent):
            key = self.scalar(event) if isinstance(event, yaml.ScalarEvent) and event.tag is None else None
            if not isinstance(key, str):
                raise DocumentError(_line(event), "a key that is not text: put it in quotes")
            if key in entries:
                first = self.lines[*place, key]
                raise DocumentError(_line(event), f"the key {quoted(key)} stands on line {first} already")
            self.lines[*place, key] = _line(event)
            entries[key] = self.node(next(self.events), (*place, key))
        return entries

    def sequence(self, place: Place) -> tuple[Any, ...]:
        items: list[Any] = []
        while not isinstance(event := next(self.events), yaml.SequenceEndEvent):
            items.append(self.node(event, (*place, len(items))))
        return tuple(items)


def parse(data: bytes) -> Document:
    """Read one YAML document; DocumentError if it is none, or too large, too deep, with aliases or a key twice."""
    if len(data) > MAX_BYTES:
        raise DocumentError(0, f"larger than {MAX_BYTES:,} bytes")
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise DocumentError(data.count(b"\n", 0, error.start) + 1, "not UTF-8: save it as UTF-8") from None
    try:
        reader = _Reader(yaml.parse(text, Loader=_LOADER))
        return Document(reader.read(), reader.lines)
    except yaml.MarkedYAMLError as error:
        mark = error.problem_mark or error.context_mark
        raise DocumentError(mark.line + 1 if mark else 0, f"not YAML: {error.problem or error.context}") from None
    except yaml.YAMLError as error:
        raise DocumentError(0, f"not YAML: {quoted(getattr(error, 'reason', error))}") from None


def _line(event: yaml.Event) -> int:
    return event.start_mark.line + 1 if event.start_mark else 0
