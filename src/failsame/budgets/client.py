"""A subject as rules see it: what was measured and declared, and what its client shows of its settings."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from math import inf

from failsame.budgets.amount import UNKNOWN, Amount, largest, smallest
from failsame.budgets.check import Declared
from failsame.budgets.names import MEASURES, SETTINGS, setting_of
from failsame.budgets.results import LONGEST, Result, results, waits_unseen
from failsame.budgets.tree import Term
from failsame.budgets.units import PLAIN, Dimension
from failsame.facts import Recorded
from failsame.suite import SCENARIOS
from failsame.words import quoted

Setting = str | float | int | bool | None

NO_TIMEOUT = "none"
"""What probes say of a timeout that is switched off: it never ends anything."""

_LARGEST = 1e12  # a client's own value may be anything
_CONTROL = "healthy"  # no outage: it counts only where it is named


@dataclass(frozen=True)
class Absent:
    """Why there is no number. `aside`: because nobody asked for it in this run."""

    why: str
    aside: bool = False


@dataclass(frozen=True)
class Reading:
    """What a term is, and which scenario makes it so; None where there is nothing, as waits of who does not retry."""

    term: Term
    amount: Amount | None
    scenario: str | None = None
    why: str | None = None
    """Why it is not one number, where it is not."""
    aside: bool = False
    longer: tuple[str, ...] = ()
    """Scenarios that have to be watched longer to know."""
    dimension: Dimension = PLAIN


@dataclass(frozen=True)
class Client:
    """One subject."""

    declared: Declared = field(default_factory=dict)
    settings: Mapping[str, Setting] = field(default_factory=dict)
    scenarios: Mapping[str, Recorded] = field(default_factory=dict)
    """What was measured."""
    absent: Mapping[str, Absent] = field(default_factory=dict)
    """Scenarios that it runs, and that were not measured."""
    unfit: Mapping[str, str] = field(default_factory=dict)
    """Scenarios that it cannot run: name -> why."""
    groups: Mapping[str, str] = field(default_factory=dict)
    """Own scenario -> group."""
    nothing: Absent | None = None
    """Why there is nothing of it at all, but for what is declared."""

    def reading(self, term: Term) -> Reading:
        """Say what a term is."""
        if term.name in self.declared:
            quantity = self.declared[term.name]
            return Reading(term, Amount(quantity.value, quantity.value), dimension=quantity.dimension)
        measured = term.name in MEASURES
        dimension = MEASURES[term.name].dimension if measured else SETTINGS[setting_of(term.name)]
        if self.nothing is not None:
            return Reading(term, UNKNOWN, why=self.nothing.why, aside=self.nothing.aside, dimension=dimension)
        return replace(self._measured(term) if measured else self._setting(term), dimension=dimension)

    def until(self, horizon: float) -> "Client":
        """The same client, if every call that was still waiting were so for so many seconds."""
        return replace(self, scenarios={name: _until(horizon, each) for name, each in self.scenarios.items()})

    def _setting(self, term: Term) -> Reading:
        name = setting_of(term.name)
        value = self.settings.get(name)
        if value == NO_TIMEOUT:
            return Reading(term, Amount(inf, inf))
        if isinstance(value, int | float) and not isinstance(value, bool) and abs(value) < _LARGEST:
            return Reading(term, Amount.of(value))
        shown = ", ".join(sorted(self.settings)) or "none at all"
        return Reading(
            term, UNKNOWN, why=f"the client does not show its {quoted(name)}; of its settings it shows {shown}"
        )

    def _measured(self, term: Term) -> Reading:
        found = {
            name: list(results(term.name, name, self.scenarios[name])) for name in self._named(term, self.scenarios)
        }
        absent = [self.absent[name] for name in self._named(term, self.absent)]
        if not found and not absent:
            why = self.unfit.get(term.scope or "", "none of its scenarios fits this subject")
            return Reading(term, UNKNOWN, why=why)
        reading = _read(term, found, absent)
        if reading.amount is None and any(waits_unseen(self.scenarios[name]) for name in found):
            return Reading(term, Amount.from_to(0, inf), why="no wait before a retry was seen")
        return reading

    def _named(self, term: Term, names: Iterable[str]) -> list[str]:
        """Those of the scenarios that a term is about."""
        if term.scope is None:
            return [name for name in names if name != _CONTROL]
        return [name for name in names if term.scope in (name, self._group(name))]

    def _group(self, name: str) -> str | None:
        known = SCENARIOS.get(name)
        return self.groups.get(name) if known is None else known.group


def _until(horizon: float, recorded: Recorded) -> Recorded:
    seen = recorded.conditions
    watched = max(seen.horizon, min(horizon, LONGEST[seen.clock]))
    return replace(recorded, conditions=replace(seen, horizon=watched))


def _read(term: Term, found: Mapping[str, list[Result]], absent: list[Absent]) -> Reading:
    """Read one number off several scenarios, as far as it is known without those that are absent."""
    extreme = smallest if term.end == "floor" else largest
    by_name = {name: extreme(each.amount for each in several) for name, several in found.items() if several}
    amounts = [*by_name.values(), *(Amount.from_to(0, inf) for _ in absent)]
    if not amounts:
        return Reading(term, None)
    amount = extreme(amounts)
    deciding = _deciding(term, by_name)
    if amount.known:
        return Reading(term, amount, deciding)
    cut = [f"{name}: {each.why}" for name, several in found.items() for each in several if each.why is not None]
    missing = [each.why for each in absent if not each.aside]
    return Reading(
        term,
        amount,
        deciding,
        why=next(iter((*missing, *cut, *(each.why for each in absent)))),
        aside=not missing and not cut,
        longer=tuple(name for name, several in found.items() if any(each.longer for each in several)),
    )


def _deciding(term: Term, amounts: Mapping[str, Amount]) -> str | None:
    """The scenario that makes the number what it is; of several the first."""
    if term.end == "floor":
        return min(amounts, key=lambda name: amounts[name].most, default=None)
    return max(amounts, key=lambda name: (amounts[name].least, amounts[name].most), default=None)
