"""Facts that are said only where they changed: fact -> its words, or its figures where words do not tell two apart."""

import json
from collections.abc import Callable
from itertools import zip_longest

from failsame.report.chain import asked
from failsame.report.counts import counted
from failsame.report.durations import listed
from failsame.report.escape import short
from failsame.report.naming import either
from failsame.report.seen import Facts

_FEW = 4


def _waits(facts: Facts) -> str:
    sides = [[value for value in facts.sequence("waits", side) if value is not None] for side in (0, 1)]
    if not any(sides):
        return ""
    longest = [max(values) for values in zip(*sides, strict=True)] if len(sides[0]) == len(sides[1]) else max(sides)
    bound = "" if sides[0] == sides[1] else "up to "
    return f"waits of {bound}{listed(longest)}"


def _starts(facts: Facts) -> str:
    values = [at for at in facts.sequence("starts", 1) if at is not None]
    return f"attempts at {listed(values)}" if values else ""


def _lasted(facts: Facts) -> str:
    values = [seconds for seconds in facts.sequence("lasted", 1) if seconds is not None]
    return f"attempts of {listed(values)}" if values else ""


def _key(facts: Facts) -> str:
    kept = [value for value in facts.every("key_kept") if value is not None]
    if not kept:
        return "no idempotency key"
    ways = {True: "one idempotency key for all attempts", False: "a new idempotency key for each attempt"}
    return either([words for way, words in ways.items() if any(bool(value) is way for value in kept)])


def _dead(facts: Facts) -> str:
    reused = {bool(value) for value in facts.every("dead_connection_reused")}
    ways = {True: "the dead connection used again", False: "a new connection used"}
    return either([words for way, words in ways.items() if way in (reused or {False})])


def _other(facts: Facts) -> str:
    values = [value for value in facts.every("other_requests") if isinstance(value, dict)]
    told = [
        ", ".join(f"{short(key)} ({short(str(times))} times)" for key, times in list(value.items())[:3])
        for value in values[:_FEW]
    ]
    return either([words or "no other requests" for words in told] or ["no other requests"])


# Said only where they changed: fact -> its words.
DETAILS: dict[str, Callable[[Facts], str]] = {
    "endpoints": asked,
    "waits": _waits,
    "starts": _starts,
    "lasted": _lasted,
    "connections": lambda facts: counted(facts, "connections", "connection"),
    "dead_connection_reused": _dead,
    "late_attempts": lambda facts: (
        f"{counted(facts, 'late_attempts', 'attempt') or 'no attempts'} after the call had ended"
    ),
    "attempts_after_answer": lambda facts: (
        f"{counted(facts, 'attempts_after_answer', 'attempt') or 'no attempts'} after another endpoint had answered"
    ),
    "key_kept": _key,
    "other_requests": _other,
}


_SEQUENCES = {"waits": "waits of", "starts": "attempts at", "lasted": "attempts of"}


def exactly(facts: Facts, fact: str) -> str:
    """Say a fact in figures, at jitter low and high, where words say the same of two that differ."""
    if fact in _SEQUENCES:
        both = zip_longest(facts.sequence(fact, 0), facts.sequence(fact, 1))
        said = [" to ".join(dict.fromkeys("?" if at is None else f"{at:g}" for at in pair)) for pair in both]
        return f"{_SEQUENCES[fact]} {', '.join(said)} s" if said else f"{_SEQUENCES[fact]} nothing"
    sides = [", ".join(json.dumps(value) for value in side) or "?" for side in facts.values.get(fact, ((), ()))]
    return short(f"{fact} {' to '.join(dict.fromkeys(sides))}")


def details(drifted: frozenset[str]) -> list[str]:
    """The details worth saying: those that are drifts and do not differ only because another does."""
    return [fact for fact in DETAILS if fact in drifted]
