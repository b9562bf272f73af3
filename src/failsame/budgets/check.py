"""Whether a rule makes sense: its terms exist, and like is compared with like. Nothing has to be measured for it."""

from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass, field
from fractions import Fraction

from failsame.budgets.amount import NOTHING, UNKNOWN, Amount
from failsame.budgets.error import BudgetError
from failsame.budgets.evaluate import amount_of
from failsame.budgets.names import ENDS, MEASURES, RESERVED, SETTINGS, setting_named
from failsame.budgets.read import parse_value
from failsame.budgets.tree import Function, Literally, Node, Product, Rule, Sum, Term, terms
from failsame.budgets.units import PLAIN, UNITS, Dimension, Quantity
from failsame.words import quoted, unknown

_REMEDY = "give numbers their units, as in 30s or 5 USD"

Declared = Mapping[str, Quantity]
"""Declared terms by name."""


@dataclass(frozen=True)
class Vocabulary:
    """What the terms of a rule may be."""

    declared: Declared = field(default_factory=dict)
    """The terms of the rule's own subject."""
    subjects: Mapping[str, Declared] = field(default_factory=dict)
    """Those of every subject by its name, for terms with a subject in front."""
    scopes: Collection[str] = ()
    """Every scenario and group."""


def declared(name: str, written: str) -> Quantity:
    """Read a declared value; BudgetError if its name is taken, or it is no arithmetic of numbers alone."""
    if name in RESERVED or name in UNITS:
        raise BudgetError(0, f"{quoted(name)} cannot be declared: it means something in every rule")
    node = parse_value(written)
    if named := terms(node):
        raise BudgetError(named[0].at, f"{quoted(named[0].text)} is a term: a declared value is made of numbers alone")
    dimension = dimension_of(node, Vocabulary())
    value = amount_of(node, _unknown).least
    if not isinstance(value, Fraction):
        raise BudgetError(0, "it is larger than any number a rule can hold")
    return Quantity(value, dimension)


def check(rule: Rule, vocabulary: Vocabulary) -> Dimension:
    """Say what both sides of a rule count; BudgetError that says what does not fit, and where."""
    left, right = (dimension_of(side, vocabulary) for side in (rule.left, rule.right))
    if left != right:
        raise BudgetError(rule.at, f"it compares {left} with {right}: {_REMEDY}")
    return left


def dimension_of(node: Node, vocabulary: Vocabulary) -> Dimension:
    """Say what a part of a rule counts; BudgetError as above."""
    match node:
        case Literally():
            return node.dimension
        case Term():
            return _of_term(node, vocabulary)
        case Sum():
            return _common([part for _, part in node.parts], vocabulary, "adds")
        case Function():
            return _common(node.arguments, vocabulary, "adds" if node.name == "sum" else f"takes the {node.name} of")
        case Product():
            product = PLAIN
            for power, part in node.parts:
                dimension = dimension_of(part, vocabulary)
                product = product * dimension if power == 1 else product / dimension
                if power == -1 and amount_of(part, lambda term: _declared_amount(term, vocabulary)) == NOTHING:
                    raise BudgetError(part.at, "it divides by 0")
            return product


def _common(parts: Iterable[Node], vocabulary: Vocabulary, does: str) -> Dimension:
    first, *others = [(part.at, dimension_of(part, vocabulary)) for part in parts]
    for at, dimension in others:
        if dimension != first[1]:
            raise BudgetError(at, f"it {does} {first[1]} and {dimension}: {_REMEDY}")
    return first[1]


def _of_term(term: Term, vocabulary: Vocabulary) -> Dimension:
    if term.subject is not None and term.subject not in vocabulary.subjects:
        hint = " (a difference has spaces around its -)" if "-" in term.subject else ""
        raise BudgetError(term.at, unknown("subject", term.subject, vocabulary.subjects) + hint)
    if term.name in MEASURES:
        if term.scope is not None and term.scope not in vocabulary.scopes:
            raise BudgetError(term.scope_at, unknown("scenario or group", term.scope, vocabulary.scopes))
        return MEASURES[term.name].dimension
    own = _own(term, vocabulary)
    if term.name in own:
        return own[term.name].dimension
    settings = {setting_named(name): dimension for name, dimension in SETTINGS.items()}
    if term.name in settings:
        return settings[term.name]
    measured = (f"{name}.{end}" for name in MEASURES for end in ENDS)
    raise BudgetError(term.at, unknown("term", term.name, [*own, *measured, *settings]))


def _own(term: Term, vocabulary: Vocabulary) -> Declared:
    return vocabulary.declared if term.subject is None else vocabulary.subjects.get(term.subject, {})


def _declared_amount(term: Term, vocabulary: Vocabulary) -> Amount:
    quantity = _own(term, vocabulary).get(term.name)
    return UNKNOWN if quantity is None else Amount(quantity.value, quantity.value)


def _unknown(_: Term) -> Amount:
    return UNKNOWN
