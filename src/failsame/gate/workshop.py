"""What a run needs around it: a folder, a clock, a fault server; none of it is left behind."""

import tempfile
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager
from pathlib import Path

from failsame.clock import RealTime
from failsame.errors import UnmeasuredError
from failsame.faults.handle import FaultServer
from failsame.gate.plan import Plan
from failsame.gate.prepare import Workshop
from failsame.gate.progress import Progress
from failsame.trial import Place, Places
from failsame.trial.leftovers import reaped


@asynccontextmanager
async def workshop(plan: Plan, horizon: float | None, progress: Progress) -> AsyncIterator[Workshop]:
    """Open a place to run trials at. Raises UnmeasuredError where there is no space or no port for it."""
    world = RealTime() if horizon is None else RealTime(horizon)
    async with AsyncExitStack() as around:
        around.enter_context(reaped())
        scratch = Path(around.enter_context(_scratch()))
        server = await around.enter_async_context(FaultServer.start(scratch))
        places = await around.enter_async_context(Places([Place(world, server, scratch)]))
        # Subjects are closed before the server that they may still talk to.
        stack = await around.enter_async_context(AsyncExitStack())
        yield Workshop(plan, places, world.horizon, progress, stack)


def _scratch() -> "tempfile.TemporaryDirectory[str]":
    try:
        return tempfile.TemporaryDirectory(prefix="failsame-", ignore_cleanup_errors=True)
    except OSError as error:
        raise UnmeasuredError(
            f"no folder can be made for temporary files ({error.strerror}): make room, or set TMPDIR elsewhere"
        ) from error
