"""What the arbiter says, a JSON object a line: see native/arbiter/talk.c. Times are nanoseconds."""

from typing import Annotated, Literal

from pydantic import Field, TypeAdapter

from failsame.model import Model

Why = Literal[
    "nothing",
    "wait",
    "stopped",
    "unreadable",
    "stranger",
    "timer",
    "descriptor",
    "network",
    "budget",
    "late",
    "overflow",
    "signal",
]
"""Why time ran like real time; native/arbiter/arbiter.h says more about each."""


class SaidReady(Model):
    """The world's file is laid out; participants may start."""

    said: Literal["ready"]
    counter: Literal["schedstat", "status"]


class SaidUnfit(Model):
    """The machine does not show what the arbiter has to see."""

    said: Literal["unfit"]
    why: str


class SaidExpired(Model):
    """The clock has reached the end of the time that was released, and stands still there."""

    said: Literal["expired"]
    period: int
    """Of which `release`."""
    at: int
    why: Literal["until", "kernel"]


class SaidNow(Model):
    """The answer to `now`."""

    said: Literal["now"]
    at: int


class SaidReason(Model):
    """Time that ran like real time for one reason, and its first occurrence in words."""

    why: Why
    spent: int
    text: str


class SaidVerdict(Model):
    """The answer to `verdict`: what happened in the trial so far."""

    said: Literal["verdict"]
    trial: int
    at: int
    lease: int
    looks: int
    jumps: int
    longest_gap: int
    real_time: int
    suspect: int
    poisoned: int
    keepalive: bool
    user_timeout: bool
    processor: int
    reasons: tuple[SaidReason, ...]


Said = SaidReady | SaidUnfit | SaidExpired | SaidNow | SaidVerdict
SAID: TypeAdapter[Said] = TypeAdapter(Annotated[Said, Field(discriminator="said")])
