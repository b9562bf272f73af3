"""Counts in words: of one call, and over many."""

from collections.abc import Sequence
from itertools import groupby

from failsame.report.naming import either
from failsame.report.seen import Calls, Facts

_FEW = 4
_MOST_TURNS = 6


def count(number: float, singular: str, plural: str | None = None) -> str:
    """Say how many, with the noun in its number: `no attempts`, `1 attempt`, `3 attempts`."""
    noun = singular if number == 1 else plural or f"{singular}s"
    return f"{number:,.0f} {noun}" if number else f"no {noun}"


def counted(facts: Facts, fact: str, singular: str) -> str:
    """Say how many at jitter low and high: `3 attempts`, `1 to 3 attempts`, or nothing where it is not known."""
    numbers = facts.numbers(fact)
    if not numbers:
        return ""
    high = count(max(numbers), singular)
    return high if min(numbers) == max(numbers) else f"{several(facts, fact)} {high.partition(' ')[2]}"


def several(facts: Facts, fact: str) -> str:
    """Say a count: `3`, `1 to 3` at jitter low and high, `3 or 5` where it varied when it was recorded."""
    numbers = sorted(set(facts.numbers(fact)))
    words = [f"{number:,.0f}" for number in numbers]
    if len(words) > 1 and (not facts.varied(fact) or len(words) > _FEW):
        return f"{words[0]} to {words[-1]}"
    return either(words)


def sequence(calls: Sequence[Calls], *, now: bool, noun: bool = False) -> str:
    """Say how often each of many calls was tried: `3 each for 17 calls, then 2, then 1`; `noun` adds "attempts"."""
    per_call = [counted(call.after if now else call.before, "attempts", "attempt") for call in calls]
    groups = [(words, len(list(group))) for words, group in groupby(per_call) if words]
    if len(groups) == 1:
        return f"{groups[0][0]} each"
    parts: list[str] = []
    if len(groups) > _MOST_TURNS:
        numbers = [number for one in calls for number in (one.after if now else one.before).numbers("attempts")]
        return f"{min(numbers):,.0f} to {max(numbers):,.0f} attempts each, changing {len(groups) - 1} times"
    for place, (words, times) in enumerate(groups):
        number = words if noun and not parts else words.removesuffix(" attempts").removesuffix(" attempt")
        last = place == len(groups) - 1
        parts.append(number if times == 1 or last else f"{number} each for {times} calls")
    return ", then ".join(parts)
