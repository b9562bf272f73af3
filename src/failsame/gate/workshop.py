"""What a run needs around it: a folder, clocks, fault servers; none of it is left behind."""

import os
import tempfile
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from failsame.clock import CannotSkipError, RealTime, SkippedTime, World, self_test
from failsame.errors import UnmeasuredError
from failsame.faults.handle import FaultServer
from failsame.gate.plan import Plan
from failsame.gate.prepare import Workshop
from failsame.gate.progress import Progress
from failsame.trial import Place, Places
from failsame.trial.leftovers import reaped

ClockChoice = Literal["auto", "skip", "real"]


@dataclass(frozen=True)
class Timing:
    """How time is measured: the clock, and the seconds a call may last (None: as the clock has it)."""

    clock: ClockChoice = "auto"
    horizon: float | None = None


@asynccontextmanager
async def workshop(plan: Plan, timing: Timing, progress: Progress) -> AsyncIterator[Workshop]:
    """Open places to run trials at. Raises UnmeasuredError where there is no space or no port for them."""
    async with AsyncExitStack() as around:
        around.enter_context(reaped())
        scratch = Path(around.enter_context(_scratch()))
        places, note = await _places(scratch, timing, around)
        await around.enter_async_context(places)
        yield Workshop(plan, places, places.all[0].world.horizon, progress, scratch / "copies", note)


async def _places(scratch: Path, timing: Timing, around: AsyncExitStack) -> tuple[Places, str | None]:
    """A world a core in skipped time; where that cannot be had, and is not insisted on, one in real time, and why."""
    note = None
    if timing.clock != "real":
        try:
            await _trusted()
            folders = [scratch / str(core) for core in sorted(os.sched_getaffinity(0))]
            skipped = [await around.enter_async_context(_skipping(folder, timing.horizon)) for folder in folders]
        except CannotSkipError as error:
            if timing.clock == "skip":
                raise
            note = f"measured in real time: {error}"
        else:
            real = None if timing.clock == "skip" else lambda: _place(RealTime(), scratch / "real")
            return Places(skipped, subjects=1, real=real), note
    world = RealTime() if timing.horizon is None else RealTime(timing.horizon)
    place = await around.enter_async_context(_place(world, scratch / "real"))
    return Places([place], subjects=world.at_once), note


async def _trusted() -> None:
    """Raise CannotSkipError unless this machine has just shown that time can be skipped on it."""
    found = await self_test()
    if not found.can_skip:
        raise CannotSkipError(f"time cannot be skipped here ({found.why_not}): see `failsame doctor`")


@asynccontextmanager
async def _skipping(folder: Path, horizon: float | None) -> AsyncIterator[Place]:
    _make(folder)
    opened = SkippedTime.open(folder) if horizon is None else SkippedTime.open(folder, horizon)
    async with opened as world, _place(world, folder / "place") as place:
        yield place


@asynccontextmanager
async def _place(world: World, folder: Path) -> AsyncIterator[Place]:
    _make(folder)
    async with FaultServer.start(folder, world.environment()) as server:
        world.expect(server.pid)
        yield Place(world, server, folder)


def _make(folder: Path) -> None:
    folder.mkdir()


def _scratch() -> "tempfile.TemporaryDirectory[str]":
    try:
        return tempfile.TemporaryDirectory(prefix="failsame-", ignore_cleanup_errors=True)
    except OSError as error:
        raise UnmeasuredError(
            f"no folder can be made for temporary files ({error.strerror}): make room, or set TMPDIR elsewhere"
        ) from error
