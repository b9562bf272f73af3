"""Facts in words, for the cells of a table: fact -> what it says, before and after, as tables.

A phrase is made of pieces; a piece knows whether it is what changed, so that the page can make it stand out.
"""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from itertools import groupby

from failsame.observation import ATTEMPT_LIMIT, ClockName
from failsame.report.durations import between, duration, listed
from failsame.report.escape import short
from failsame.report.seen import Calls, Facts, Kind

SLACK = 0.05
"""Below the slack of times a call gave up at once: 0.003 s against 0 s says nothing."""


@dataclass(frozen=True)
class Piece:
    """A part of a phrase: `lead` never stands out, `text` does where it changed."""

    text: str
    changed: bool = False
    lead: str = ""


@dataclass(frozen=True)
class Run:
    """Neighbouring pieces that look the same. `joint` stands before it: nothing, a space, or comma and space."""

    text: str
    strong: bool
    joint: str = ""


Phrase = tuple[Run, ...]

# How a call ended -> in a sentence about before, and about now. Times and errors are added where there are any.
ENDINGS: dict[Kind, tuple[str, str]] = {
    "ok": ("succeeded", "succeeds"),
    "error": ("gave up", "gives up"),
    "data-lost": ("returned half an answer as if it were whole", "returns half an answer as if it were whole"),
    "still-waiting": ("never ended", "never ends"),
    "still-trying": ("never stopped trying", "never stops trying"),
    "never-settled": ("ended the program without a result", "ends the program without a result"),
    "not-made": ("was not made", "is not made"),
    "kernel": ("ended only when the system gave up", "ends only when the system gives up"),
}
_HOW = frozenset({"still_waiting", "still_trying", "data_lost", "outcome"})
_TIMED: frozenset[Kind] = frozenset({"ok", "error"})


def ending(facts: Facts, *, now: bool, changed: frozenset[str], horizon: str) -> Iterable[Piece]:
    """How a call ended, after how long, and with which error where that changed."""
    kinds = facts.kinds()
    if len(kinds) == 1 and kinds[0] in _TIMED:
        verb, times = ENDINGS[kinds[0]][now], after_times(facts)
        error = f"with {error_name(facts)}" if kinds[0] == "error" and "outcome" in changed else ""
        if error or changed & _HOW:
            yield Piece(" ".join(filter(None, (verb, times, error))), changed=True)
        elif times.startswith("after "):
            yield Piece(times.removeprefix("after "), changed="give_up" in changed, lead=f"{verb} after")
        elif times:
            yield Piece(times, changed="give_up" in changed, lead=verb)
        else:
            yield Piece(verb)
        return
    words = [_limited(kind, facts, now=now, horizon=horizon) for kind in kinds]
    yield Piece(" or ".join(words), changed=bool(changed & (_HOW | {"give_up"})))


def after_times(facts: Facts) -> str:
    """Say when a call ended: `after 0 to 15 s`, `at once`, or nothing where it is not known."""
    times = facts.numbers("give_up")
    if not times:
        return ""
    return "at once" if max(times) < SLACK else f"after {between(times)}"


def error_name(facts: Facts) -> str:
    """Name the error a call ended with, and its code: `botocore.ClientError SlowDown`."""
    names = [short(outcome) for outcome in facts.every("outcome") if isinstance(outcome, str)]
    return " or ".join(names[:3]) or "an error"


def _limited(kind: Kind, facts: Facts, *, now: bool, horizon: str) -> str:
    words = ENDINGS[kind][now]
    if kind == "still-waiting" and now:
        return f"{words} (still waiting after {horizon})"
    if kind == "still-trying":
        return f"{words} (cut off at {ATTEMPT_LIMIT} attempts)"
    times = after_times(facts)
    return f"{words} {times}" if times and kind in _TIMED else words


def horizon_words(seconds: float, clock: ClockName) -> str:
    """Say how long a call was waited for: `33 s of real time`, `1 h`."""
    return f"{duration(seconds)} of real time" if clock == "real" else duration(seconds)


def count(number: float, singular: str, plural: str | None = None) -> str:
    """Say how many, with the noun in its number: `no attempts`, `1 attempt`, `3 attempts`."""
    noun = singular if number == 1 else plural or f"{singular}s"
    return f"{number:,.0f} {noun}" if number else f"no {noun}"


def counted(facts: Facts, fact: str, singular: str) -> str:
    """Say how many at jitter low and high: `3 attempts`, `1 to 3 attempts`, or nothing where it is not known."""
    numbers = facts.numbers(fact)
    if not numbers:
        return ""
    low, high = min(numbers), max(numbers)
    return count(high, singular) if low == high else f"{low:,.0f} to {count(high, singular)}"


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


def _key(facts: Facts) -> str:
    kept = [value for value in facts.every("key_kept") if value is not None]
    if not kept:
        return "no idempotency key"
    return "one idempotency key for all attempts" if all(kept) else "a new idempotency key for each attempt"


def _dead(facts: Facts) -> str:
    return "the dead connection used again" if any(facts.every("dead_connection_reused")) else "a new connection used"


def _other(facts: Facts) -> str:
    values = [value for value in facts.every("other_requests") if isinstance(value, dict) and value]
    if not values:
        return "no other requests"
    return ", ".join(f"{short(key)} ({short(str(times))} times)" for key, times in list(values[-1].items())[:3])


# Said only where they changed: fact -> its words.
DETAILS: dict[str, Callable[[Facts], str]] = {
    "waits": _waits,
    "starts": _starts,
    "connections": lambda facts: counted(facts, "connections", "connection"),
    "dead_connection_reused": _dead,
    "late_attempts": lambda facts: (
        f"{counted(facts, 'late_attempts', 'attempt') or 'no attempts'} after the call had ended"
    ),
    "key_kept": _key,
    "other_requests": _other,
}


def details(drifted: frozenset[str]) -> list[str]:
    """The details worth saying: those that are drifts and do not differ only because another does."""
    return [fact for fact in DETAILS if fact in drifted]


def phrase(call: Calls, *, now: bool, horizon: str) -> Phrase:
    """Say what one call did: `gives up after **180 s, 3 attempts**`."""
    facts = call.after if now else call.before
    pieces = list(ending(facts, now=now, changed=call.changed, horizon=horizon))
    pieces.append(Piece(counted(facts, "attempts", "attempt"), changed="attempts" in call.changed))
    pieces.extend(Piece(DETAILS[fact](facts), changed=True) for fact in details(call.drifted))
    return runs(pieces, strong=now)


def sequence(calls: Sequence[Calls], *, now: bool, noun: bool = False) -> str:
    """Say how often each of many calls was tried: `3 each for 17 calls, then 2, then 1`; `noun` adds "attempts"."""
    per_call = [counted(call.after if now else call.before, "attempts", "attempt") for call in calls]
    groups = [(words, len(list(group))) for words, group in groupby(per_call) if words]
    if len(groups) == 1:
        return f"{groups[0][0]} each"
    parts: list[str] = []
    for place, (words, times) in enumerate(groups):
        number = words if noun and not parts else words.removesuffix(" attempts").removesuffix(" attempt")
        last = place == len(groups) - 1
        parts.append(number if times == 1 or last else f"{number} each for {times} calls")
    return ", then ".join(parts)


def runs(pieces: Iterable[Piece], *, strong: bool) -> Phrase:
    """Join pieces with commas, neighbours that look the same into one run."""
    found: list[Run] = []
    for piece in pieces:
        joint = ", "
        for text, bold in ((piece.lead, False), (piece.text, piece.changed and strong)):
            if not text:
                continue
            if found and found[-1].strong == bold:
                found[-1] = Run(f"{found[-1].text}{joint}{text}", bold, found[-1].joint)
            else:
                found.append(Run(text, bold, joint if found else ""))
            joint = " "
    return tuple(found)
