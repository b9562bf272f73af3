"""What holds of any rule, whoever wrote it."""

import socket
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from fractions import Fraction
from math import copysign, inf, isnan
from typing import Any

from hypothesis import example, given, settings
from hypothesis import strategies as st
from tests.budgets.judging import client, wanted
from tests.drift.making import call, measured, silence, waiting
from tests.drift.test_drift_properties import measurements

from failsame.budgets import Amount, Budget, BudgetError, Client, declared, judge
from failsame.budgets.amount import largest, smallest, total
from failsame.facts import Measurement, recorded
from failsame.observation import Attempt, Call

CLIENTS = {
    "s3": client({"silent": silence(3, 5.0), "status-500": call(3, 0.1)}, {"a": "30s", "b": 0, "c": "1 USD / GB"}),
    "ai": client({"silent": waiting()}, clock="real", horizon=33.0),
    "s3-2": client({"half-open": waiting()}, clock="skip", horizon=900.0, settings={"timeout": 1e-300}),
}

NAMES = [
    "a",
    "b",
    "c",
    "give_up.max",
    "give_up.floor",
    "waits.floor",
    "attempts.max",
    "ai.give_up.max",
    "s3-2.attempts.max",
    "settings.timeout",
    "s3-2.settings.timeout",
    "in silent",
    "in silence",
    "in half-open",
    "min",
    "max",
    "sum",
]
SIGNS = [
    "<",
    "<=",
    ">",
    ">=",
    "+",
    "-",
    "*",
    "/",
    "(",
    ")",
    ",",
    " ",
    ".",
    "__import__",
    "'os'",
    "lambda",
    "**",
    "\n",
    "%",
]
NUMBERS = ["0", "1", "30s", "2 h", "999999999999", "0.000000000001", "5 USD", "1 GB", "1e9", "s", "ms"]

rules = (
    st.text(max_size=320)
    | st.lists(st.sampled_from([*NAMES, *SIGNS, *NUMBERS]), max_size=40).map(" ".join)
    | st.lists(st.sampled_from([*NAMES, *SIGNS, *NUMBERS]), max_size=60).map("".join)
)


@st.composite
def sums(draw: Any, depth: int = 3) -> str:
    """Arithmetic that is well formed, though it may add seconds to dollars."""
    if depth == 0:
        return str(draw(st.sampled_from([*NAMES[:11], *NUMBERS[:8], "give_up.max in silent"])))
    parts = draw(st.lists(sums(depth - 1), min_size=1, max_size=3))
    sign = draw(st.sampled_from([" + ", " - ", " * ", " / ", ", "]))
    joined = sign.join(parts)
    return f"{draw(st.sampled_from(['min', 'max', 'sum']))}({joined})" if sign == ", " else f"({joined})"


comparisons = st.builds(
    lambda one, sign, two: f"{one} {sign} {two}", sums(), st.sampled_from(["<", "<=", ">", ">="]), sums()
)


def read(rule: str) -> Budget | None:
    """A rule; None if it is none, and the error is as errors are."""
    error: BudgetError
    try:
        return wanted(rule, CLIENTS)
    except BudgetError as caught:
        error = caught
    assert 0 <= error.at <= len(rule)
    assert error.what
    assert error.what.isprintable()
    return None


@contextmanager
def watched() -> Iterator[list[str]]:
    """What Python does of what a rule must not: audit events of files, processes, sockets, imports and code."""
    seen: list[str] = []
    watching = [True]
    events = {"open", "exec", "compile", "import", "os.system", "subprocess.Popen", "socket.__new__", "ctypes.dlopen"}

    def hook(event: str, _: object) -> None:
        if watching and event in events:
            seen.append(event)

    sys.addaudithook(hook)  # which cannot be removed, but made deaf
    yield seen
    watching.clear()


@settings(max_examples=300, deadline=None)
@given(rules)
@example("__import__('os').system('true') < 1")
@example("(" * 300)
@example("-" * 300)
@example("min(" * 9 + "1" + ")" * 9 + " < 2")
@example("1" + "+1" * 140 + " < 2")
@example("999999999999" + "*999999999999" * 20 + " < 1")
@example("1" + "/0.000000000001" * 18 + " < 1")
def test_any_text_is_a_rule_or_a_budget_error(rule: str) -> None:
    """No text raises anything but the one error, whose place lies in the text and whose words fit on a line."""
    budget = read(rule)
    if budget is not None:
        for owner in CLIENTS:
            assert judge(budget, owner, CLIENTS).verdict in {"kept", "broken", "unmeasured"}


@settings(max_examples=150, deadline=None)
@given(comparisons)
def test_any_arithmetic_is_judged(rule: str) -> None:
    """Whatever is well formed and of one dimension has a verdict, and sides that are no nonsense."""
    budget = read(rule)
    if budget is None:
        return
    found = judge(budget, "s3", CLIENTS)
    for amount in (found.left, found.right, found.room):
        assert not any(isnan(end) for end in (amount.least, amount.most))
        assert amount.least <= amount.most
    assert (found.verdict in {"kept", "broken"}) == (found.why is None)


def test_reading_and_judging_touch_nothing() -> None:
    """No file, no process, no socket, no import, no code: whatever a rule says."""
    hostile = [
        "__import__('os').system('id') < 1",
        "open('/etc/passwd') < 1",
        "().__class__ < 1",
        "a.b.c < 1",
        "exec < 1",
    ]
    read("give_up.max < a")  # the grammar is read once
    with watched() as seen:
        for rule in [*hostile, *(f"{name} < 1" for name in NAMES), "give_up.max < a", "ai.give_up.max < 10 min"]:
            budget = read(rule)
            if budget is not None:
                judge(budget, "s3", CLIENTS)
    assert seen == []
    with watched() as seen:
        socket.socket().close()
    assert seen == ["socket.__new__"]


LONGEST = [
    "give_up.max" + " + give_up.max" * 19 + " < 10 h",
    "min(" * 9 + "ai.give_up.max" + ")" * 9 + " < 10 min",
    "999999999999" + "*999999999999" * 20 + " / s / s / s < ai.give_up.max",
    "(" * 10 + "1" + ")" * 10 + "+1" * 120 + " < 2",
    "((((((((((a" * 20,
    "a-" * 150,
    "x" * 300,
]


def test_no_rule_takes_long() -> None:
    """The longest rules there can be take a few milliseconds of processor time each, decided or not."""
    read("give_up.max < a")
    began = time.process_time()
    for rule in LONGEST:
        budget = read(rule)
        if budget is not None:
            judge(budget, "s3", CLIENTS)
    assert time.process_time() - began < 2


NEVER_SENT = Call(outcome=None, attempts=0)
TWICE_UNSEEN = Call(outcome="ok", attempts=2, waits=(None,), starts=(Attempt(at=None, answer="x"),) * 2)


@settings(max_examples=100, deadline=None)
@example(measured(NEVER_SENT, TWICE_UNSEEN), "waits", "floor")
@given(
    measurements(), st.sampled_from(["give_up", "attempts", "waits", "connections"]), st.sampled_from(["floor", "max"])
)
def test_any_measurement_is_read(measurement: Measurement, name: str, end: str) -> None:
    """Of any observation a term is a number between two, never below 0, and the floor is no more than the ceiling."""
    own = {"s3": Client(scenarios={"status-500": recorded([measurement])})}
    readings = {
        each: judge(
            wanted(f"{name}.{each} > {'1s' if name in ('give_up', 'waits') else '1'}", own), "s3", own
        ).readings[0]
        for each in ("floor", "max")
    }
    amount = readings[end].amount
    floor, ceiling = readings["floor"].amount, readings["max"].amount
    assert (floor is None) == (ceiling is None)
    if amount is not None and floor is not None and ceiling is not None:
        assert 0 <= amount.least <= amount.most
        assert floor.least <= ceiling.most
    assert amount is None or amount.known or readings[end].why is not None


numbers = st.fractions(-1000, 1000)
ranges = st.tuples(numbers, numbers).map(lambda ends: Amount(min(ends), max(ends)))
amounts = st.builds(
    lambda known, below, above: Amount(-inf if below else known.least, inf if above else known.most),
    ranges,
    st.booleans(),
    st.booleans(),
)


def within(number: Any, amount: Amount) -> bool:
    """Whether it lies in an amount, in which what is beyond 10**15 counts as without end."""
    settled = number if abs(number) <= 10**15 else copysign(inf, number)
    return bool(amount.least <= settled <= amount.most)


@settings(max_examples=200, deadline=None)
@given(amounts, amounts, st.fractions(0, 1), st.fractions(0, 1))
@example(Amount.from_to(0.5, 1), Amount(*[Fraction(1, 10**15 + 1)] * 2), Fraction(0), Fraction(0))
def test_arithmetic_of_amounts_holds_for_every_number_between(
    one: Amount, two: Amount, first: Any, second: Any
) -> None:
    """Whatever the two numbers really are, what comes of them lies in what comes of their amounts."""
    x, y = (between(amount, share) for amount, share in ((one, first), (two, second)))
    assert within(x + y, one + two)
    assert within(x - y, one - two)
    assert within(x * y, one * two)
    assert y == 0 or within(x / y, one / two)
    assert within(min(x, y), smallest([one, two]))
    assert within(max(x, y), largest([one, two]))
    assert within(x + y, total([one, two]))


def between(amount: Amount, share: Fraction) -> Fraction:
    """A finite number of an amount."""
    least, most = Fraction(max(amount.least, -2000)), Fraction(min(amount.most, 2000))
    return least + share * (most - least)


@settings(max_examples=150, deadline=None)
@given(rules)
def test_any_declared_value_is_a_number_or_a_budget_error(written: str) -> None:
    """What stands under `declare` may be anything."""
    try:
        number = declared("x", written).value
    except BudgetError as error:
        number = None
        words = error.what
    assert words.isprintable() if number is None else isinstance(number, Fraction)
