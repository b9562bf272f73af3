"""Real time: trials mostly sleep, so many run at once, but few start at once."""

import asyncio
import math
import os
import time
from collections.abc import Mapping

from failsame.clock.interface import START_PHASE, PortFault, Reached, TrialTime
from failsame.observation import ClockName

REAL_HORIZON = 33.0
"""Seconds a call may last: longer than the usual 30 s, so that a 30 s timeout is seen to end."""

WATCH = 2.0
"""Seconds to watch for late attempts."""

AT_ONCE = 256
"""Trials at once; each holds a process and a few descriptors, and sleeps."""

STARTS_PER_CORE = {False: 2.0, True: 0.5}
"""Calls that start in the same second, per core, by whether each needs a fresh interpreter. All start at the same
phase of the second; building a first request costs an SDK 10 to 30 ms of processor time, and importing one 500 ms:
more at once would show in the times."""

LEAD = {False: 0.7, True: 2.5}
"""Seconds from a turn to its call, by whether it needs a fresh interpreter."""


class RealTime:
    """The clock of CLOCK_MONOTONIC itself. One instance hands out the turns of a whole run."""

    def __init__(self, horizon: float = REAL_HORIZON) -> None:
        self._horizon = horizon
        self._cores = len(os.sched_getaffinity(0))
        self._next = 0.0

    @property
    def clock(self) -> ClockName:
        """Real time."""
        return "real"

    @property
    def horizon(self) -> float:
        """Seconds a call may last."""
        return self._horizon

    @property
    def watch(self) -> float:
        """Seconds to watch for late attempts after the last call."""
        return WATCH

    @property
    def at_once(self) -> int:
        """How many trials may run at once."""
        return AT_ONCE

    @property
    def file(self) -> None:
        """Real time is everybody's."""

    def environment(self) -> Mapping[str, str]:
        """Nothing: participants read the kernel's clock."""
        return {}

    def expect(self, pid: int) -> None:
        """Nobody has to know."""

    async def now(self) -> float:
        """What it says."""
        return time.monotonic()

    async def turn(self, *, fresh: bool) -> float:
        """Take the next free turn: each second has a few, and a fresh interpreter takes more of it."""
        soonest = math.ceil(time.monotonic() + LEAD[fresh] - START_PHASE)
        taken = max(float(soonest), self._next)
        self._next = taken + 1 / max(1.0, STARTS_PER_CORE[fresh] * self._cores)
        starts = math.floor(taken + 1e-6) + START_PHASE
        await self.reached(starts - LEAD[fresh])
        return starts

    def begin(self, ports: Mapping[int, PortFault]) -> None:
        """Nothing to prepare: time runs by itself."""

    def run_until(self, at: float | None) -> None:
        """Nobody can stop it."""

    async def reached(self, at: float) -> Reached:
        """Sleep until then."""
        await asyncio.sleep(max(0.0, at - time.monotonic()))
        return "time"

    async def end(self) -> TrialTime:
        """The result stands."""
        return TrialTime()
