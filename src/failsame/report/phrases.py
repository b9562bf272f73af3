"""Facts in words, for the cells of a table: fact -> what it says, before and after, as tables.

A phrase is made of pieces; a piece knows whether it is what changed, so that the page can make it stand out.
"""

from collections.abc import Iterable
from dataclasses import dataclass

from failsame.facts import FACTS
from failsame.observation import ATTEMPT_LIMIT, ClockName
from failsame.report.chain import asked
from failsame.report.counts import counted
from failsame.report.details import DETAILS, details, exactly
from failsame.report.durations import SLACK, between, duration
from failsame.report.escape import short
from failsame.report.seen import Calls, Facts, Kind


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
    "died": ("ended its process", "ends its process"),
    "never-settled": ("ended the program without a result", "ends the program without a result"),
    "not-made": ("was not made", "is not made"),
    "kernel": ("ended only when the system gave up", "ends only when the system gives up"),
}
HOW = frozenset({"still_waiting", "still_trying", "data_lost", "outcome"})
"""Facts that say how a call ended."""
NAMED: frozenset[Kind] = frozenset({"error", "died"})
"""Ends that have a name: that of an error, or of a process's status."""
_TIMED: frozenset[Kind] = frozenset({"ok", *NAMED})


def ending(facts: Facts, *, now: bool, changed: frozenset[str], horizon: str) -> Iterable[Piece]:
    """How a call ended, after how long, and with which error where that changed."""
    kinds = facts.kinds()
    if len(kinds) == 1 and kinds[0] in _TIMED:
        verb, times = ENDINGS[kinds[0]][now], after_times(facts)
        error = f"with {error_name(facts)}" if kinds[0] in NAMED and "outcome" in changed else ""
        if error or changed & HOW:
            yield Piece(" ".join(filter(None, (verb, times, error))), changed=True)
        elif times.startswith("after "):
            yield Piece(times.removeprefix("after "), changed="give_up" in changed, lead=f"{verb} after")
        elif times:
            yield Piece(times, changed="give_up" in changed, lead=verb)
        else:
            yield Piece(verb)
        return
    # The time last, and once: nobody knows here which end came after how long.
    ways = [_limited(kind, now=now, horizon=horizon) for kind in sorted(kinds, key=_TIMED.__contains__)]
    times = after_times(facts) if _TIMED & {*kinds} else ""
    yield Piece(" ".join(filter(None, (" or ".join(ways), times))), changed=bool(changed & (HOW | {"give_up"})))


def after_times(facts: Facts) -> str:
    """Say when a call ended: `after 0 to 15 s`, `at once`, or nothing where it is not known."""
    times = facts.numbers("give_up")
    if not times:
        return ""
    return "at once" if max(times) < SLACK else f"after {between(times)}"


def error_name(facts: Facts) -> str:
    """Name the error a call ended with, and its code: `botocore.ClientError SlowDown`; of a process `exit 3`."""
    names = [short(outcome) for outcome in facts.every("outcome") if isinstance(outcome, str)]
    return " or ".join(names[:3]) or "an error"


def _limited(kind: Kind, *, now: bool, horizon: str) -> str:
    words = ENDINGS[kind][now]
    if kind == "still-waiting" and now:
        return f"{words} (still waiting after {horizon})"
    if kind == "still-trying":
        return f"{words} (cut off at {ATTEMPT_LIMIT} attempts)"
    return words


def horizon_words(seconds: float, clock: ClockName) -> str:
    """Say how long a call was waited for: `33 s of real time`, `1 h`."""
    return f"{duration(seconds)} of real time" if clock == "real" else duration(seconds)


def apart(call: Calls, before: list[Piece], after: list[Piece]) -> tuple[list[Piece], list[Piece]]:
    """Tell two phrases apart that read the same, though facts of them drifted."""
    if not call.drifted or [piece.said for piece in before] != [piece.said for piece in after]:
        return before, after
    drifted = [fact for fact in FACTS if fact in call.drifted]
    more = ([Piece(exactly(facts, fact), changed=True) for fact in drifted] for facts in (call.before, call.after))
    return before + next(more), after + next(more)


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
