"""Inequalities over measured and declared values: read, checked, and judged as far as the numbers are known. Pure."""

from failsame.budgets.amount import Amount
from failsame.budgets.budget import Budget, Severity, Wanted, budget, slack
from failsame.budgets.catalogue import CATALOGUE, Named
from failsame.budgets.check import Declared, Vocabulary, declared
from failsame.budgets.client import Absent, Client, Reading, Setting
from failsame.budgets.costs import COSTS, SCENARIO, Costs, costs
from failsame.budgets.error import BudgetError
from failsame.budgets.judge import Clients, Judged, Place, Verdict, confirm, judge
from failsame.budgets.names import SETTINGS
from failsame.budgets.tree import terms
from failsame.budgets.units import SECONDS, UNITS, Dimension, Quantity

__all__ = [
    "CATALOGUE",
    "COSTS",
    "SCENARIO",
    "SECONDS",
    "SETTINGS",
    "UNITS",
    "Absent",
    "Amount",
    "Budget",
    "BudgetError",
    "Client",
    "Clients",
    "Costs",
    "Declared",
    "Dimension",
    "Judged",
    "Named",
    "Place",
    "Quantity",
    "Reading",
    "Setting",
    "Severity",
    "Verdict",
    "Vocabulary",
    "Wanted",
    "budget",
    "confirm",
    "costs",
    "declared",
    "judge",
    "slack",
    "terms",
]
