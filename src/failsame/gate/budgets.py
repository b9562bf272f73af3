"""Budgets over all subjects of a run: each as rules see it, what to measure for them, and what became of them."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from failsame.budgets import Absent, Budget, Client, Clients, confirm, judge, terms
from failsame.budgets import Judged as Outcome
from failsame.facts import recorded
from failsame.gate.judged import Failed, Judged
from failsame.gate.plan import Plan


@dataclass(frozen=True)
class Held:
    """What became of one budget of a subject."""

    budget: Budget
    outcome: Outcome
    before: Outcome | None = None
    """By what the subjects are compared with; None where that says nothing of it."""
    broken_by: tuple[str, ...] = ()
    """The changed packages that can be why it is broken now and was kept before, most likely first."""
    confirmed: int = 1
    """How many measurements agree."""


def clients(judged: Sequence[Failed | Judged], plan: Plan, repeat: int | None = None) -> Clients:
    """Every subject as it was measured at first, or at one of the repeats where it was repeated."""
    asked = {each.subject.name: _now(each, plan, repeat) for each in judged}
    return _with_unasked(asked, plan)


def clients_before(judged: Sequence[Failed | Judged], plan: Plan) -> Clients:
    """Every subject by what it is compared with."""
    return _with_unasked({each.subject.name: _before(each, plan) for each in judged}, plan)


def horizons(plan: Plan, now: Clients) -> Mapping[str, Mapping[str, float]]:
    """What has to be watched longer for the sake of budgets: subject -> scenario -> horizon."""
    longer: dict[str, dict[str, float]] = {}
    for owner, budget in _wanted(plan):
        for (subject, scenario), horizon in judge(budget, owner, now).longer.items():
            of_subject = longer.setdefault(subject, {})
            of_subject[scenario] = max(horizon, of_subject.get(scenario, 0))
    return longer


def deciding(plan: Plan, now: Clients) -> Mapping[str, frozenset[str]]:
    """What has to be measured again since a budget broke there: subject -> scenarios."""
    places = {
        place
        for owner, budget in _wanted(plan)
        if (outcome := judge(budget, owner, now)).verdict == "broken"
        for place in outcome.places
    }
    return {subject: frozenset(name for of, name in places if of == subject) for subject, _ in places}


def held(plan: Plan, judged: Sequence[Failed | Judged], final: Sequence[Failed | Judged]) -> Mapping[str, list[Held]]:
    """What became of the budgets of every subject; `final` is where what broke was measured again."""
    first, before = clients(judged, plan), clients_before(judged, plan)
    repeats = [clients(final, plan, repeat) for repeat in (0, 1)]
    found: dict[str, list[Held]] = {subject.name: [] for subject in plan.subjects}
    for owner, budget in _wanted(plan):
        at_first = judge(budget, owner, first)
        outcome, agreed = confirm(at_first, *(judge(budget, owner, again) for again in repeats))
        was = judge(budget, owner, before) if _rests_on_clients(budget) else None
        broke = outcome.verdict == "broken" and was is not None and was.verdict == "kept"
        found[owner].append(
            Held(
                budget,
                outcome,
                before=was,
                broken_by=_blamed(budget, owner, outcome, final) if broke else (),
                # What was not broken was measured once, as was what rests on no measurement.
                confirmed=agreed if at_first.places and "broken" in (at_first.verdict, outcome.verdict) else 1,
            )
        )
    return found


def _wanted(plan: Plan) -> list[tuple[str, Budget]]:
    return [(subject.name, budget) for subject in plan.subjects for budget in subject.budgets]


def _rests_on_clients(budget: Budget) -> bool:
    named = (*terms(budget.rule.left), *terms(budget.rule.right))
    return any(term.name not in budget.declared for term in named)


def _blamed(budget: Budget, owner: str, outcome: Outcome, final: Sequence[Failed | Judged]) -> tuple[str, ...]:
    """The packages that changed what its numbers are; else those that changed at all, of what its subjects load."""
    measured = {each.subject.name: each for each in final if isinstance(each, Judged)}
    drifted = (
        package
        for subject, scenario in outcome.places
        if subject in measured
        for drift in measured[subject].compared.judgements[scenario].drifts
        for package in drift.cause
    )
    named = (*terms(budget.rule.left), *terms(budget.rule.right))
    subjects = dict.fromkeys(term.subject or owner for term in named)
    changed = (
        change.package for subject in subjects if subject in measured for change in measured[subject].upgrade.changes
    )
    return tuple(dict.fromkeys(drifted)) or tuple(dict.fromkeys(changed))


def _with_unasked(asked: Mapping[str, Client], plan: Plan) -> Clients:
    return {
        subject.name: asked.get(subject.name)
        or Client(
            declared=subject.declared,
            nothing=Absent(f"this run was not asked for the subject {subject.name}", aside=True),
        )
        for subject in plan.every
    }


def _now(judged: Failed | Judged, plan: Plan, repeat: int | None) -> Client:
    subject = judged.subject
    if isinstance(judged, Failed):
        why = f"{subject.name} could not be measured: {judged.why}"
        return Client(declared=subject.declared, nothing=Absent(why))
    ready, compared = judged.ready, judged.compared
    scenarios = {name: recorded([measurement]) for name, measurement in compared.measurements.items()}
    troubles = {name: each.why for name, each in compared.judgements.items() if name not in scenarios}
    for name, repeats in compared.repeats.items() if repeat is not None else ():
        if isinstance(repeats, str):
            del scenarios[name]
            troubles[name] = repeats
        else:
            scenarios[name] = recorded([repeats[repeat or 0]])
    return Client(
        declared=subject.declared,
        settings=ready.healthy.settings,
        scenarios=scenarios,
        absent={
            **{name: Absent(f"{name} could not be measured: {why}") for name, why in troubles.items()},
            **{name: Absent(f"this run was not asked for {name}", aside=True) for name in sorted(ready.aside)},
        },
        unfit={name: f"{name} is left out: {why}" for name, why in ready.selection.left_out.items()},
        groups={scenario.name: scenario.group for scenario in plan.own},
    )


def _before(judged: Failed | Judged, plan: Plan) -> Client:
    subject = judged.subject
    if isinstance(judged, Failed) or judged.known is None:
        return Client(declared=subject.declared, nothing=Absent(f"{subject.name} is not recorded"))
    known = judged.known.scenarios
    chosen = [scenario.name for scenario in judged.ready.selection.chosen]
    return Client(
        declared=subject.declared,
        settings=judged.known.settings,
        scenarios={name: known[name] for name in chosen if name in known},
        absent={name: Absent(f"{name} is not recorded") for name in chosen if name not in known},
        groups={scenario.name: scenario.group for scenario in plan.own},
    )
