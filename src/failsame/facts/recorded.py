"""One scenario as it stands in a baseline: how it was measured, and the facts of its calls."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property

from pydantic import JsonValue

from failsame.facts.calls import CallFacts, completed, essential, facts_of, same_facts, without_told_starts
from failsame.facts.jitters import PerJitter, read_fact, write_fact
from failsame.facts.kinds import FactError, quoted
from failsame.facts.labels import fold, numbers
from failsame.facts.slack import Conditions
from failsame.facts.table import FACTS, fact_named
from failsame.observation import Call, Observation


@dataclass(frozen=True)
class Measurement:
    """One scenario, measured once at each jitter."""

    low: Observation
    high: Observation

    @property
    def conditions(self) -> Conditions:
        """What holds for both trials."""
        return _conditions(self.low).common(_conditions(self.high))

    @cached_property
    def alone(self) -> "Recorded":
        """What a baseline would hold of it. Asked for by what compares, by budgets and by the report."""
        return of_calls([[pair] for pair in zip(self.low.calls, self.high.calls, strict=True)], self.conditions)


@dataclass(frozen=True)
class Recorded:
    """All calls of a scenario, with every fact."""

    conditions: Conditions
    calls: tuple[CallFacts, ...]


@dataclass(frozen=True)
class Patch:
    """What a coming file says of a scenario: for some calls (by number, from 1) some of the facts."""

    conditions: Conditions
    calls: Mapping[int, CallFacts] = field(default_factory=dict)


def recorded(measurements: Sequence[Measurement]) -> Recorded:
    """Make of one or several measurements of a scenario what a baseline would hold."""
    if len(measurements) == 1:
        return measurements[0].alone
    conditions = measurements[0].conditions
    for measurement in measurements[1:]:
        conditions = conditions.common(measurement.conditions)
    pairs = [zip(one.low.calls, one.high.calls, strict=True) for one in measurements]
    return of_calls([list(calls) for calls in zip(*pairs, strict=True)], conditions)


def of_calls(calls: Sequence[Sequence[tuple[Call, Call]]], conditions: Conditions) -> Recorded:
    """The same of bare calls: for each call its measurements, each at jitter low and high."""
    return Recorded(conditions, tuple(facts_of(measured, conditions) for measured in calls))


def labelled(scenario: Recorded) -> dict[str, dict[str, JsonValue]]:
    """The facts of a scenario's calls as a report shows them: label -> fact -> value, nothing left out."""
    runs = fold(enumerate(scenario.calls, start=1), lambda one, two: same_facts(one, two, scenario.conditions))
    return {run.label: _written(run.value) for run in runs}


def write_recorded(scenario: Recorded) -> dict[str, JsonValue]:
    """Write a scenario as a baseline does: equal neighbours folded, defaults left out."""
    conditions = scenario.conditions
    runs = fold(enumerate(scenario.calls, start=1), lambda one, two: same_facts(one, two, conditions))
    return {**_head(conditions), **{run.label: _written(essential(run.value, conditions)) for run in runs}}


def read_recorded(document: Mapping[str, JsonValue]) -> Recorded:
    """Read a scenario of a baseline; raises FactError."""
    conditions, calls = _read(document)
    if not calls or set(calls) != set(range(1, len(calls) + 1)):
        missing = next(number for number in range(1, len(calls) + 2) if number not in calls)
        raise FactError(f"call {missing} is missing")
    required = [name for name, fact in FACTS.items() if fact.default is None]
    for number, facts in calls.items():
        for name in required:
            if name not in facts:
                raise FactError(f"call {number} has no {quoted(name)}")
    return Recorded(conditions, tuple(completed(calls[number]) for number in sorted(calls)))


def write_patch(patch: Patch) -> dict[str, JsonValue]:
    """Write what a coming file says of a scenario: what is not there is not changed, so no default is left out.

    Only starts that its waits tell are: they change with the waits.
    """
    runs = fold(
        sorted(patch.calls.items()),
        lambda one, two: one.keys() == two.keys() and same_facts(one, two, patch.conditions, one),
    )
    conditions = patch.conditions
    told = {run.label: without_told_starts(run.value, run.value, conditions) for run in runs}
    return {**_head(conditions), **{label: _written(facts) for label, facts in told.items()}}


def read_patch(document: Mapping[str, JsonValue]) -> Patch:
    """Read a scenario of a coming file; raises FactError."""
    conditions, calls = _read(document)
    return Patch(conditions, calls)


def _conditions(observation: Observation) -> Conditions:
    return Conditions(observation.clock, observation.horizon, observation.aligned)


def _head(conditions: Conditions) -> dict[str, JsonValue]:
    horizon = conditions.horizon
    head: dict[str, JsonValue] = {
        "clock": conditions.clock,
        "horizon": int(horizon) if horizon.is_integer() else horizon,
    }
    return head if conditions.aligned else {**head, "aligned": False}


def _written(facts: CallFacts) -> dict[str, JsonValue]:
    return {name: write_fact(FACTS[name], facts[name]) for name in sorted(facts)}


def _read(document: Mapping[str, JsonValue]) -> tuple[Conditions, dict[int, CallFacts]]:
    rest = dict(document)
    conditions = _read_head(rest)
    calls: dict[int, CallFacts] = {}
    for label, value in rest.items():
        if not isinstance(value, dict):
            raise FactError(f"{label}: {quoted(value)} does not map facts to values")
        facts = _read_facts(label, value)
        for number in numbers(label):
            if number in calls:
                raise FactError(f"{label}: call {number} stands there twice")
            calls[number] = facts
    return conditions, calls


def _read_head(rest: dict[str, JsonValue]) -> Conditions:
    clock, horizon, aligned = rest.pop("clock", None), rest.pop("horizon", None), rest.pop("aligned", True)
    if clock not in ("skip", "real"):
        raise FactError(f"clock: {quoted(clock)} is neither skip nor real")
    if not isinstance(horizon, int | float) or isinstance(horizon, bool) or not 0 < horizon <= 1e9:  # noqa: PLR2004
        raise FactError(f"horizon: {quoted(horizon)} is not a number of seconds")
    if not isinstance(aligned, bool):
        raise FactError(f"aligned: {quoted(aligned)} is neither true nor false")
    return Conditions("skip" if clock == "skip" else "real", float(horizon), aligned)


def _read_facts(label: str, document: Mapping[str, JsonValue]) -> CallFacts:
    numbers(label)
    facts: dict[str, PerJitter] = {}
    for name, value in document.items():
        try:
            facts[name] = read_fact(fact_named(name), value)
        except FactError as error:
            raise FactError(f"{label}: {error if name not in FACTS else f'{name}: {error}'}") from error
    return facts
