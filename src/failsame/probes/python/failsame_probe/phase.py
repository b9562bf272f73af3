"""When calls start: 0.25 s after a whole second, because some clients round their timeouts up to one."""

from __future__ import annotations

import math
from collections.abc import Callable
from time import monotonic, time

_PHASE = 0.25

_LATE = 0.25
"""How late a call may start and still be said to have started there: no client rounds so finely."""

_EARLY = 0.001
"""How early: a float of the wall clock is good to 0.2 µs, so that the phase itself can read as just before it."""


class Starts:
    """The start of each call, on the phase of the monotonic clock or of the wall clock."""

    def __init__(self, *, wall: bool) -> None:
        self._wall = wall
        self._clock: Callable[[], float] = time if wall else monotonic

    def wait_for(self, at: float) -> float:
        """Seconds to wait until `at`, on the monotonic clock; until the next phase if that has passed.

        `at` is a phase of the monotonic clock: on the wall clock it is the first phase after it.
        """
        wait = at - monotonic()
        if wait > 0 and not self._wall:
            return wait
        return self.wait(max(wait, 0.0))

    def wait(self, least: float = 0.0) -> float:
        """Seconds to wait until the next phase that is at least so many away."""
        now = self._clock()
        return math.floor(now + least - _PHASE) + 1 + _PHASE - now

    def met(self) -> bool:
        """Whether it is the phase, or just after it."""
        return (self._clock() - _PHASE + _EARLY) % 1 < _LATE
