"""Budgets and costs in words: each rule with the numbers put in, how much room is left, and what broke it."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from failsame.budgets import CATALOGUE
from failsame.pins.model import Change
from failsame.report.choices import moved
from failsame.report.model import BudgetReport, CostReport, Figure, SubjectReport, Term

_DECIMALS = {"s": 3, "USD": 2}
"""Unit -> decimals at most: seconds are measured to a thousandth."""

_MOST_DECIMALS = 10
_COSTS: Mapping[str, str] = {
    "money": "10,000 calls cost {number}{instead}",
    "concurrency": "{number} calls are held at once{instead}",
}
_FIRST = ("broken", "unmeasured", "kept", "left-out")


@dataclass(frozen=True)
class PutIn:
    """A term with its number."""

    term: str
    said: str
    """`is 15.3 s`, `is at least 33 s`, `is without end: the call never ends`."""
    scenario: str | None


@dataclass(frozen=True)
class BudgetLine:
    """One budget, ready to be shown."""

    budget: BudgetReport
    numbers: tuple[PutIn, ...]
    room: str
    """`14.7 s left`, `over by 12.3 s`, `not known`."""
    changes: tuple[Change, ...]
    """What can have broken it, most likely first."""
    remedy: str | None
    """What the catalogue says to do."""

    @property
    def wrong(self) -> bool:
        """Whether there is something to be done about it."""
        return self.budget.verdict in ("broken", "unmeasured")


def budget_lines(subject: SubjectReport, changes: Iterable[Change]) -> tuple[BudgetLine, ...]:
    """All budgets of a subject, those that are broken first, then those that are not known."""
    by_name = moved(subject, changes)
    ordered = sorted(subject.budgets, key=lambda each: (_FIRST.index(each.verdict), each.severity != "must"))
    return tuple(
        BudgetLine(
            budget=budget,
            numbers=tuple(PutIn(each.term, _said(each), each.scenario) for each in budget.terms),
            room=room(budget),
            changes=tuple(by_name[name] for name in budget.broken_by if name in by_name),
            remedy=_remedy(budget),
        )
        for budget in ordered
    )


def _said(term: Term) -> str:
    endless = term.figure is not None and term.figure.least is None and "give_up." in term.term
    return f"is {number(term.figure, term.unit)}{': the call never ends' if endless else ''}"


def _remedy(budget: BudgetReport) -> str | None:
    named = CATALOGUE.get(budget.name or "")
    return named.remedy if named else None


def room(budget: BudgetReport) -> str:
    """Say how much is left of a budget, or by how much it is broken."""
    if budget.verdict not in ("kept", "broken"):
        return "not known"
    left = budget.room
    kept = budget.verdict == "kept"
    # Of a room that is only known between two the smaller side is what counts.
    counted = None if left is None else left.least if kept else left.most
    if left is None or counted is None:
        return "no end of room" if kept else "over without end"
    words = f"{'' if left.least == left.most else 'at least '}{_one(abs(counted), budget.unit)}"
    if counted == 0:
        return "nothing left" if kept else "exactly at its limit"
    return f"{words} left" if kept else f"over by {words}"


def tightest(subject: SubjectReport) -> BudgetReport | None:
    """The budget of a subject that has the smallest share of its limit left; None if no room has a number."""
    kept = [each for each in subject.budgets if each.verdict == "kept" and each.room and each.room.least is not None]
    return min(kept, key=share, default=None)


def share(budget: BudgetReport) -> float:
    """How much of a budget's limit is left."""
    sides = [side.most for side in (budget.left, budget.right) if side is not None and side.most is not None]
    spare = budget.room.least if budget.room else None
    return (spare or 0) / max([*map(abs, sides), 1e-9])


def costs_words(costs: Iterable[CostReport], *, changed: bool) -> tuple[str, ...]:
    """Say what an outage costs, for costs that did, or did not, change."""
    return tuple(_cost(each) for each in costs if _changed(each) is changed)


def number(figure: Figure | None, unit: str) -> str:
    """Say a number as far as it is known: `15.3 s`, `at least 33 s`, `127 to 134 s`, `without end`."""
    if figure is None:
        return "none"
    if figure.least is None:
        return "without end"
    if figure.most is None:
        return f"at least {_one(figure.least, unit)}"
    if figure.least == figure.most:
        return _one(figure.most, unit)
    return f"{_one(figure.least, '')} to {_one(figure.most, unit)}"


def _one(value: float, unit: str) -> str:
    return f"{value:,.{_DECIMALS.get(unit, _MOST_DECIMALS)}f}".rstrip("0").rstrip(".") + (f" {unit}" if unit else "")


def _changed(cost: CostReport) -> bool:
    return cost.before is not None and cost.before != cost.after


def _cost(cost: CostReport) -> str:
    instead = f" instead of {number(cost.before, cost.unit)}" if _changed(cost) else ""
    limit = f" (there is room for {_one(cost.limit, cost.unit)})" if cost.limit is not None else ""
    return _COSTS[cost.cost].format(number=number(cost.after, cost.unit), instead=instead) + limit
