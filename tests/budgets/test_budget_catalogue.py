"""Every rule of the catalogue, with a client that keeps it and one that breaks it."""

from typing import Any
from urllib.parse import urlsplit

import pytest
from tests.budgets.judging import Both, client, judged, wanted
from tests.drift.making import call, silence, waiting

from failsame.budgets import CATALOGUE, Client

FUNCTION = {"function_timeout": "30s"}
QUEUE = {**FUNCTION, "visibility_timeout": "3 min"}
SHARED = {"clean_up": "30s", "platform_timeout": "150s"}
LAYERS = {"attempts_above": 3, "most_attempts": 9}


def silent(call: Both, declare: dict[str, Any] | None = None) -> Client:
    return client({"silent": call}, declare)


def retry_after(scenario: str, *waits: float, declare: dict[str, Any] | None = None) -> Client:
    """A client that waits so long before each retry."""
    return client({scenario: call(len(waits) + 1, sum(waits), waits=waits)}, declare)


# name: a client that keeps it, and one that breaks it
BOTH: dict[str, tuple[Client, Client]] = {
    "function-timeout": (silent(silence(3, 5.0), FUNCTION), silent(silence(3, 10.0), FUNCTION)),
    "default-function-timeout": (silent(silence(2, 1.0)), silent(silence(3, 5.0))),
    "api-gateway": (silent(silence(3, 5.0)), silent(silence(1, 29.0))),
    "async-invocations": (
        silent(silence(3, 5.0), {"most_requests": 9}),
        silent(silence(5, 5.0), {"most_requests": 9}),
    ),
    "sqs-visibility": (client(declare=QUEUE), client(declare={**QUEUE, "visibility_timeout": "2min"})),
    "sqs-read-timeout": (
        client(declare=QUEUE, settings={"read_timeout": 60}),
        client(declare=QUEUE, settings={"read_timeout": 180}),
    ),
    "shared-deadline": (silent(silence(1, 110.0), SHARED), silent(silence(1, 111.0), SHARED)),
    "retry-after": (retry_after("retry-after-2", 2.0, 2.1), retry_after("retry-after-2", 2.1, 0.5)),
    "retry-after-in-time": (
        retry_after("retry-after-huge", 20.0, declare={"time_left": "30s"}),
        retry_after("retry-after-huge", 20.0, 20.0, declare={"time_left": "30s"}),
    ),
    "amplification": (silent(silence(3, 5.0), LAYERS), silent(silence(4, 5.0), LAYERS)),
    "connect-timeout": (
        client(declare={"dial_time": "250ms"}, settings={"connect_timeout": 5.0}),
        client(declare={"dial_time": "250ms"}, settings={"connect_timeout": 0.2}),
    ),
}


def test_every_rule_is_here() -> None:
    """A new rule of the catalogue needs its two clients."""
    assert list(BOTH) == list(CATALOGUE)


@pytest.mark.parametrize("name", BOTH)
def test_a_client_that_keeps_it_and_one_that_breaks_it(name: str) -> None:
    """Switched on by its name, a rule tells the two apart."""
    keeps, breaks = BOTH[name]
    assert (judged(name, keeps).verdict, judged(name, breaks).verdict) == ("kept", "broken")


def test_defaults_may_be_declared() -> None:
    """What a rule brings along by default counts only where the subject declares nothing else."""
    once = {"most_requests": 5, "async_invocations": 1}
    assert judged("async-invocations", silent(silence(5, 5.0), once)).verdict == "kept"
    assert judged("shared-deadline", silent(silence(1, 111.0), {**SHARED, "reserve": "9s"})).verdict == "kept"


def test_who_does_not_retry_keeps_retry_after() -> None:
    """A client without retries never comes back too early; one that never comes back in time is another rule's."""
    assert judged("retry-after", client({"retry-after-2": call()})).verdict == "kept"
    hostage = client({"retry-after-huge": waiting()}, {"time_left": "1h"})
    assert judged("retry-after-in-time", hostage).verdict == "broken"


def test_its_words_are_the_budgets() -> None:
    """The catalogue's reason and source stand, unless the project has its own."""
    clients = {"s3": silent(silence(3, 5.0), FUNCTION)}
    plain, own = (wanted("function-timeout", clients, **more) for more in ({}, {"because": "x", "source": "https://y"}))
    named = CATALOGUE["function-timeout"]
    assert (plain.name, plain.because, plain.source) == (named.name, named.because, named.source)
    assert (own.name, own.because, own.source) == (named.name, "x", "https://y")
    assert plain.rule.text == named.rule


@pytest.mark.parametrize("named", CATALOGUE.values(), ids=CATALOGUE)
def test_every_entry_is_complete(named: Any) -> None:
    """Its examples make a budget of it; its source is an address; its words are words."""
    example = client(declare={**named.needs})
    assert wanted(named.name, {"s3": example}).name == named.name
    assert urlsplit(named.source).scheme == "https"
    assert all(words.strip() and words[-1] != " " for words in (named.because, named.why, named.remedy))
    assert named.why[-1] == named.remedy[-1] == "."
    assert named.because[-1] != "."
