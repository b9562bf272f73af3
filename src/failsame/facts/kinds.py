"""The kinds of values a fact can have, and how each is written in a baseline file and read back."""

import json
from collections.abc import Callable
from dataclasses import dataclass

from pydantic import JsonValue

_LARGEST = 1e9  # seconds, or anything counted: a file is anybody's, and its numbers must stay numbers


class FactError(ValueError):
    """What is wrong with a value in a baseline file, in a few words that follow its place."""


@dataclass(frozen=True, slots=True, order=True)
class Time:
    """Seconds: one moment, or from the least to the most of a time whose draws could not be pinned."""

    least: float
    most: float

    @property
    def width(self) -> float:
        """How far the samples lie apart; 0 for a pinned time."""
        return self.most - self.least


@dataclass(frozen=True, slots=True)
class Counts:
    """Counts by name, sorted by it: `METHOD /path` -> attempts."""

    items: tuple[tuple[str, int], ...] = ()


@dataclass(frozen=True, slots=True)
class Names:
    """Names in an order of their own: the endpoint of each attempt."""

    items: tuple[str, ...] = ()


Times = tuple[Time | None, ...]
Value = str | int | None | Time | Times | Counts | Names
"""What a fact is at one jitter. A bool is an int."""


@dataclass(frozen=True)
class Kind:
    """One kind of value: how it is written, and read back (raises FactError)."""

    write: Callable[[Value], JsonValue]
    read: Callable[[JsonValue], Value]


def quoted(value: JsonValue) -> str:
    """A value from a file, short and harmless, for a message."""
    text = json.dumps(value)
    return text if len(text) <= 60 else f"{text[:57]}..."  # noqa: PLR2004 - as much as a line has room for


def moment(seconds: float, digits: int) -> Time:
    """A pinned time, to so many digits. Adding 0.0 makes -0.0 a plain zero, which the file's bytes would show."""
    rounded = round(seconds, digits) + 0.0
    return Time(rounded, rounded)


def _write_plain(value: Value) -> JsonValue:
    if isinstance(value, str | int) or value is None:
        return value
    raise TypeError(value)


def _read_count(value: JsonValue) -> int:
    if isinstance(value, int) and not isinstance(value, bool) and 0 <= value <= _LARGEST:
        return value
    raise FactError(f"{quoted(value)} is not a count")


def _read_flag(value: JsonValue) -> bool:
    if isinstance(value, bool):
        return value
    raise FactError(f"{quoted(value)} is neither true nor false")


def _read_maybe(value: JsonValue) -> bool | None:
    return None if value is None else _read_flag(value)


def _read_text(value: JsonValue) -> str | None:
    if value is None or isinstance(value, str):
        return value
    raise FactError(f"{quoted(value)} is not a text")


def _write_counts(value: Value) -> JsonValue:
    if isinstance(value, Counts):
        return dict(value.items)
    raise TypeError(value)


def _read_counts(value: JsonValue) -> Counts:
    # A name has a space ("GET /path"), so that no name can be taken for `low`, `high` or `any`.
    if isinstance(value, dict) and all(" " in name for name in value):
        return Counts(tuple(sorted((name, _read_count(count)) for name, count in value.items())))
    raise FactError(f"{quoted(value)} does not map requests (METHOD /path) to counts")


def _write_names(value: Value) -> JsonValue:
    if isinstance(value, Names):
        return [*value.items]
    raise TypeError(value)


def _read_names(value: JsonValue) -> Names:
    if isinstance(value, list) and all(isinstance(name, str) for name in value):
        return Names(tuple(str(name) for name in value))
    raise FactError(f"{quoted(value)} is not a list of names")


def _write_time(value: Value) -> JsonValue:
    if value is None:
        return None
    if isinstance(value, Time):
        return value.least if value.least == value.most else {"sampled": [value.least, value.most]}
    raise TypeError(value)


def _read_time(value: JsonValue) -> Time | None:
    if value is None:
        return None
    if isinstance(value, dict) and set(value) == {"sampled"}:
        ends = value["sampled"]
        if isinstance(ends, list) and len(ends) == 2:  # noqa: PLR2004 - the least and the most
            least, most = (_seconds(end) for end in ends)
            if least <= most:
                return Time(least, most)
        raise FactError(f"{quoted(value)} is not a range of seconds")
    seconds = _seconds(value)
    return Time(seconds, seconds)


def _seconds(value: JsonValue) -> float:
    # The limits come first: an int can be too large for a float.
    if isinstance(value, int | float) and not isinstance(value, bool) and -_LARGEST <= value <= _LARGEST:
        return float(value) + 0.0
    raise FactError(f"{quoted(value)} is not a number of seconds")


def _write_times(value: Value) -> JsonValue:
    if isinstance(value, tuple):
        return [_write_time(entry) for entry in value]
    raise TypeError(value)


def _read_times(value: JsonValue) -> Times:
    if isinstance(value, list):
        return tuple(_read_time(entry) for entry in value)
    raise FactError(f"{quoted(value)} is not a list of seconds")


COUNT = Kind(_write_plain, _read_count)
FLAG = Kind(_write_plain, _read_flag)
MAYBE = Kind(_write_plain, _read_maybe)
TEXT = Kind(_write_plain, _read_text)
COUNTS = Kind(_write_counts, _read_counts)
NAMES = Kind(_write_names, _read_names)
TIME = Kind(_write_time, _read_time)
TIMES = Kind(_write_times, _read_times)
