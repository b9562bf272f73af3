"""Facts in words, for the cells of a table: fact -> what it says, before and after, as tables.

A phrase is made of pieces; a piece knows whether it is what changed, so that the page can make it stand out.
"""

import json
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from itertools import zip_longest

from failsame.facts import FACTS
from failsame.observation import ATTEMPT_LIMIT, ClockName
from failsame.report.chain import asked
from failsame.report.counts import counted
from failsame.report.durations import SLACK, between, duration, listed
from failsame.report.escape import short
from failsame.report.naming import either
from failsame.report.seen import Calls, Facts, Kind

_FEW = 4


@dataclass(frozen=True)
class Piece:
    """A part of a phrase: `lead` never stands out, `text` does where it changed."""

    text: str
    changed: bool = False
    lead: str = ""

    @property
    def said(self) -> str:
        """All its words."""
        return f"{self.lead} {self.text}".strip()


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
    "data-lost": (
        "returned as if all were well, though no answer came whole",
        "returns as if all were well, though no answer came whole",
    ),
    "still-waiting": ("never ended", "never ends"),
    "still-trying": ("never stopped trying", "never stops trying"),
    "never-settled": ("ended the program without a result", "ends the program without a result"),
    "not-made": ("was not made", "is not made"),
    "kernel": ("ended only when the system gave up", "ends only when the system gives up"),
}
HOW = frozenset({"still_waiting", "still_trying", "data_lost", "outcome"})
"""Facts that say how a call ended."""
_TIMED: frozenset[Kind] = frozenset({"ok", "error"})


def ending(facts: Facts, *, now: bool, changed: frozenset[str], horizon: str) -> Iterable[Piece]:
    """How a call ended, after how long, and with which error where that changed."""
    kinds = facts.kinds()
    if len(kinds) == 1 and kinds[0] in _TIMED:
        verb, times = ENDINGS[kinds[0]][now], after_times(facts)
        error = f"with {error_name(facts)}" if kinds[0] == "error" and "outcome" in changed else ""
        if error or changed & HOW:
            yield Piece(" ".join(filter(None, (verb, times, error))), changed=True)
        elif times.startswith("after "):
            yield Piece(times.removeprefix("after "), changed="give_up" in changed, lead=f"{verb} after")
        elif times:
            yield Piece(times, changed="give_up" in changed, lead=verb)
        else:
            yield Piece(verb)
        return
    words = [_limited(kind, facts, now=now, horizon=horizon) for kind in kinds]
    yield Piece(" or ".join(words), changed=bool(changed & (HOW | {"give_up"})))


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


def apart(call: Calls, before: list[Piece], after: list[Piece]) -> tuple[list[Piece], list[Piece]]:
    """Tell two phrases apart that read the same, though facts of them drifted."""
    if not call.drifted or [piece.said for piece in before] != [piece.said for piece in after]:
        return before, after
    drifted = [fact for fact in FACTS if fact in call.drifted]
    more = ([Piece(exactly(facts, fact), changed=True) for fact in drifted] for facts in (call.before, call.after))
    return before + next(more), after + next(more)


def details(drifted: frozenset[str]) -> list[str]:
    """The details worth saying: those that are drifts and do not differ only because another does."""
    return [fact for fact in DETAILS if fact in drifted]


def phrases(call: Calls, *, horizon: str) -> tuple[Phrase, Phrase]:
    """Say what one call did, and what it does now: `gives up after **180 s, 3 attempts**`."""
    before, after = apart(call, *(_pieces(call, now=now, horizon=horizon) for now in (False, True)))
    return runs(before, strong=False), runs(after, strong=True)


def phrase(call: Calls, *, horizon: str) -> list[Piece]:
    """Say what one call does, without comparing; of several endpoints which were asked."""
    return _pieces(call, now=True, horizon=horizon, endpoints=True)


def _pieces(call: Calls, *, now: bool, horizon: str, endpoints: bool = False) -> list[Piece]:
    facts = call.after if now else call.before
    pieces = list(ending(facts, now=now, changed=call.changed, horizon=horizon))
    tries = [counted(facts, "attempts", "attempt")]
    tries += [asked(facts)] if endpoints or "endpoints" in call.drifted else []
    pieces.append(Piece(": ".join(filter(None, tries)), changed="attempts" in call.changed))
    pieces.extend(Piece(DETAILS[fact](facts), changed=True) for fact in details(call.drifted) if fact != "endpoints")
    return pieces


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
