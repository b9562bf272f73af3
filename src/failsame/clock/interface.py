"""What a trial asks of its clock. Two clocks can answer: real time, and time that skips idleness."""

from collections.abc import Mapping
from dataclasses import dataclass
from enum import IntFlag
from pathlib import Path
from typing import Literal, Protocol

from failsame.observation import ClockName

START_PHASE = 0.25
"""Seconds after a whole second at which calls start: some clients round timeouts to whole seconds (aiohttp)."""


class PortFault(IntFlag):
    """What the server does to a port, by declaration, so that nobody need take it for something under way."""

    NONE = 0
    BLACK_HOLE = 1
    """SYNs get no answer."""
    HALF_OPEN = 2
    """Connections go dead without a sign (IP_MINTTL)."""


Reached = Literal["time", "kernel"]
"""How waiting for a time ended: it has come, or the kernel would have given up a connection before, which it does after
minutes of its own time: nothing can be said about what the client would do next."""


@dataclass(frozen=True)
class TrialTime:
    """What became of a trial's time: whether its result stands."""

    again: str | None = None
    """Why the trial has to be run again, in words; None if its result stands."""
    only_real: bool = False
    """Whether it would be the same the next time: only real time can measure it."""


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

    @property
    def file(self) -> Path | None:
        """What every participant reads and writes; None if there is nothing."""
        ...

    def environment(self) -> Mapping[str, str]:
        """Variables that every participant (fault server, probe) is started with."""
        ...

    def expect(self, pid: int) -> None:
        """A process was started with that environment."""
        ...

    async def now(self) -> float | None:
        """What it says; None if nobody can tell any more."""
        ...

    async def turn(self, *, fresh: bool) -> float:
        """Wait for the next turn, and return when its first call starts; in the past if at the next whole second.

        There is time enough until then to fork a process and make a client, or, if `fresh`, to start an interpreter
        and import the subject.
        """
        ...

    def begin(self, ports: Mapping[int, PortFault]) -> None:
        """Participants begin to work on something: a trial with these ports, or an import with none. Time runs."""
        ...

    def run_until(self, at: float | None) -> None:
        """Let time run, to `at` at the most."""
        ...

    async def reached(self, at: float) -> Reached:
        """Return once the clock has reached `at`, the time given to `run_until`."""
        ...

    async def end(self) -> TrialTime:
        """The participants are through; time stands until they `begin` again."""
        ...
