"""Scaled time: what libfaketime does to a trial, as a clock of the trial room.

Every participant runs under libfaketime with its time sped up. Each process counts from its own start, so only what one
process says of itself can be compared: the call's own duration, and which answers it got.
"""

import asyncio
from collections.abc import Mapping
from pathlib import Path

from failsame.clock import PortFault, Reached, TrialTime
from failsame.observation import ClockName

_PLACES = (
    "/usr/lib/*-linux-gnu/faketime/libfaketimeMT.so.1",  # Debian, Ubuntu
    "/usr/lib*/faketime/libfaketimeMT.so.1",
)


def library() -> Path | None:
    """The library of libfaketime for programs with threads; None where it is not installed."""
    return next((found for pattern in _PLACES for found in sorted(Path("/").glob(pattern[1:]))), None)


class ScaledTime:
    """Time that runs `factor` times as fast."""

    clock: ClockName = "real"
    horizon = 3600.0
    watch = 2.0
    at_once = 1

    def __init__(self, factor: int, library: Path) -> None:
        self._factor = factor
        self._library = library

    def environment(self) -> Mapping[str, str]:
        """What makes a process run in it."""
        return {"LD_PRELOAD": str(self._library), "FAKETIME": f"+0 x{self._factor}"}

    def expect(self, pid: int) -> None:
        """Nobody has to know."""

    async def turn(self, *, fresh: bool) -> float:
        """The next whole second of the process itself."""
        del fresh
        return 0.0

    def begin(self, ports: Mapping[int, PortFault]) -> None:
        """Nothing to prepare."""

    def run_until(self, at: float | None) -> None:
        """Nobody can stop it."""

    async def reached(self, at: float) -> Reached:
        """The horizon, by our own clock: theirs cannot be read."""
        del at
        await asyncio.sleep(self.horizon / self._factor)
        return "time"

    async def end(self) -> TrialTime:
        """Nobody judges it."""
        return TrialTime()
