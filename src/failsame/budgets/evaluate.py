"""The number that a part of a rule comes to."""

from collections.abc import Callable

from failsame.budgets.amount import NOTHING, Amount
from failsame.budgets.names import FUNCTIONS
from failsame.budgets.tree import Function, Literally, Node, Product, Sum, Term

Values = Callable[[Term], Amount]
"""What each term is."""


def amount_of(node: Node, values: Values) -> Amount:
    """Evaluate a part of a rule. It has at most `grammar.DEEPEST` levels, and every number has its bounds."""
    match node:
        case Literally():
            return Amount(node.value, node.value)
        case Term():
            return values(node)
        case Function():
            return FUNCTIONS[node.name](amount_of(part, values) for part in node.arguments)
        case Sum():
            amount = NOTHING
            for factor, part in node.parts:
                each = amount_of(part, values)
                amount = amount + each if factor == 1 else amount - each
            return amount
        case Product():
            (_, first), *rest = node.parts
            amount = amount_of(first, values)
            for power, part in rest:
                each = amount_of(part, values)
                amount = amount * each if power == 1 else amount / each
            return amount
