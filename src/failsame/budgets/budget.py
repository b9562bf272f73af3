"""A budget: a rule that a project wants its client to keep, and what it says about it."""

import re
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Literal

from failsame.budgets.catalogue import CATALOGUE, Named
from failsame.budgets.check import Declared, Vocabulary, check, declared
from failsame.budgets.error import BudgetError
from failsame.budgets.read import parse
from failsame.budgets.tree import Rule
from failsame.budgets.units import Dimension, Quantity
from failsame.words import quoted, unknown

Severity = Literal["must", "should"]

_NAME = re.compile(r"[a-z][a-z0-9-]*")


@dataclass(frozen=True)
class Wanted:
    """A budget as it is written."""

    rule: str
    """An inequality, or a name from the catalogue."""
    because: str | None = None
    severity: Severity = "must"
    slack: str = "0"
    source: str | None = None


@dataclass(frozen=True)
class Budget:
    """A budget that makes sense."""

    rule: Rule
    dimension: Dimension
    """What both sides of its rule count."""
    declared: Declared = field(default_factory=dict)
    """The declared terms of its subject, and those that it brings along."""
    name: str | None = None
    """In the catalogue."""
    because: str | None = None
    severity: Severity = "must"
    slack: Fraction = Fraction(0)
    """What it may be broken by."""
    source: str | None = None


def budget(wanted: Wanted, vocabulary: Vocabulary) -> Budget:
    """Read a budget; BudgetError that says what is wrong with its rule."""
    named = _named(wanted.rule)
    own = {**_defaults(named), **vocabulary.declared}
    if named is not None:
        _check_needs(named, own)
    rule = parse(named.rule if named else wanted.rule)
    dimension = check(rule, Vocabulary(own, vocabulary.subjects, vocabulary.scopes))
    return Budget(
        rule=rule,
        dimension=dimension,
        declared=own,
        name=named.name if named else None,
        because=wanted.because or (named.because if named else None),
        severity=wanted.severity,
        slack=slack(wanted.slack, dimension),
        source=wanted.source or (named.source if named else None),
    )


def slack(written: str, dimension: Dimension) -> Fraction:
    """What a rule may be broken by, in its dimension's own unit; 0 is 0 of everything. BudgetError if it is no such."""
    quantity = declared("slack", written)
    if quantity.value == 0:
        return Fraction(0)
    if quantity.dimension != dimension:
        raise BudgetError(0, f"it is {quantity.dimension}, and the rule is about {dimension}")
    if quantity.value < 0:
        raise BudgetError(0, "it is below 0")
    return quantity.value


def _named(rule: str) -> Named | None:
    """The rule of the catalogue that is meant, if one is: no inequality is a single word."""
    if rule in CATALOGUE:
        return CATALOGUE[rule]
    if _NAME.fullmatch(rule):
        raise BudgetError(0, unknown("budget", rule, CATALOGUE))
    return None


def _defaults(named: Named | None) -> dict[str, Quantity]:
    return {name: declared(name, value) for name, value in named.defaults.items()} if named else {}


def _check_needs(named: Named, own: Declared) -> None:
    for term, example in named.needs.items():
        if term not in own:
            raise BudgetError(0, f"{quoted(named.name)} needs {term}: declare it, as in {quoted(f'{term}: {example}')}")
