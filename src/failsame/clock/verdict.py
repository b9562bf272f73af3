"""What became of a trial's time: whether its result stands, and what of it ran like real time."""

from dataclasses import dataclass
from typing import Literal

from failsame.clock.arbiter import SaidVerdict, Why

_NS = 1e9

_BLIND = 0.04
"""Seconds between two looks of the arbiter that may pass: a wait that no shim sees can hide in them and come out that
much short (bench/refute_clock.py), which is less than the slack at which times drift."""


@dataclass(frozen=True)
class Expired:
    """Where the clock stopped by itself, in seconds of the participants' CLOCK_MONOTONIC.

    `until`: the time that was released is over. `kernel`: here the kernel would have given up a connection, which it
    does after minutes of its own time; nothing can be said about what the client would do next.
    """

    at: float
    why: Literal["until", "kernel"]


@dataclass(frozen=True)
class RealTimeSpent:
    """Seconds of a trial that ran like real time, and why, in words."""

    why: Why
    seconds: float
    text: str


@dataclass(frozen=True)
class Verdict:
    """What became of a trial's time. Times are seconds; all but `at` are real."""

    again: str | None
    """Why the trial has to be run again, in words; None if its result stands."""
    at: float = 0.0
    """The participants' CLOCK_MONOTONIC."""
    lease: float = 0.0
    jumps: int = 0
    looks: int = 0
    longest_gap: float = 0.0
    """Between two looks of the arbiter."""
    real_time: tuple[RealTimeSpent, ...] = ()
    keepalive: bool = False
    """A participant asked for SO_KEEPALIVE; matters where a connection is half-open."""
    user_timeout: bool = False
    """A participant set TCP_USER_TIMEOUT; matters where a connection is half-open."""
    processor: float = 0.0
    """Seconds of processor time the arbiter has used since it started."""

    @property
    def real_seconds(self) -> float:
        """Seconds that ran like real time."""
        return sum(spent.seconds for spent in self.real_time)


def verdict_of(said: SaidVerdict) -> Verdict:
    """Judge what the arbiter counted."""
    return Verdict(
        again=_again(said),
        at=said.at / _NS,
        lease=said.lease / _NS,
        jumps=said.jumps,
        looks=said.looks,
        longest_gap=said.longest_gap / _NS,
        real_time=tuple(RealTimeSpent(reason.why, reason.spent / _NS, reason.text) for reason in said.reasons),
        keepalive=said.keepalive,
        user_timeout=said.user_timeout,
        processor=said.processor / _NS,
    )


def _again(said: SaidVerdict) -> str | None:
    if said.poisoned:
        return "a thread took no note when time was skipped"
    if said.suspect:
        return "a thread ran while time was being skipped"
    allowed = min(said.lease / _NS, _BLIND)
    if said.longest_gap / _NS > allowed:
        return f"the arbiter could not look for {said.longest_gap / _NS:.3f} s (at most {allowed:g} s may pass unseen)"
    return None
