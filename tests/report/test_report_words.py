"""Seconds, counts and calls in words."""

import pytest
from pydantic import JsonValue

from failsame.observation import Call
from failsame.report.chain import asked
from failsame.report.counts import counted, sequence
from failsame.report.details import DETAILS
from failsame.report.durations import between, duration, listed
from failsame.report.method import setting
from failsame.report.model import FoldedCalls, ScenarioReport
from failsame.report.phrases import Piece, after_times, error_name, phrases, runs
from failsame.report.seen import Calls, Facts, compared
from failsame.report.sentences import clauses, joined


@pytest.mark.parametrize(
    ("seconds", "words"),
    [
        (0, "0 s"),
        (-0.001, "0 s"),
        (0.004, "0 s"),
        (0.05, "0.05 s"),
        (0.15, "0.15 s"),
        (1.125, "1.12 s"),
        (3.0, "3 s"),
        (9.999, "10 s"),
        (15.0, "15 s"),
        (15.26, "15.3 s"),
        (180.04, "180 s"),
        (312.2, "312 s"),
        (1801.125, "1,801 s"),
        (3600, "1 h"),
        (3900, "1 h 5 min"),
        (86400, "24 h"),
        (float("inf"), "for ever"),
    ],
)
def test_duration(seconds: float, words: str) -> None:
    """A time has three significant digits at most, and no zeros that claim more."""
    assert duration(seconds) == words


@pytest.mark.parametrize(
    ("seconds", "words"),
    [
        ([0.0, 15.0], "0 to 15 s"),
        ([312.2, 301.0], "301 to 312 s"),
        ([180.0, 180.15], "180 s"),
        ([30.0, 3600.0], "30 s to 1 h"),
        ([3600.0, 7200.0], "1 h to 2 h"),
    ],
)
def test_between(seconds: list[float], words: str) -> None:
    """Jitter low and high are one range, lower first; ends that read the same are one number."""
    assert between(seconds) == words


def test_listed() -> None:
    """Several times share one unit where they can."""
    assert listed([1, 2, 4, 8]) == "1, 2, 4, 8 s"
    assert listed([1800, 3600]) == "1,800 s, 1 h"


def test_only_what_changed_stands_out() -> None:
    """Neighbours that changed are one bold run; a verb before them is not bold, and nothing is before the change."""
    pieces = [
        Piece("180 s", changed=True, lead="gives up after"),
        Piece("3 attempts", changed=True),
        Piece("as before"),
    ]
    after = runs(pieces, strong=True)
    assert [(run.joint, run.text, run.strong) for run in after] == [
        ("", "gives up after", False),
        (" ", "180 s, 3 attempts", True),
        (", ", "as before", False),
    ]
    assert [run.text for run in runs(pieces, strong=False)] == ["gives up after 180 s, 3 attempts, as before"]


def counts(value: JsonValue, fact: str = "attempts", **beside: JsonValue) -> Facts:
    """What a baseline's value says of one call, and those of other facts."""
    scenario = ScenarioReport(
        name="status-500",
        verdict="drift",
        clock="skip",
        horizon=3600,
        calls=(FoldedCalls(both=Call(outcome="ok", attempts=1)),),
        before={"call 1": {**beside, fact: value}},
    )
    return compared(scenario)[0].before


@pytest.mark.parametrize(
    ("value", "words"),
    [
        (1, "1 attempt"),
        ({"low": 1, "high": 3}, "1 to 3 attempts"),
        ({"any": [3, 5]}, "3 or 5 attempts"),
        ({"any": [1, 2, 3, 4, 5, 6]}, "1 to 6 attempts"),
        ({"low": {"any": [1, 2]}, "high": 5}, "1, 2 or 5 attempts"),
    ],
)
def test_counts(value: JsonValue, words: str) -> None:
    """A count that varied when it was recorded lists what is accepted; one that jitter decides is a range."""
    assert counted(counts(value), "attempts", "attempt") == words


@pytest.mark.parametrize(
    ("fact", "value", "words"),
    [
        ("key_kept", {"any": [True, False]}, "one idempotency key for all attempts or a new idempotency key for each"),
        ("dead_connection_reused", {"any": [False, True]}, "the dead connection used again or a new connection used"),
        ("other_requests", {"any": [{}, {"GET /": 2}]}, "no other requests or GET / (2 times)"),
        ("waits", [{"sampled": [0.1, 14.2]}, {"sampled": [0.2, 3]}], "waits of up to 14.2, 3 s"),
        ("starts", [[0, 0], {"sampled": [0.1, 14.2]}], "attempts at 0, 14.2 s"),
        ("endpoints", {"any": [["one"], ["one", "one", "two"]]}, "one or one 2 times, then two"),
        ("lasted", [[60, 60], [None, None], {"sampled": [0.1, 14.2]}], "attempts of 60, 14.2 s"),
        ("attempts_after_answer", {"any": [0, 2]}, "0 or 2 attempts after another endpoint had answered"),
        ("connections", {"any": [1, 2]}, "1 or 2 connections"),
        ("late_attempts", {"any": [0, 2]}, "0 or 2 attempts after the call had ended"),
    ],
)
def test_details_that_vary(fact: str, value: JsonValue, words: str) -> None:
    """Every fact has words for several accepted values and for times that were sampled."""
    assert DETAILS[fact](counts(value, fact)).startswith(words)


def test_endpoints_in_turn() -> None:
    """Each with its attempts and its time; one that was never left has no end, a dead connection no time at all."""
    told: dict[str, JsonValue] = {
        "endpoints": ["a", "b", "b", "c"],
        "starts": [0, 1, 2, 9],
        "lasted": [0, 0.5, 3, None],
    }
    facts = Facts({fact: ((value,), (value,)) for fact, value in told.items()})
    assert asked(facts) == "a, then b 2 times from 1 to 5 s, then c from 9 s on"
    assert asked(Facts({"endpoints": ((["a"],), (["a"],)), "starts": (([None],), ([None],))})) == "a"
    assert asked(Facts({"endpoints": (([],), ([],))})) == asked(Facts()) == ""


def test_endpoints_again_and_again() -> None:
    """A handful of turns is told, the others are counted."""
    order: JsonValue = ["a", "b"] * 20
    told = "a, then b, then a, then b, then a, then b, and 34 more turns"
    assert asked(Facts({"endpoints": ((order,), (order,))})) == told


def test_times_and_outcomes_that_vary() -> None:
    """A give-up time that was sampled is its range; outcomes that varied are listed."""
    assert after_times(counts({"sampled": [0.1, 14.2]}, "give_up")) == "after 0.1 to 14.2 s"
    assert error_name(counts({"any": ["a.One", "b.Two"]}, "outcome")) == "a.One or b.Two"


def test_calls_that_differ_again_and_again() -> None:
    """A handful of turns is told; beyond that only their range and their number."""
    numbers = [1, 3] * 20
    calls = [Calls(place, counts(1), counts(number), frozenset(), frozenset()) for place, number in enumerate(numbers)]
    assert sequence(calls[:4], now=True) == "1, then 3, then 1, then 3"
    assert sequence(calls, now=True) == "1 to 3 attempts each, changing 39 times"


@pytest.mark.parametrize(
    ("name", "value", "words"),
    [
        ("read_timeout", 60, "60 s"),
        ("timeout", 0.5, "0.5 s"),
        ("timeout", True, "true"),
        ("total_timeout", None, "None"),
        ("max_retries", 2, "2"),
        ("retry_mode", "standard", "standard"),
    ],
)
def test_settings(name: str, value: JsonValue, words: str) -> None:
    """A timeout that is a number is seconds; everything else is shown as it is written."""
    assert setting(name, value) == words


def test_a_clause_with_a_comma_of_its_own() -> None:
    """A clause that ends in a comma keeps it before "and" alone: never two commas, never one before a full stop."""
    assert joined(["makes 3, instead of 5,"]) == "makes 3, instead of 5"
    assert joined(["makes 3, instead of 5,", "gives up"]) == "makes 3, instead of 5, and gives up"
    assert joined(["makes 3, instead of 5,", "gives up", "opens 2"]) == "makes 3, instead of 5, gives up and opens 2"


APART = {
    "a wait fewer than attempts": (
        "waits", [[None, None]], [[None, None], [None, None]], "makes waits of ? s instead of waits of ?, ? s"
    ),
    "the luckiest of two waits alone": (
        "waits", [[0.2, 2.0]], [[0.1, 2.0]], "makes waits of 0.2 to 2 s instead of waits of 0.1 to 2 s"
    ),
    "the other way round": (
        "attempts", {"low": 3, "high": 1}, {"low": 1, "high": 3}, "shows attempts 3 to 1 instead of attempts 1 to 3"
    ),
    "a time between the same ends": (
        "give_up", [9, 1], [1, 9], "shows give_up 9 to 1 instead of give_up 1 to 9"
    ),
    "an outcome beyond those that are named": (
        "outcome", {"any": ["a.A", "a.B", "a.C", "a.D"]}, {"any": ["a.A", "a.B", "a.C"]}, "shows outcome"
    ),
}  # fmt: skip


@pytest.mark.parametrize(("fact", "now", "before", "said"), APART.values(), ids=APART)
def test_two_that_differ_never_read_the_same(fact: str, now: JsonValue, before: JsonValue, said: str) -> None:
    """No row has equal cells, and no sentence says that something came in the place of itself."""
    drifted = frozenset({fact})
    rest: dict[str, JsonValue] = {"attempts": 2, "outcome": "a.Error"}
    call = Calls(1, counts(before, fact, **rest), counts(now, fact, **rest), drifted, drifted)
    cells = ["".join(run.text for run in cell) for cell in phrases(call, horizon="1 h")]
    assert cells[0] != cells[1]
    (clause,) = clauses(call, horizon="1 h")
    assert clause.startswith(said)
    assert clause.partition(" instead of ")[0].split(" ", 1)[1] != clause.partition(" instead of ")[2]


DIED = {
    "a process that ended itself": (
        "a.Error", "exit 3", "ends its process after 9 s with exit 3, where it used to give up after 9 s with a.Error"
    ),
    "one that no longer does": (
        "signal SIGABRT", "a.Error",
        "gives up after 9 s with a.Error, where it ended its process after 9 s with signal SIGABRT",
    ),
}  # fmt: skip


@pytest.mark.parametrize(("before", "now", "said"), DIED.values(), ids=DIED)
def test_a_call_that_ends_its_process(before: str, now: str, said: str) -> None:
    """It is told as what it is: nobody was given an error."""
    drifted = frozenset({"outcome"})
    call = Calls(1, counts(before, "outcome", give_up=9.0), counts(now, "outcome", give_up=9.0), drifted, drifted)
    assert clauses(call, horizon="1 h") == (said,)
    cells = ["".join(run.text for run in cell) for cell in phrases(call, horizon="1 h")]
    words = {"exit 3": "ends its process after 9 s with exit 3", "a.Error": "gives up after 9 s with a.Error"}[now]
    assert cells[1].startswith(words)


def test_several_ends_have_one_time() -> None:
    """Where calls are told together nobody knows which came after how long: the range is said once, and last."""
    varied = counts({"any": ["ok", "a.Error"]}, "outcome", give_up={"sampled": [0, 1.5]}, still_waiting=False)
    call = Calls(1, varied, varied, frozenset(), frozenset())
    _, now = ("".join(run.text for run in cell) for cell in phrases(call, horizon="1 h"))
    assert now.startswith("succeeds or gives up after 0 to 1.5 s")
    waits = counts({"low": True, "high": False}, "still_waiting", outcome=[None, "a.Error"], give_up=[None, 5])
    call = Calls(1, waits, waits, frozenset(), frozenset())
    _, now = ("".join(run.text for run in cell) for cell in phrases(call, horizon="1 h"))
    assert now.startswith("never ends (still waiting after 1 h) or gives up after 5 s")
