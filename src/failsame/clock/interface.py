"""What a trial asks of its clock. Two clocks can answer: real time, and time that skips idleness."""

from collections.abc import Mapping
from typing import Protocol

from failsame.observation import ClockName

START_PHASE = 0.25
"""Seconds after a whole second at which calls start: some clients round timeouts to whole seconds (aiohttp)."""


class World(Protocol):
    """A clock, and where trials run on it. Times are seconds of CLOCK_MONOTONIC as the participants read it."""

    @property
    def clock(self) -> ClockName:
        """Which clock it is."""
        ...

    @property
    def horizon(self) -> float:
        """Seconds a call may last."""
        ...

    @property
    def watch(self) -> float:
        """Seconds to watch for late attempts after the last call."""
        ...

    @property
    def at_once(self) -> int:
        """How many trials may run at once without disturbing each other's times."""
        ...

    def environment(self) -> Mapping[str, str]:
        """Variables that every participant (fault server, probe) is started with."""
        ...

    async def turn(self, *, fresh: bool) -> float:
        """Wait for the next turn, and return when its first call starts.

        There is time enough until then to fork a process and make a client, or, if `fresh`, to start an interpreter
        and import the subject.
        """
        ...

    async def reached(self, at: float) -> None:
        """Return once the clock has reached `at`."""
        ...
