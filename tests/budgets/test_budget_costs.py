"""What an outage costs: measured time, declared prices."""

import pytest
from tests.budgets.judging import client
from tests.drift.making import silence, waiting

from failsame.budgets import BudgetError, Client, Costs, costs
from failsame.budgets.costs import COSTS

FUNCTION: dict[str, str | float] = {
    "memory": "1 GB",
    "memory_price": "0.0000166667 USD / GB / s",
    "function_timeout": "900s",
    "call_rate": "10 / s",
    "concurrency": 1000,
}

FOR_EVER = client({"silent": waiting()}, FUNCTION)
GIVES_UP = client({"silent": (silence(3, 5.0), silence(3, 5.0).model_copy(update={"give_up": 15.1}))}, FUNCTION)


def found(before: Client | None, after: Client) -> dict[str, Costs]:
    return {each.cost.name: each for each in costs(before, after)}


def test_a_function_that_hangs_and_one_that_gives_up() -> None:
    """10,000 calls of 900 s at 1 GB are 150 USD, of 15.1 s 2.5; at 10 calls a second 9,000 are held, or 151."""
    money, held = found(FOR_EVER, GIVES_UP).values()
    assert money.before is not None
    assert money.after is not None
    assert float(money.before.most) == pytest.approx(150.0003)
    assert float(money.after.most) == pytest.approx(2.5167, abs=1e-4)
    assert held.before is not None
    assert held.after is not None
    assert held.limit is not None
    assert [float(each.most) for each in (held.before, held.after, held.limit)] == [9000, 151, 1000]


def test_without_an_end_it_costs_without_end() -> None:
    """A call that never ends, on a platform that says nothing of ending it."""
    endless = client({"silent": waiting()}, {name: FUNCTION[name] for name in ("memory", "memory_price")})
    (money,) = found(None, endless).values()
    assert money.after is not None
    assert (money.before, money.after.endless) == (None, True)


def test_nothing_is_said_of_what_is_not_known() -> None:
    """No price, no money; no measurement of silence, no cost; no reference, no before."""
    assert found(None, client({"silent": waiting()})) == {}
    assert found(None, client({"status-500": waiting()}, FUNCTION)) == {}
    assert found(None, client({"silent": waiting()}, {"memory": "1GB"})) == {}
    assert [each.before for each in costs(client({}, FUNCTION), GIVES_UP)] == [None, None]


def test_prices_of_another_dimension() -> None:
    """What would come out as something else than money is an error that shows how to declare it."""
    wrong = client(declare={**FUNCTION, "memory": 1024}).declared
    with pytest.raises(BudgetError) as caught:
        COSTS["money"].read(wrong)
    assert caught.value.what == (
        "10,000 calls would be USD/GB: declare them as in memory: 1 GB, memory_price: 0.0000166667 USD / GB / s"
    )
