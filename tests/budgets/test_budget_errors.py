"""Every message about a rule: what is wrong, where, and the terms there are."""

import pytest
from tests.budgets.judging import client, wanted

from failsame.budgets import BudgetError, declared

UNITS = "(ms, s, min, h, request, requests, USD, MB, GB)"
REMEDY = "give numbers their units, as in 30s or 5 USD"
NO_TERM = (
    "is no term: write give_up.max, settings.read_timeout or a declared name, with a subject's name and a dot in front "
    "for one of another subject"
)
TERMS = (
    "function_timeout, none, give_up.floor, give_up.ceiling, give_up.max, attempts.floor, attempts.ceiling, "
    "attempts.max, waits.floor, waits.ceiling, waits.max, connections.floor, connections.ceiling, connections.max, "
    "settings.connect_timeout, settings.read_timeout, settings.request_timeout, settings.socket_timeout, "
    "settings.total_timeout, settings.timeout, …"
)

CLIENTS = {"s3": client(declare={"function_timeout": "30s", "none": 0}), "ai": client(declare={"gap": "1s"})}

EXPECTED = "a number, a term, a function (min, max, sum) or ("
SAID = {
    # rule: where (from 1), what
    "": (1, f"expected + or -, {EXPECTED}, not its end"),
    "give_up.max": (12, "expected a comparison (<, <=, > or >=), not its end"),
    "give_up.max < ": (14, f"expected + or -, {EXPECTED}, not its end"),
    "give_up.max = 30s": (13, '"=" is nothing that a rule holds'),
    "give_up.max <> 30s": (14, f'expected + or -, {EXPECTED}, not ">"'),
    "1s < give_up.max < 3s": (18, 'expected its end, not "<"'),
    "30 30 < 60": (4, f'expected a comparison (<, <=, > or >=), + or -, * or / or a unit {UNITS}, not "30"'),
    "(1 < 2": (4, 'expected ), not "<"'),
    "min(1 2) < 2": (7, f'expected + or -, * or /, a unit {UNITS}, ) or a comma, not "2"'),
    "give_up.max in < 30s": (16, 'expected a scenario or group, not "<"'),
    "30s in silent < 1": (5, 'expected a comparison (<, <=, > or >=), + or - or * or /, not "in"'),
    "2 ** 3 < 9": (4, f'expected {EXPECTED}, not "*"'),
    "1234567890123 < 2": (1, f'expected + or -, {EXPECTED}, not "1234567890123"'),
    "__import__('os') < 1": (12, '"\'" is nothing that a rule holds'),
    "a\n< 1": (2, '"\\n" is nothing that a rule holds'),
    "give_up.max < 30sec": (17, 'unknown unit "sec", known are ' + UNITS[1:-1]),
    "abs(1) < 2": (1, 'unknown function "abs", known are min, max, sum'),
    "mx(1, 2) < 2": (1, 'unknown function "mx", did you mean "max"?'),
    "give_up < 30s": (1, '"give_up" is a range: write one of give_up.floor, give_up.ceiling, give_up.max'),
    "give_up.mx < 30s": (1, 'unknown term "give_up.mx", did you mean "give_up.max"?'),
    "1s + give_up.max.max < 30s": (6, f'"give_up.max.max" {NO_TERM}'),
    "function_timout > 1s": (1, 'unknown term "function_timout", did you mean "function_timeout"?'),
    "timer > 1s": (1, f'unknown term "timer", known are {TERMS}'),
    "settings.read_timeou > 1s": (1, 'unknown term "settings.read_timeou", did you mean "settings.read_timeout"?'),
    "ai.gap.max > 1s": (1, f'"ai.gap.max" {NO_TERM}'),
    "ai.gab > 1s": (1, 'unknown term "gab", did you mean "gap"?'),
    "aj.gap > 1s": (1, 'unknown subject "aj", known are s3, ai'),
    "none-ai.gap > 1s": (1, 'unknown subject "none-ai", known are s3, ai (a difference has spaces around its -)'),
    "give_up.max in silnt < 1s": (16, 'unknown scenario or group "silnt", did you mean "silent"?'),
    "function_timeout in silent < 1s": (
        1,
        '"function_timeout" is not measured, so it has no scenario: leave out "in silent"',
    ),
    "give_up.max < 30": (
        13,
        f"it compares seconds with a plain number: {REMEDY}",
    ),
    "attempts.max > 3s": (14, f"it compares a plain number with seconds: {REMEDY}"),
    "3 USD / s / GB < 1": (
        16,
        f"it compares USD/GB/s with a plain number: {REMEDY}",
    ),
    "1 / s < 1 GB": (7, f"it compares 1/s with GB: {REMEDY}"),
    "give_up.max + 3 < 30s": (15, f"it adds seconds and a plain number: {REMEDY}"),
    "sum(1, 1s) < 3": (8, f"it adds a plain number and seconds: {REMEDY}"),
    "max(1s, attempts.max) < 3s": (
        9,
        f"it takes the max of seconds and a plain number: {REMEDY}",
    ),
    "give_up.max / 0 < 3s": (15, "it divides by 0"),
    "1 / (none * attempts.max) < 3": (6, "it divides by 0"),
    f"1{' ' * 300}< 2": (301, "longer than 300 characters: declare parts of it"),
    f"{'(' * 11}1{')' * 11} < 2": (11, "brackets in more than 10 levels: declare parts of it"),
    "functions-timeout": (1, 'unknown budget "functions-timeout", did you mean "function-timeout"?'),
    "shared-deadline": (1, '"shared-deadline" needs clean_up: declare it, as in "clean_up: 30s"'),
}


@pytest.mark.parametrize("rule", SAID)
def test_what_is_wrong_with_a_rule(rule: str) -> None:
    """One line, the place of the character, and the words that could stand there."""
    at, what = SAID[rule]
    with pytest.raises(BudgetError) as caught:
        wanted(rule, CLIENTS)
    assert (caught.value.at + 1, caught.value.what) == (at, what)


SLACKS = {
    "1": "it is a plain number, and the rule is about seconds",
    "1 GB": "it is GB, and the rule is about seconds",
    "-1s": "it is below 0",
    "gap": '"gap" is a term: a declared value is made of numbers alone',
}


@pytest.mark.parametrize("slack", SLACKS)
def test_what_is_wrong_with_a_slack(slack: str) -> None:
    """A slack is of the rule's own unit, and no gift to it."""
    with pytest.raises(BudgetError) as caught:
        wanted("give_up.max < 30s", CLIENTS, slack=slack)
    assert caught.value.what == SLACKS[slack]


DECLARED = {
    ("give_up", "3s"): '"give_up" cannot be declared: it means something in every rule',
    ("settings", "3s"): '"settings" cannot be declared: it means something in every rule',
    ("max", "3"): '"max" cannot be declared: it means something in every rule',
    ("min", "3"): '"min" cannot be declared: it means something in every rule',
    ("USD", "3"): '"USD" cannot be declared: it means something in every rule',
    ("a", "b"): '"b" is a term: a declared value is made of numbers alone',
    ("a", "1 / 0"): "it divides by 0",
    ("a", "999999999999 * 999999999999"): "it is larger than any number a rule can hold",
    ("a", "1 s + 1"): f"it adds seconds and a plain number: {REMEDY}",
    ("a", "30s < 40s"): 'expected its end, not "<"',
}


@pytest.mark.parametrize(("name", "value"), DECLARED)
def test_what_is_wrong_with_a_declared_value(name: str, value: str) -> None:
    """Declared values are numbers, under names that are free."""
    with pytest.raises(BudgetError) as caught:
        declared(name, value)
    assert caught.value.what == DECLARED[name, value]


def test_the_place_is_said_with_the_message() -> None:
    """A line for people: where in the text, then what."""
    with pytest.raises(BudgetError) as caught:
        wanted("give_up.max < 30", CLIENTS)
    assert caught.value.said("give_up.max < 30").startswith("at character 13 of 16: it compares seconds with")
