"""YAML lock files: mappings that know the line of each key, and every scalar as its text.

Written by machines, so no types: a version must not become a number. Read event by event, so that a file is refused at
the first alias or the first level too deep, before it costs memory (the "billion laughs").
"""

from collections.abc import Iterator
from typing import Any

import yaml

from failsame.errors import UsageError
from failsame.pins.quoting import shown

_DEEPEST = 20

# libyaml reads a megabyte in a second; PyYAML's own parser takes half a minute.
_LOADER: type[yaml.CSafeLoader | yaml.SafeLoader] = getattr(yaml, "CSafeLoader", yaml.SafeLoader)


class Table(dict[str, Any]):
    """A mapping whose values are text, lists and tables; `lines` has the line (from 1) of each key."""

    def __init__(self) -> None:
        super().__init__()
        self.lines: dict[str, int] = {}

    def table(self, key: str) -> "Table":
        """The table under a key; an empty one where there is none, or something else."""
        value = self.get(key)
        return value if isinstance(value, Table) else Table()

    def text(self, key: str) -> str | None:
        """The text under a key; None where there is none, or something else."""
        value = self.get(key)
        return value if isinstance(value, str) else None

    def texts(self) -> Iterator[tuple[str, str]]:
        """The keys whose values are text."""
        return ((key, value) for key, value in self.items() if isinstance(value, str))


def load_yaml(name: str, text: str, remedy: str) -> Table:
    """Parse a file whose last document is a mapping; UsageError, with the line, for anything else."""
    try:
        reader = _Reader(name, remedy, iter(yaml.parse(text, Loader=_LOADER)))
        return reader.last()
    except yaml.YAMLError as error:
        mark = getattr(error, "problem_mark", None) or getattr(error, "context_mark", None)
        where = f"{name} line {mark.line + 1}" if mark else name
        reason = getattr(error, "problem", None) or getattr(error, "reason", None) or "it cannot be parsed"
        raise UsageError(f"{where} is cut off or no YAML: {shown(str(reason))}; {remedy}") from error


class _Reader:
    def __init__(self, name: str, remedy: str, events: Iterator[yaml.Event]) -> None:
        self.name = name
        self.remedy = remedy
        self.events = events

    def last(self) -> Table:
        """The last document: pnpm may write one of its own settings in front of the lock file."""
        value: Any = None
        for event in self.events:
            if isinstance(event, yaml.NodeEvent):
                value = self.node(event, 1)
        if not isinstance(value, Table):
            raise UsageError(f"{self.name} is no YAML mapping; {self.remedy}")
        return value

    def node(self, event: yaml.Event, depth: int) -> Any:
        if depth > _DEEPEST:
            raise self.refused(event, f"it nests more than {_DEEPEST} levels deep")
        match event:
            case yaml.ScalarEvent(tag=None):
                return event.value
            case yaml.MappingStartEvent(tag=None):
                return self.mapping(depth)
            case yaml.SequenceStartEvent(tag=None):
                items = []
                while not isinstance(event := next(self.events), yaml.SequenceEndEvent):
                    items.append(self.node(event, depth + 1))
                return items
            case _:
                raise self.refused(event, "aliases and tags are not written by a package manager")

    def mapping(self, depth: int) -> Table:
        table = Table()
        while not isinstance(event := next(self.events), yaml.MappingEndEvent):
            key = self.node(event, depth + 1)
            if not isinstance(key, str):
                raise self.refused(event, "a key is not text")
            if key in table:
                raise self.refused(event, f"{shown(repr(key), 60)} stands on line {table.lines[key]} already")
            table.lines[key] = _line(event)
            table[key] = self.node(next(self.events), depth + 1)
        return table

    def refused(self, event: yaml.Event, what: str) -> UsageError:
        return UsageError(f"{self.name} line {_line(event)}: {what}; {self.remedy}")


def _line(event: yaml.Event) -> int:
    return event.start_mark.line + 1 if event.start_mark else 1
