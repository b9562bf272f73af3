"""The waits that clients draw, at the two draws that are pinned."""

from dataclasses import dataclass
from itertools import accumulate

from failsame.observation import JITTER, Jitter

HIGH = JITTER["high"]


@dataclass(frozen=True)
class Waits:
    """Seconds before each retry, at jitter low and high."""

    low: tuple[float, ...] = ()
    high: tuple[float, ...] = ()

    def at(self, jitter: Jitter) -> tuple[float, ...]:
        """The waits at one jitter."""
        return self.low if jitter == "low" else self.high

    def starts(self, jitter: Jitter, each: float) -> list[float]:
        """When attempts start, and at last when the call ends, if every attempt takes `each` seconds."""
        return list(accumulate((each + wait for wait in (*self.at(jitter), 0.0)), initial=0.0))


NONE = Waits()
"""No retry."""


def fixed(*seconds: float) -> Waits:
    """Waits without jitter."""
    return Waits(seconds, seconds)


def full_jitter(*ceilings: float) -> Waits:
    """Waits drawn from 0 up to a ceiling (botocore, tenacity)."""
    return Waits((0.0,) * len(ceilings), tuple(HIGH * ceiling for ceiling in ceilings))


def up_to_a_quarter_less(*ceilings: float) -> Waits:
    """Waits drawn from the whole of something down to three quarters of it (openai, anthropic)."""
    return Waits(ceilings, tuple(ceiling * (1 - 0.25 * HIGH) for ceiling in ceilings))
