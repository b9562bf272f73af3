"""What a configuration declares and what it wants kept, in the words of budgets; and what is wrong with that."""

from collections.abc import Collection, Iterator, Mapping
from dataclasses import replace

from failsame.budgets import (
    COSTS,
    Budget,
    BudgetError,
    Declared,
    Vocabulary,
    Wanted,
    budget,
    declared,
    slack,
    terms,
)
from failsame.config.document import Place, Problem
from failsame.config.model import Config, SubjectSection
from failsame.suite import SCENARIOS
from failsame.words import quoted

_ALWAYS = frozenset({"healthy", "control"})
"""What runs whatever `scenarios` says."""


def declared_by(subject: SubjectSection) -> Declared:
    """What a subject declares; BudgetError if one of it is no number."""
    return {name: declared(name, written) for name, written in subject.declare.items()}


def budgets_of(config: Config, scopes: Collection[str]) -> tuple[tuple[Budget, ...], ...]:
    """Read the budgets of every subject; BudgetError if one makes no sense."""
    words = _vocabularies(config, scopes)
    return tuple(
        tuple(budget(wanted, own) for wanted in subject.wanted)
        for subject, own in zip(config.subjects, words, strict=True)
    )


def budget_problems(config: Config, scopes: Collection[str], own: Mapping[str, str]) -> Iterator[Problem]:
    """Find what is wrong with all that is declared and wanted; `own` maps own scenarios to their group."""
    wrong = [
        problem for number, each in enumerate(config.subjects) for problem in _declared(("subjects", number), each)
    ]
    yield from wrong
    if wrong:
        return
    groups = {**{name: scenario.group for name, scenario in SCENARIOS.items()}, **own}
    runs = {each.called: each.scenarios for each in config.subjects}
    for number, (subject, words) in enumerate(zip(config.subjects, _vocabularies(config, scopes), strict=True)):
        for place, wanted in enumerate(subject.wanted):
            at: Place = ("subjects", number, "budgets", place)
            yield from ((at + where, what) for where, what in _budget(wanted, words, subject.called, runs, groups))


def _vocabularies(config: Config, scopes: Collection[str]) -> list[Vocabulary]:
    """What the rules of each subject may be about."""
    every = [declared_by(subject) for subject in config.subjects]
    by_name = {subject.called: own for subject, own in zip(config.subjects, every, strict=True)}
    return [Vocabulary(own, by_name, scopes) for own in every]


def _declared(place: Place, subject: SubjectSection) -> Iterator[Problem]:
    numbers = {}
    for name, written in subject.declare.items():
        try:
            numbers[name] = declared(name, written)
        except BudgetError as error:
            yield (*place, "declare", name), f"{quoted(written)} {error.said(written)}"
    if len(numbers) < len(subject.declare):
        return
    for cost in COSTS.values():
        try:
            cost.read(numbers)
        except BudgetError as error:
            yield (*place, "declare"), error.what


def _budget(
    wanted: Wanted, words: Vocabulary, owner: str, runs: Mapping[str, Collection[str]], groups: Mapping[str, str]
) -> Iterator[Problem]:
    text = wanted.rule
    try:
        made = budget(replace(wanted, slack="0"), words)
    except BudgetError as error:
        yield ("rule",), f"{quoted(text)} {error.said(text)}"
        return
    try:
        slack(wanted.slack, made.dimension)
    except BudgetError as error:
        yield ("slack",), f"{quoted(wanted.slack)} {error.said(wanted.slack)}"
    for term in (*terms(made.rule.left), *terms(made.rule.right)):
        subject = term.subject or owner
        if term.scope is not None and not _runs(term.scope, runs[subject], groups):
            what = f"the subject {quoted(subject)} does not run {quoted(term.scope)}"
            yield ("rule",), f'{quoted(text)}: {what}: add it to its "scenarios"'


def _runs(scope: str, chosen: Collection[str], groups: Mapping[str, str]) -> bool:
    """Whether a subject that has chosen these names and groups runs any scenario of a scope."""
    meant = [name for name, group in groups.items() if scope in (name, group)]
    return not chosen or scope in _ALWAYS or any(name in chosen or groups[name] in chosen for name in meant)
