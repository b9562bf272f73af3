"""Rules and declared values, read when there are any: the parser takes longer to import than all else of this room."""

from failsame.budgets.tree import Node, Rule

LONGEST = 300
"""Characters of a rule."""

DEEPEST = 10
"""Levels of brackets."""


def parse(text: str) -> Rule:
    """Read a rule; BudgetError if it is none."""
    from failsame.budgets import grammar  # noqa: PLC0415 - see above

    return grammar.parse(text)


def parse_value(text: str) -> Node:
    """Read a declared value, which is arithmetic without a comparison; BudgetError if it is none."""
    from failsame.budgets import grammar  # noqa: PLC0415 - see above

    return grammar.parse_value(text)
