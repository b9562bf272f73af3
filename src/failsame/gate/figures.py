"""Budgets, costs and settings as a report shows them. Pure."""

from collections.abc import Iterable, Mapping
from fractions import Fraction
from math import inf, isinf

from failsame.budgets import Amount, Costs, Reading, Setting
from failsame.gate.budgets import Held
from failsame.report.model import BudgetReport, CostReport, Figure, SettingChange, Term, Verdict

_DIGITS = 10


def figure(amount: Amount | None) -> Figure | None:
    """A number as far as it is known; None if nothing at all is."""
    if amount is None or (isinf(amount.least) and isinf(amount.most) and not amount.known):
        return None
    return Figure(least=_number(amount.least), most=_number(amount.most))


def budget_reports(kept: Iterable[Held]) -> tuple[BudgetReport, ...]:
    """Each budget with the numbers put in."""
    return tuple(_budget_report(each) for each in kept)


def cost_reports(spent: Iterable[Costs]) -> tuple[CostReport, ...]:
    """What an outage costs, before and after."""
    return tuple(
        CostReport(
            cost=each.cost.name,
            unit=each.cost.dimension.unit,
            before=figure(each.before),
            after=figure(each.after),
            limit=None if each.limit is None else _number(each.limit.most),
        )
        for each in spent
    )


def setting_changes(before: Mapping[str, Setting], after: Mapping[str, Setting]) -> tuple[SettingChange, ...]:
    """Settings that are not what they were; none where it is not known what they were."""
    names = sorted({*before, *after}) if before else ()
    return tuple(
        SettingChange(setting=name, before=before.get(name), after=after.get(name))
        for name in names
        if before.get(name) != after.get(name)
    )


def verdicts(budgets: Iterable[BudgetReport]) -> list[Verdict]:
    """What budgets make of their subject: what only should hold makes nothing of it."""
    table: Mapping[str, Verdict] = {"broken": "over-budget", "unmeasured": "unmeasured"}
    return [table[each.verdict] for each in budgets if each.severity == "must" and each.verdict in table]


def _budget_report(kept: Held) -> BudgetReport:
    budget, outcome = kept.budget, kept.outcome
    was = kept.before.verdict if kept.before else None
    return BudgetReport(
        rule=budget.rule.text,
        name=budget.name,
        because=budget.because,
        severity=budget.severity,
        slack=float(budget.slack),
        source=budget.source,
        verdict=outcome.verdict,
        unit=budget.dimension.unit,
        left=figure(outcome.left),
        right=figure(outcome.right),
        room=figure(outcome.room),
        terms=tuple(_term(each) for each in outcome.readings),
        why=outcome.why,
        before=was if was in ("kept", "broken") else None,
        broken_by=kept.broken_by,
        confirmed=kept.confirmed,
    )


def _term(reading: Reading) -> Term:
    return Term(
        term=reading.term.text,
        unit=reading.dimension.unit,
        figure=figure(reading.amount),
        scenario=reading.scenario,
    )


def _number(number: Fraction | float) -> float | None:
    return None if number in (inf, -inf) else round(float(number), _DIGITS)
