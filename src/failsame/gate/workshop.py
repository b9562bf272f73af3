"""What a run needs around it: a folder, clocks, fault servers; none of it is left behind."""

import os
import tempfile
from collections.abc import AsyncIterator, Iterator
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from failsame.clock import CannotSkipError, RealTime, SkippedTime, World, self_test
from failsame.confine import Account, Confinement, confinement
from failsame.errors import UnmeasuredError
from failsame.faults.handle import FaultServer
from failsame.gate.plan import Plan
from failsame.gate.prepare import Workshop, selected
from failsame.gate.progress import Progress
from failsame.observation import ENDLESS
from failsame.trial import JITTERS, Place, Places, together, worth
from failsame.trial.leftovers import reaped

ClockChoice = Literal["auto", "skip", "real"]

_PORTS = range(8192, 32768)
"""For servers whose clients can connect to no others: below what the kernel gives out (ip_local_port_range, ip(7))."""

_PORTS_EACH = 4096
"""Each is a rule that every confined process is started with: 7 ms for so many."""

_READ = 0o005
"""What others need of a folder that they read."""

_ENTERED = 0o711
"""Others may go through to what is theirs, and see nothing else."""


@dataclass(frozen=True)
class Timing:
    """How time is measured: the clock, and the seconds a call may last (None: as the clock has it)."""

    clock: ClockChoice = "auto"
    horizon: float | None = None


@asynccontextmanager
async def workshop(plan: Plan, timing: Timing, progress: Progress) -> AsyncIterator[Workshop]:
    """Open places to run trials at. Raises UnmeasuredError where there is no space or no port for them."""
    confined = confinement()
    if confined is not None and plan.folder.stat().st_mode & _READ != _READ:
        raise UnmeasuredError(
            f"{plan.folder} may be read by its owner alone, and here clients run as another user: "
            "run `chmod -R go+rX .` in a step before"
        )
    async with AsyncExitStack() as around:
        around.enter_context(reaped())
        scratch = Path(around.enter_context(_scratch()))
        opener = _Opener(scratch, timing, confined, _blocks())
        places, note = await _places(opener, _most(plan), around)
        await around.enter_async_context(places)
        horizon = places.all[0].world.horizon
        yield Workshop(plan, places, horizon, progress, scratch / "copies", note, confined)


@dataclass(frozen=True)
class _Opener:
    """Opens places, each with a folder of its own and, where subjects are confined, with ports of its own."""

    scratch: Path
    timing: Timing
    confined: Confinement | None
    blocks: Iterator[range]

    @property
    def account(self) -> Account | None:
        """As whom subjects run, and their servers."""
        return self.confined.probes if self.confined else None

    @asynccontextmanager
    async def skipping(self, name: str) -> AsyncIterator[Place]:
        """One in skipped time. Raises CannotSkipError where that cannot be had."""
        folder = self.scratch / name
        folder.mkdir()
        horizon = () if self.timing.horizon is None else (self.timing.horizon,)
        async with (
            SkippedTime.open(folder, *horizon, owner=self.account) as world,
            self.place(world, f"{name}/place") as place,
        ):
            yield place

    @asynccontextmanager
    async def place(self, world: World, name: str) -> AsyncIterator[Place]:
        """One in this world."""
        served, trials = self.scratch / name / "server", self.scratch / name / "trials"
        for folder in (served, trials):
            folder.mkdir(parents=True)
        ports = None
        if self.account is not None:
            self.scratch.chmod(_ENTERED)
            self.account.give(served)
            ports = next(self.blocks)
        async with FaultServer.start(served, world.environment(), account=self.account, ports=ports) as server:
            world.expect(server.pid)
            place = Place(world, server, trials, self.account, ports)
            place.compiled.mkdir()
            place.give(place.compiled)
            yield place


def _cores() -> list[int]:
    return sorted(os.sched_getaffinity(0))


def _blocks() -> Iterator[range]:
    """Ports for each place: one a core, and one in real time."""
    size = min(_PORTS_EACH, len(_PORTS) // (len(_cores()) + 1))
    return (_PORTS[start : start + size] for start in range(0, len(_PORTS), size))


def _most(plan: Plan) -> int:
    """How many places are worth their opening in skipped time, since a trial is over in no time there."""
    chosen = (selected(subject, plan, "skip", ENDLESS, plan.named).chosen for subject in plan.subjects)
    trials = sum(len(JITTERS) * len(scenarios) for scenarios in chosen)
    return worth(trials)


async def _places(opener: _Opener, most: int, around: AsyncExitStack) -> tuple[Places, str | None]:
    """A world a core in skipped time, at most so many; where none can be had, and is not insisted on, one in real time.

    And why.
    """
    note = None
    timing = opener.timing
    if timing.clock != "real":
        try:
            await _trusted(opener.account)
            opened = (around.enter_async_context(opener.skipping(str(core))) for core in _cores()[:most])
            skipped = await together(opened)
        except CannotSkipError as error:
            if timing.clock == "skip":
                raise
            note = f"measured in real time: {error}"
        else:
            real = None if timing.clock == "skip" else lambda: opener.place(RealTime(), "real")
            return Places(skipped, real=real), note
    world = RealTime() if timing.horizon is None else RealTime(timing.horizon)
    place = await around.enter_async_context(opener.place(world, "real"))
    return Places([place]), note


async def _trusted(account: Account | None) -> None:
    """Raise CannotSkipError unless this machine has just shown that time can be skipped on it."""
    found = await self_test(account=account)
    if not found.can_skip:
        raise CannotSkipError(f"time cannot be skipped here ({found.why_not}): see `failsame doctor`")


def _scratch() -> "tempfile.TemporaryDirectory[str]":
    try:
        return tempfile.TemporaryDirectory(prefix="failsame-", ignore_cleanup_errors=True)
    except OSError as error:
        raise UnmeasuredError(
            f"no folder can be made for temporary files ({error.strerror}): make room, or set TMPDIR elsewhere"
        ) from error
