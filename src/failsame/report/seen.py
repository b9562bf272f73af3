"""What each call did, before and after, in one form: the reference and the measurement are written differently.

The reference holds facts by name, as `facts.labelled` writes them, the measurement whole calls. Here both are one
`Facts` per call. A report is a file that may come from anywhere: what cannot be understood is not there.
"""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from itertools import chain
from typing import Literal

from pydantic import JsonValue

from failsame.observation import KERNEL_GAVE_UP, NEVER_SETTLED, NOT_MADE, Call, ClockName
from failsame.report.model import FoldedCalls, ScenarioReport

Sides = tuple[tuple[JsonValue, ...], tuple[JsonValue, ...]]
"""A fact's accepted values at jitter low and high: mostly one each, more where it varied when it was recorded."""
Kind = Literal[
    "not-made", "still-waiting", "still-trying", "never-settled", "kernel", "data-lost", "died", "ok", "error"
]

_LABEL = re.compile(r"calls? (\d{1,4})(?:-(\d{1,4}))?", re.ASCII)
_MOST_CALLS = 1000
_LARGEST = 1e12
_TIMES = frozenset({"give_up"})
_SEQUENCES = frozenset({"waits", "starts", "lasted"})
_LOW_AND_HIGH = 2
# In real time a process that was not scheduled is a tenth of a second, and the slack more than two of them.
_DIGITS: dict[ClockName, int] = {"skip": 2, "real": 1}
_KINDS: dict[str, Kind] = {NOT_MADE: "not-made", NEVER_SETTLED: "never-settled", KERNEL_GAVE_UP: "kernel", "ok": "ok"}
_DIED = re.compile(r"(exit|signal) \w+", re.ASCII)
"""As `how_ended` has it; an error has the name of its class."""
FLAGS: dict[str, Kind] = {
    "still_waiting": "still-waiting",
    "still_trying": "still-trying",
    "data_lost": "data-lost",
}
"""Facts that say how a call ended, whatever its outcome."""


@dataclass(frozen=True)
class Facts:
    """What one call did: fact -> its values. A fact that is not there is unknown."""

    values: Mapping[str, Sides] = field(default_factory=dict)
    digits: int = 2
    """Decimals that its give-up time is good for."""

    def every(self, fact: str) -> list[JsonValue]:
        """All values of a fact, at jitter low and high, each once."""
        found: list[JsonValue] = []
        for value in chain(*self.values.get(fact, ((), ()))):
            if value not in found:
                found.append(value)
        return found

    def numbers(self, fact: str) -> list[float]:
        """The numbers among a fact's values; of a time that was sampled both ends."""
        spread = chain.from_iterable(map(_sampled, self.every(fact)))
        numbers = [value for value in map(_number, spread) if value is not None]
        return [round(value, self.digits) for value in numbers] if fact in _TIMES else numbers

    def sequence(self, fact: str, side: int) -> list[float | None]:
        """A list of times (`waits`, `starts`, `lasted`) at jitter low (0) or high (1); None for an entry without one.

        Of an entry that was sampled the least at 0 and the most at 1.
        """
        lists = [value for value in self.values.get(fact, ((), ()))[side] if isinstance(value, list)]
        return [_number(_sampled(entry)[-side]) for entry in lists[0]] if lists else []

    def varied(self, fact: str) -> bool:
        """Whether several values of a fact are accepted at one jitter: it was seen to vary."""
        return any(len(values) > 1 for values in self.values.get(fact, ((), ())))

    def kinds(self) -> tuple[Kind, ...]:
        """How the call ended: mostly one way, more where jitter or chance decides it."""
        ways: list[Kind] = []
        for side in (0, 1):
            flags = [kind for fact, kind in FLAGS.items() if True in self.values.get(fact, ((), ()))[side]]
            outcomes = [value for value in self.values.get("outcome", ((), ()))[side] if isinstance(value, str)]
            ways += flags[:1] or [_kind(outcome) for outcome in outcomes] or ["error"]
        return tuple(dict.fromkeys(ways))


def _kind(outcome: str) -> Kind:
    return "died" if _DIED.fullmatch(outcome) else _KINDS.get(outcome, "error")


@dataclass(frozen=True)
class Calls:
    """One call of a scenario, before and after. `drifted` facts are drifts, `changed` ones differ with them too."""

    number: int
    before: Facts
    after: Facts
    drifted: frozenset[str]
    changed: frozenset[str]


def compared(scenario: ScenarioReport) -> tuple[Calls, ...]:
    """Every call of a scenario. What is not in the reference is what was measured, but for what drifted."""
    after = dict(enumerate(_measured(scenario.calls), start=1))
    before = _referenced(scenario.before)
    drifted: dict[int, set[str]] = {}
    changed: dict[int, set[str]] = {}
    told: dict[int, dict[str, Sides]] = {}
    for drift in scenario.drifts:
        first = min(max(drift.call, 1), _MOST_CALLS)
        for place in range(first, min(first + max(drift.times, 1), _MOST_CALLS + 1)):
            drifted.setdefault(place, set()).add(drift.fact)
            changed.setdefault(place, set()).update((drift.fact, *drift.also))
            low, high = _sides(drift.fact, drift.before)
            known = after.get(place, Facts()).values.get(drift.fact, ((), ()))
            told.setdefault(place, {})[drift.fact] = (
                known[0] if drift.jitter == "high" else low,
                known[1] if drift.jitter == "low" else high,
            )
    digits = _DIGITS[scenario.clock]
    places = range(1, min(max((*after, *before, *drifted), default=0), _MOST_CALLS) + 1)
    return tuple(
        Calls(
            number=place,
            before=Facts(
                {
                    **after.get(place, Facts()).values,
                    **told.get(place, {}),
                    **before.get(place, Facts()).values,
                },
                digits,
            ),
            after=Facts(after.get(place, Facts()).values, digits),
            drifted=frozenset(drifted.get(place, ())),
            changed=frozenset(changed.get(place, ())),
        )
        for place in places
    )


def _measured(calls: tuple[FoldedCalls, ...]) -> Iterator[Facts]:
    for folded in calls:
        low, high = folded.low or folded.both, folded.high or folded.both
        facts = Facts() if low is None or high is None else _of_calls(low, high)
        yield from [facts] * max(0, min(folded.times, _MOST_CALLS))


def _of_calls(low: Call, high: Call) -> Facts:
    sides = [
        {
            **call.model_dump(mode="json"),
            "starts": [attempt.at for attempt in call.starts],
            "lasted": [*call.lasted],
            # As the table of facts has it: the error and its code are one fact.
            "outcome": call.outcome if call.code is None else f"{call.outcome} {call.code}",
        }
        for call in (low, high)
    ]
    return Facts({fact: ((sides[0][fact],), (sides[1][fact],)) for fact in sides[0]})


def _referenced(before: Mapping[str, Mapping[str, JsonValue]]) -> dict[int, Facts]:
    calls: dict[int, Facts] = {}
    for label, facts in before.items():
        match = _LABEL.fullmatch(label)
        if match is None:
            continue
        first, last = int(match[1]), min(int(match[2] or match[1]), _MOST_CALLS)
        seen = Facts({fact: _sides(fact, value) for fact, value in facts.items()})
        calls.update(dict.fromkeys(range(first, last + 1), seen))
    return calls


def _sides(fact: str, value: JsonValue) -> Sides:
    """Read a value as a baseline writes it (`facts.jitters` has the table of forms)."""
    if isinstance(value, dict) and set(value) == {"low", "high"}:
        return _alternatives(value["low"]), _alternatives(value["high"])
    if isinstance(value, list) and fact in _TIMES and len(value) == _LOW_AND_HIGH:
        return (value[0],), (value[1],)
    if isinstance(value, list) and fact in _SEQUENCES:
        pairs = [entry if isinstance(entry, list) and len(entry) == _LOW_AND_HIGH else [entry] * 2 for entry in value]
        return ([entry[0] for entry in pairs],), ([entry[1] for entry in pairs],)
    return _alternatives(value), _alternatives(value)


def _alternatives(value: JsonValue) -> tuple[JsonValue, ...]:
    several = value["any"] if isinstance(value, dict) and set(value) == {"any"} else None
    return tuple(several) if isinstance(several, list) else (value,)


def _sampled(value: JsonValue) -> list[JsonValue]:
    ends = value["sampled"] if isinstance(value, dict) and set(value) == {"sampled"} else None
    return ends if isinstance(ends, list) and ends else [value]


def _number(value: JsonValue) -> float | None:
    if isinstance(value, int | float) and not isinstance(value, bool) and abs(value) < _LARGEST:
        return float(value)
    return None
