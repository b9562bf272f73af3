"""Programs run in a world of skipped time, as a trial room would run them."""

import asyncio
import contextlib
import json
import os
import shutil
import signal
import socket
import sys
import tempfile
import time
from collections.abc import AsyncIterator, Mapping, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from failsame.clock.interface import PortFault
from failsame.clock.native import Native
from failsame.clock.verdict import Expired, Verdict
from failsame.clock.world import LEASE, SkippingWorld
from failsame.confine import Account

PROGRAMS = Path(__file__).parent / "programs"
WALL_LIMIT = 50.0
"""Seconds of real time after which a test gives a program up."""

EXACT = 0.001
"""Seconds by which a skipped wait may be off; mostly it is a microsecond."""

UNSKIPPED = 0.6
"""Seconds by which a wait in real time may be late on a busy machine. None may be early."""

NOBODY = 65534
needs_root = pytest.mark.skipif(os.geteuid() != 0 or not shutil.which("setpriv"), reason="only root can change users")

_TRIES = 4


@dataclass(frozen=True)
class Ran:
    """What a program printed (one JSON object), and what became of its time."""

    said: dict[str, Any]
    verdict: Verdict
    wall: float
    """Seconds of real time."""


@asynccontextmanager
async def world_of(native: Native | None = None, owner: Account | None = None) -> AsyncIterator[SkippingWorld]:
    """A world in a directory of its own; closed in the end."""
    with tempfile.TemporaryDirectory() as directory:
        if owner is not None:
            owner.give(Path(directory))
        world = await SkippingWorld.open(Path(directory), native=native, owner=owner)
        try:
            yield world
        finally:
            await world.close()


def program(name: str, *arguments: object) -> list[str]:
    """The command of a Python program of ours."""
    return [sys.executable, str(PROGRAMS / name), *map(str, arguments)]


async def start(
    world: SkippingWorld, command: Sequence[str], variables: Mapping[str, str] | None = None
) -> asyncio.subprocess.Process:
    """Start a participant; it is expected to register."""
    environment = {**os.environ, **world.environment(), **(variables or {})}
    process = await asyncio.create_subprocess_exec(
        *command,
        env=environment,
        stdin=asyncio.subprocess.PIPE,
        stdout=asyncio.subprocess.PIPE,
        start_new_session=True,
    )
    world.expect(process.pid)
    return process


async def line_of(process: asyncio.subprocess.Process) -> Any:
    """The next line a program prints, as JSON."""
    assert process.stdout is not None
    line = await asyncio.wait_for(process.stdout.readline(), WALL_LIMIT)
    assert line, "the program ended without a word"
    return json.loads(line)


def tell(process: asyncio.subprocess.Process, message: object) -> None:
    """Send a program one line of JSON."""
    assert process.stdin is not None
    process.stdin.write((json.dumps(message) + "\n").encode())


async def end(process: asyncio.subprocess.Process) -> None:
    """Make sure that a program and its descendants are gone."""
    with contextlib.suppress(ProcessLookupError):
        os.killpg(process.pid, signal.SIGKILL)
    await process.wait()


async def run_in(
    world: SkippingWorld,
    command: Sequence[str],
    *,
    ports: Mapping[int, PortFault] | None = None,
    lease: float = LEASE,
    variables: Mapping[str, str] | None = None,
) -> Ran:
    """One trial: a program from its start to its end, alone in its world."""
    began = time.perf_counter()
    world.new_trial(ports or {}, lease=lease)
    world.release()
    process = await start(world, command, variables)
    try:
        said = await line_of(process)
    finally:
        world.hold()
        wall = time.perf_counter() - began
        await end(process)
    return Ran(said, await world.verdict(), wall)


def run(
    command: Sequence[str],
    *,
    ports: Mapping[int, PortFault] | None = None,
    lease: float = LEASE,
    native: Native | None = None,
) -> Ran:
    """`run_in` in a world of its own, again until its verdict stands, as the trial room does."""

    async def alone() -> Ran:
        async with world_of(native) as world:
            for _ in range(_TRIES):
                ran = await run_in(world, command, ports=ports, lease=lease)
                if ran.verdict.again is None:
                    break
            return ran

    ran = asyncio.run(alone())
    assert ran.verdict.again is None
    return ran


def free_port() -> int:
    """A port of 127.0.0.1 that nobody listens on."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


async def when_expired(world: SkippingWorld) -> Expired:
    """Where the clock stopped, within reason."""
    return await asyncio.wait_for(world.expired(), WALL_LIMIT)
