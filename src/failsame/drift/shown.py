"""From contradicted facts to drifts: one drift a cause, neighbours folded, strongest first.

More attempts mean more connections and more waits, and a call that never ends has no outcome. Such facts are compared
all the same; where their cause drifted they stand under it, in `also`, and in its fingerprint.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Literal, get_args

from pydantic import JsonValue

from failsame.drift.fingerprint import Upgrade, fingerprint
from failsame.drift.model import Drift, Severity
from failsame.drift.scenario import Contradictions
from failsame.facts import (
    FACTS,
    JITTERS,
    CallFacts,
    Fact,
    PerJitter,
    Recorded,
    Run,
    fold,
    same_facts,
    write_fact,
    write_side,
)
from failsame.observation import NEVER_SETTLED, Jitter

_EVERYTHING = tuple(FACTS)
_OF_ATTEMPTS = ("other_requests", "connections", "key_kept", "attempts_after_answer", "waits", "starts", "lasted")

STANDS_FOR: dict[str, tuple[str, ...]] = {
    "still_waiting": _EVERYTHING,
    "still_trying": _EVERYTHING,
    "data_lost": ("outcome",),
    "endpoints": ("attempts", *_OF_ATTEMPTS),
    "attempts": _OF_ATTEMPTS,
    "attempts_after_answer": ("late_attempts",),
    "give_up": ("waits", "starts", "lasted"),
    "waits": ("starts", "lasted"),
    "starts": ("lasted",),
}
"""A fact, and those that differ because it does. Between facts that stand for each other the first stands."""

SEVERITIES: tuple[Severity, ...] = get_args(Severity)
"""Strongest first."""

Sides = Literal["low", "high", "both"]


@dataclass(frozen=True)
class _Row:
    """One drift of one call, before it is folded with its neighbours."""

    fact: Fact
    sides: Sides
    severity: Severity
    before: CallFacts
    after: CallFacts
    also: tuple[str, ...]

    @property
    def jitters(self) -> tuple[Jitter, ...]:
        return JITTERS if self.sides == "both" else (self.sides,)

    def written(self, name: str, facts: CallFacts) -> JsonValue:
        both = facts[name]
        return write_fact(FACTS[name], both) if self.sides == "both" else write_side(FACTS[name], both.at(self.sides))

    def exact(self) -> dict[str, JsonValue]:
        """The new values, as far as they are exact: those that a fingerprint holds."""
        return {name: self.written(name, self.after) for name in (self.fact.name, *self.also) if FACTS[name].exact}


def drifts(
    reference: Recorded, measured: Recorded, found: Contradictions, scenario: str, upgrade: Upgrade
) -> tuple[Drift, ...]:
    """The drifts of a scenario, strongest first, then by call."""
    by_kind: dict[tuple[str, Sides, Severity], list[tuple[int, _Row]]] = {}
    for number, row in _rows(reference, measured, found):
        by_kind.setdefault((row.fact.name, row.sides, row.severity), []).append((number, row))
    conditions = reference.conditions.common(measured.conditions)

    def equal(one: _Row, two: _Row) -> bool:
        if one.exact() != two.exact():
            return False
        names = [one.fact.name]
        sides = [(_only(one.before, one), _only(two.before, two)), (_only(one.after, one), _only(two.after, two))]
        return all(same_facts(first, second, conditions, names) for first, second in sides)

    shown = []
    for rows in by_kind.values():
        for run in fold(rows, equal):
            rest = [row.also for number, row in rows if run.first <= number <= run.last]
            also = tuple(name for name in FACTS if any(name in names for names in rest))
            shown.append(_drift(run, also, scenario, upgrade))
    order = list(FACTS)
    return tuple(
        sorted(shown, key=lambda drift: (SEVERITIES.index(drift.severity), drift.call, order.index(drift.fact)))
    )


def _only(facts: CallFacts, row: _Row) -> CallFacts:
    """The row's fact at the jitters it drifted at alone."""
    values = facts[row.fact.name]
    first = values.at(row.jitters[0])
    return {row.fact.name: values if row.sides == "both" else PerJitter(first, first)}


def _drift(run: Run[_Row], also: tuple[str, ...], scenario: str, upgrade: Upgrade) -> Drift:
    row = run.value
    exact: Mapping[str, JsonValue] | None = None
    if row.fact.exact:
        exact = {"calls": [run.first, run.last], "jitter": row.sides, **row.exact()}
    return Drift(
        call=run.first,
        times=run.last - run.first + 1,
        jitter=row.sides,
        fact=row.fact.name,
        before=row.written(row.fact.name, row.before),
        after=row.written(row.fact.name, row.after),
        also=also,
        fingerprint=fingerprint(upgrade, scenario, row.fact.name, exact),
        severity=row.severity,
    )


def _rows(reference: Recorded, measured: Recorded, found: Contradictions) -> Iterator[tuple[int, _Row]]:
    for number, (before, after) in enumerate(zip(reference.calls, measured.calls, strict=True), start=1):
        causes = {
            jitter: _causes(before, after, found.facts.get((number, jitter), frozenset()), jitter) for jitter in JITTERS
        }
        for name, fact in FACTS.items():
            severities = {
                jitter: _severity(fact, before, after, jitter) for jitter in JITTERS if name in causes[jitter]
            }
            if len(set(severities.values())) == 1 and len(severities) == len(JITTERS):
                also = causes["low"][name] | causes["high"][name]
                yield number, _Row(fact, "both", severities["low"], before, after, _in_order(also))
            else:
                for jitter, severity in severities.items():
                    yield number, _Row(fact, jitter, severity, before, after, _in_order(causes[jitter][name]))


def _in_order(names: frozenset[str]) -> tuple[str, ...]:
    return tuple(name for name in FACTS if name in names)


def causes(contradicted: frozenset[str]) -> dict[str, frozenset[str]]:
    """The facts to be shown, weightiest first, each with those that it stands for."""
    shown: dict[str, frozenset[str]] = {}
    rest = contradicted
    for name in FACTS:
        if name in rest:
            shown[name] = (rest - {name}) & frozenset(STANDS_FOR.get(name, ()))
            rest -= shown[name]
    return shown


def _causes(
    before: CallFacts, after: CallFacts, contradicted: frozenset[str], jitter: Jitter
) -> dict[str, frozenset[str]]:
    shown = causes(contradicted)
    for cause in ("endpoints", "attempts"):
        if "key_kept" in shown.get(cause, ()) and not _single_attempt(before, after, jitter):
            shown[cause] -= {"key_kept"}
            shown["key_kept"] = frozenset()
    return shown


def _single_attempt(before: CallFacts, after: CallFacts, jitter: Jitter) -> bool:
    # Of a single attempt it is not known whether its key would have been kept.
    return any(facts["key_kept"].at(jitter) == (None,) for facts in (before, after))


def _severity(fact: Fact, before: CallFacts, after: CallFacts, jitter: Jitter) -> Severity:
    ended, ends = _ends(before, jitter), _ends(after, jitter)
    match fact.weight:
        case "ends" | "outcome" if ended and not ends:
            return "never-ends"
        case "ends" | "outcome" if ends and not ended:
            return "safer"
        case "data":
            return "data-lost" if True in after[fact.name].at(jitter) else "safer"
        case "outcome":
            return "outcome"
        case "time":
            return "times"
        case _:
            return "changed"


def _ends(facts: CallFacts, jitter: Jitter) -> bool:
    cut = any(True in facts[name].at(jitter) for name in ("still_waiting", "still_trying"))
    return not cut and NEVER_SETTLED not in facts["outcome"].at(jitter)
