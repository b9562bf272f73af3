"""What a subject costs while its service is down, from what it declares and how long a call was measured to last.

A call that never ends is ended by the platform, if the subject declares when.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal

from failsame.budgets.amount import Amount
from failsame.budgets.check import Declared, Vocabulary, dimension_of
from failsame.budgets.client import Client
from failsame.budgets.error import BudgetError
from failsame.budgets.evaluate import amount_of
from failsame.budgets.read import parse_value
from failsame.budgets.tree import Node
from failsame.budgets.units import PLAIN, USD, Dimension

SCENARIO = "silent"
"""The outage that costs most: nothing comes back, and every timeout has to run out."""

_LASTS = f"give_up.max in {SCENARIO}"
_PLATFORM = "function_timeout"


@dataclass(frozen=True)
class Cost:
    """One thing that an outage costs: arithmetic over `{lasts}`, how long a call lasts, and declared terms."""

    name: Literal["money", "concurrency"]
    what: str
    arithmetic: str
    dimension: Dimension
    needs: Mapping[str, str]
    """Declared term -> an example. Without all of them nothing is said."""
    limit: str | None = None
    """The declared term that says how much of it there is."""

    def read(self, declared: Declared) -> Node | None:
        """Its arithmetic, for a subject that declares these; None if it declares too little. Raises BudgetError."""
        if not all(term in declared for term in self.needs):
            return None
        lasts = f"min({_LASTS}, {_PLATFORM})" if _PLATFORM in declared else _LASTS
        node = parse_value(self.arithmetic.format(lasts=lasts))
        dimension = dimension_of(node, Vocabulary(declared, scopes=(SCENARIO,)))
        if dimension != self.dimension:
            examples = ", ".join(f"{term}: {example}" for term, example in self.needs.items())
            raise BudgetError(0, f"{self.what} would be {dimension}: declare them as in {examples}")
        return node


COSTS: Mapping[str, Cost] = {
    cost.name: cost
    for cost in (
        Cost(
            name="money",
            what="10,000 calls",
            arithmetic="10000 * {lasts} * memory * memory_price",
            dimension=USD,
            needs={"memory": "1 GB", "memory_price": "0.0000166667 USD / GB / s"},
        ),
        Cost(
            name="concurrency",
            what="calls held at once",
            arithmetic="{lasts} * call_rate",
            dimension=PLAIN,
            needs={"call_rate": "10 / s"},
            limit="concurrency",
        ),
    )
}
"""Every cost by its name."""


@dataclass(frozen=True)
class Costs:
    """A cost before and after; None where it was not measured."""

    cost: Cost
    before: Amount | None
    after: Amount | None
    limit: Amount | None = field(default=None)


def costs(before: Client | None, after: Client) -> tuple[Costs, ...]:
    """What a subject costs, as far as it declares what that takes and `silent` was measured."""
    found = []
    for cost in COSTS.values():
        node = cost.read(after.declared)
        if node is None or SCENARIO not in after.scenarios:
            continue
        was = before if before is not None and SCENARIO in before.scenarios else None
        found.append(
            Costs(
                cost,
                before=None if was is None else _amount(node, was),
                after=_amount(node, after),
                limit=_limit(cost, after.declared),
            )
        )
    return tuple(found)


def _amount(node: Node, client: Client) -> Amount | None:
    return amount_of(node, lambda term: client.reading(term).amount or Amount.of(0))


def _limit(cost: Cost, declared: Declared) -> Amount | None:
    quantity = declared.get(cost.limit or "")
    return None if quantity is None else Amount(quantity.value, quantity.value)
