"""What a rule consists of, once it is read."""

from dataclasses import dataclass
from fractions import Fraction
from typing import Literal

from failsame.budgets.units import Dimension

End = Literal["floor", "ceiling", "max"]
"""Which end of what was measured: the least of it, or the most."""

Sign = Literal["<", "<=", ">", ">="]


@dataclass(frozen=True, slots=True)
class Literally:
    """A number that stands in the rule, in its dimension's own unit."""

    at: int
    value: Fraction
    dimension: Dimension


@dataclass(frozen=True, slots=True)
class Term:
    """A name for a number: measured (`give_up.max in silent`), declared (`function_timeout`) or a setting."""

    at: int
    text: str
    """As it is shown."""
    name: str
    """`give_up`, `function_timeout`, `settings.read_timeout`."""
    end: End | None = None
    """Set of a measured term."""
    scope: str | None = None
    """The scenario or group it is measured in; None: all."""
    scope_at: int = 0
    subject: str | None = None
    """Whose it is; None: the rule's own subject."""


@dataclass(frozen=True, slots=True)
class Sum:
    """Parts that are added, or subtracted where their factor is -1."""

    at: int
    parts: "tuple[tuple[Literal[1, -1], Node], ...]"


@dataclass(frozen=True, slots=True)
class Product:
    """Parts that are multiplied, or divided by where their power is -1."""

    at: int
    parts: "tuple[tuple[Literal[1, -1], Node], ...]"


@dataclass(frozen=True, slots=True)
class Function:
    """`min`, `max` or `sum` of its arguments."""

    at: int
    name: str
    arguments: "tuple[Node, ...]"


Node = Literally | Term | Sum | Product | Function


@dataclass(frozen=True, slots=True)
class Rule:
    """An inequality."""

    text: str
    left: Node
    sign: Sign
    at: int
    """Where its sign stands."""
    right: Node


def terms(node: Node) -> tuple[Term, ...]:
    """All terms of a part of a rule, in order, each as often as it stands there."""
    match node:
        case Literally():
            return ()
        case Term():
            return (node,)
        case Function():
            return tuple(term for part in node.arguments for term in terms(part))
        case Sum() | Product():
            return tuple(term for _, part in node.parts for term in terms(part))
