"""The facts of a call, as one table: a new fact is a new row."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from difflib import get_close_matches
from itertools import accumulate
from typing import Literal

from failsame.facts.kinds import (
    COUNT,
    COUNTS,
    FLAG,
    MAYBE,
    NAMES,
    TEXT,
    TIME,
    TIMES,
    Counts,
    FactError,
    Kind,
    Names,
    Time,
    Times,
    Value,
    moment,
    quoted,
)
from failsame.observation import Call

Alternatives = tuple[Value, ...]
"""The values of a fact at one jitter, any of which is accepted: mostly one, more if it varied when recorded."""

Weight = Literal["ends", "data", "outcome", "exact", "time"]
"""What a difference in a fact means: the call ends or not, data is lost, …; the report's order rests on it."""


@dataclass(frozen=True)
class Fact:
    """One fact: its name in files, its kind, what a difference means, how it is read from a call.

    `default` is what a baseline leaves out, from the facts before it; without one the fact is always written.
    """

    name: str
    kind: Kind
    weight: Weight
    of: Callable[[Call, int], Value]
    """The call, and the digits that times are stored to."""
    default: Callable[[Mapping[str, Alternatives]], Alternatives] | None

    @property
    def exact(self) -> bool:
        """Whether any difference is drift; else times are compared with slack."""
        return self.weight != "time"


def _always(value: Value) -> Callable[[Mapping[str, Alternatives]], Alternatives]:
    return lambda _: (value,)


def _outcome(call: Call, _: int) -> str | None:
    return f"{call.outcome} {call.code}" if call.outcome is not None and call.code is not None else call.outcome


def _time(seconds: float | None, digits: int) -> Time | None:
    return None if seconds is None else moment(seconds, digits)


def _no_waits(facts: Mapping[str, Alternatives]) -> Alternatives:
    """No wait is known: none of the answers ended."""
    attempts = (count for count in facts["attempts"] if isinstance(count, int))
    # The limit is there because the count may come from a file.
    return tuple(dict.fromkeys((None,) * (min(count, 1000) - 1) for count in attempts))


def _waits_added_up(facts: Mapping[str, Alternatives]) -> Alternatives:
    """The starts that the waits tell, where the first attempt starts at once and answers take no time."""
    if all(count == 0 for count in facts["attempts"]):
        return ((),)
    return tuple(dict.fromkeys(_added_up(waits) for waits in facts["waits"] if isinstance(waits, tuple)))


def _added_up(waits: Times) -> Times:
    known = [wait.least for wait in waits if wait is not None and wait.width == 0]
    if len(known) < len(waits):
        return ()
    return tuple(moment(at, 3) for at in accumulate(known, initial=0.0))


_NO = _always(value=False)

FACTS: dict[str, Fact] = {
    fact.name: fact
    for fact in (
        Fact("still_waiting", FLAG, "ends", lambda call, _: call.still_waiting, _NO),
        Fact("still_trying", FLAG, "ends", lambda call, _: call.still_trying, _NO),
        Fact("data_lost", FLAG, "data", lambda call, _: call.data_lost, _NO),
        Fact("outcome", TEXT, "outcome", _outcome, _always(None)),
        Fact("endpoints", NAMES, "exact", lambda call, _: Names(call.endpoints), _always(Names())),
        Fact("attempts", COUNT, "exact", lambda call, _: call.attempts, None),
        Fact(
            "other_requests",
            COUNTS,
            "exact",
            lambda call, _: Counts(tuple(sorted(call.other_requests.items()))),
            _always(Counts()),
        ),
        Fact("connections", COUNT, "exact", lambda call, _: call.connections, _always(0)),
        Fact("dead_connection_reused", FLAG, "exact", lambda call, _: call.dead_connection_reused, _NO),
        Fact("key_kept", MAYBE, "exact", lambda call, _: call.key_kept, _always(None)),
        Fact("attempts_after_answer", COUNT, "exact", lambda call, _: call.attempts_after_answer, _always(0)),
        Fact("late_attempts", COUNT, "exact", lambda call, _: call.late_attempts, _always(0)),
        Fact("give_up", TIME, "time", lambda call, digits: _time(call.give_up, digits), _always(None)),
        Fact("waits", TIMES, "time", lambda call, digits: tuple(_time(wait, digits) for wait in call.waits), _no_waits),
        Fact(
            "starts",
            TIMES,
            "time",
            lambda call, digits: tuple(_time(attempt.at, digits) for attempt in call.starts),
            _waits_added_up,
        ),
        Fact(
            "lasted",
            TIMES,
            "time",
            lambda call, digits: tuple(_time(seconds, digits) for seconds in call.lasted),
            _always(()),
        ),
    )
}
"""Every fact by name, the weightiest first. A default may rest on facts that stand before it."""


def fact_named(name: str) -> Fact:
    """Look a fact up; raises FactError that names the nearest known one."""
    if name in FACTS:
        return FACTS[name]
    nearest = get_close_matches(name, FACTS, 1)
    raise FactError(f"unknown fact {quoted(name)}" + (f", did you mean {nearest[0]}?" if nearest else ""))
