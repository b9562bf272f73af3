"""A fact at jitter low and high, as a baseline writes it.

3                                     both the same
{"low": 3, "high": 5}                 an exact fact that depends on jitter
{"any": [3, 4]}                       an exact fact that varied when it was recorded; any of them is accepted
[1.5, 1.125]                          a time, low and high
[[0.5, 0.375], [1.0, 0.75]]           a list of times
{"low": [0.5], "high": [0.5, 1.0]}    a list whose length depends on jitter
{"sampled": [0.1, 14.2]}              a time whose draws could not be pinned: the least and the most seen
"""

import json
from collections.abc import Iterable
from dataclasses import dataclass

from pydantic import JsonValue

from failsame.facts.kinds import TIME, FactError, Value, quoted
from failsame.facts.table import Alternatives, Fact
from failsame.observation import Jitter

_MOST_ALTERNATIVES = 16  # of a fact that varies; more say nothing, and comparing takes as many times longer


@dataclass(frozen=True)
class PerJitter:
    """The accepted values of one fact at jitter low and high."""

    low: Alternatives
    high: Alternatives

    def at(self, jitter: Jitter) -> Alternatives:
        """The values at one jitter."""
        return self.low if jitter == "low" else self.high


def accepted(fact: Fact, values: Iterable[Value]) -> Alternatives:
    """Alternatives in their one order, each once: by their text, the shorter first, so that 9 stands before 10."""
    unique = tuple(dict.fromkeys(values))
    if len(unique) == 1:  # as nearly always
        return unique
    texts = {value: json.dumps(fact.kind.write(value)) for value in unique}
    return tuple(sorted(texts, key=lambda value: (len(texts[value]), texts[value])))


def write_fact(fact: Fact, both: PerJitter) -> JsonValue:
    """Write a fact as a baseline does."""
    low = [fact.kind.write(value) for value in both.low]
    high = [fact.kind.write(value) for value in both.high]
    if fact.exact and both.low == both.high:
        return _any(low)
    if not fact.exact and len(low) == len(high) == 1:
        if fact.kind is TIME:
            return _pair(low[0], high[0])
        if isinstance(low[0], list) and isinstance(high[0], list) and len(low[0]) == len(high[0]):
            return [_pair(one, two) for one, two in zip(low[0], high[0], strict=True)]
    return {"low": _any(low), "high": _any(high)}


def write_side(fact: Fact, values: Alternatives) -> JsonValue:
    """Write a fact at one jitter alone."""
    return _any([fact.kind.write(value) for value in values])


def read_fact(fact: Fact, value: JsonValue) -> PerJitter:
    """Read a fact as a baseline writes it; raises FactError."""
    if isinstance(value, dict) and set(value) == {"low", "high"}:
        return PerJitter(_alternatives(fact, value["low"]), _alternatives(fact, value["high"]))
    if fact.exact:
        alternatives = _alternatives(fact, value)
        return PerJitter(alternatives, alternatives)
    if fact.kind is TIME:
        low, high = _unpaired(value)
        return PerJitter((fact.kind.read(low),), (fact.kind.read(high),))
    if not isinstance(value, list):
        raise FactError(f"{quoted(value)} is not a list of pairs of seconds")
    pairs = [_unpaired(entry) for entry in value]
    return PerJitter(
        (fact.kind.read([low for low, _ in pairs]),),
        (fact.kind.read([high for _, high in pairs]),),
    )


def _any(values: list[JsonValue]) -> JsonValue:
    return values[0] if len(values) == 1 else {"any": values}


def _alternatives(fact: Fact, value: JsonValue) -> Alternatives:
    values = value["any"] if isinstance(value, dict) and set(value) == {"any"} else [value]
    if not isinstance(values, list) or not 1 <= len(values) <= _MOST_ALTERNATIVES:
        raise FactError(f"{quoted(value)} does not list 1 to {_MOST_ALTERNATIVES} values")
    return accepted(fact, [fact.kind.read(entry) for entry in values])


def _pair(low: JsonValue, high: JsonValue) -> JsonValue:
    return low if low == high and isinstance(low, dict) else [low, high]


def _unpaired(value: JsonValue) -> tuple[JsonValue, JsonValue]:
    if isinstance(value, list) and len(value) == 2:  # noqa: PLR2004 - jitter low and high
        return value[0], value[1]
    if isinstance(value, dict):
        return value, value
    raise FactError(f"{quoted(value)} is not a pair of seconds, jitter low and high")
