"""The skipping clock as a trial sees it: exact, or to be run again."""

import asyncio
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from pathlib import Path

from failsame.clock.interface import PortFault, Reached, TrialTime
from failsame.clock.native import CannotSkipError
from failsame.clock.verdict import Verdict
from failsame.clock.world import LEASE, SHORT_LEASE, SkippingWorld
from failsame.confine import Account
from failsame.observation import ENDLESS, ClockName

HORIZON = ENDLESS
"""Seconds a call may last: it costs nothing to wait for an hour."""

WATCH = 60.0
"""Seconds to watch for late attempts."""

PATIENCE = 40.0
"""Seconds of real time that one call may take. More means that its time does not skip: real time measures it then,
with a horizon of its own."""

REAL_ALLOWED = 0.02
"""Seconds of a trial that may have run like real time: what they add to its times lies well within the slack."""

# Waits and timers that a client has of its own: its next trial would have them too.
_ALWAYS = frozenset({"wait", "timer", "descriptor", "stranger", "unreadable", "budget"})


class SkippedTime:
    """One world of skipped time, for one trial at a time. Made by `open`."""

    clock: ClockName = "skip"
    watch = WATCH
    at_once = 1

    def __init__(self, world: SkippingWorld, horizon: float) -> None:
        self._world = world
        self.horizon = horizon
        self._impatient = False

    @classmethod
    @asynccontextmanager
    async def open(
        cls, folder: Path, horizon: float = HORIZON, *, owner: Account | None = None
    ) -> AsyncIterator["SkippedTime"]:
        """Start a world; its file goes into `folder`, and belongs to the participants' user, if they have another.

        Raises CannotSkipError where this machine cannot.
        """
        world = await SkippingWorld.open(folder, owner=owner)
        try:
            yield cls(world, horizon)
        finally:
            await world.close()

    @property
    def file(self) -> Path:
        """The world, as its participants map it."""
        return self._world.file

    def environment(self) -> Mapping[str, str]:
        """What makes a process a participant."""
        return self._world.environment()

    def expect(self, pid: int) -> None:
        """A process was started as a participant."""
        self._world.expect(pid)

    async def now(self) -> float | None:
        """What it says, which stands still while nothing but failsame works; None if the arbiter does not answer."""
        try:
            return await self._world.now()
        except CannotSkipError:
            return None

    async def turn(self, *, fresh: bool) -> float:
        """A world has no turns: the next whole second is as near as any."""
        del fresh
        return 0.0

    def begin(self, ports: Mapping[int, PortFault]) -> None:
        """Forget what was, and let time run. Faults that rest on the kernel's timers are looked at more often."""
        self._impatient = False
        kernel = any(ports.values())
        self._world.new_trial(ports, lease=SHORT_LEASE if kernel else LEASE)
        self._world.release()

    def run_until(self, at: float | None) -> None:
        """Let time run, to `at` at the most."""
        self._world.release(at)

    async def reached(self, at: float) -> Reached:
        """Return once the clock has stopped at `at`, or patience has run out."""
        del at
        try:
            async with asyncio.timeout(PATIENCE):
                expired = await self._world.expired()
        except TimeoutError:
            self._impatient = True
            return "time"
        return "kernel" if expired.why == "kernel" else "time"

    async def end(self) -> TrialTime:
        """Stop the clock, and judge the time it gave."""
        self._world.hold()
        verdict = await self._world.verdict()
        if verdict.again is not None:
            return TrialTime(verdict.again)
        if self._impatient:
            return TrialTime(f"a call took {PATIENCE:g} s of real time{_because(verdict)}", only_real=True)
        if verdict.real_seconds > REAL_ALLOWED:
            always = any(spent.why in _ALWAYS for spent in verdict.real_time)
            return TrialTime(f"time ran like real time{_because(verdict)}", only_real=always)
        return TrialTime()


def _because(verdict: Verdict) -> str:
    """The reason that cost most, in the arbiter's words."""
    most = max(verdict.real_time, key=lambda spent: spent.seconds, default=None)
    return f" ({most.text})" if most is not None else ""
