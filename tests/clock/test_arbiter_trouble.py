"""An arbiter that is missing, killed, stopped or blind: the right answer in real time, or a verdict that it is none."""

import asyncio
import os
import shutil
import signal
import stat
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from pathlib import Path
from typing import Any

import pytest
from tests.clock.natives import arbiter_by, compiled
from tests.clock.worlds import (
    EXACT,
    NOBODY,
    UNSKIPPED,
    end,
    line_of,
    needs_root,
    program,
    run,
    run_in,
    start,
    world_of,
)

from failsame.clock.arbiter import SaidNow
from failsame.clock.native import CannotSkipError, Native, find
from failsame.clock.verdict import Verdict
from failsame.clock.world import SHORT_LEASE, SkippingWorld
from failsame.confine import Account


async def wait_half_a_second(world: SkippingWorld, trouble: Callable[[], object]) -> tuple[dict[str, Any], str | None]:
    """Start a program whose first wait has a deadline, cause trouble as it says so, and see what it measures."""
    process = await start(world, program("patient.py"))
    world.release()
    await line_of(process)
    trouble()
    said = await line_of(process)
    if world._process.returncode is None:
        os.kill(world._process.pid, signal.SIGCONT)
    await end(process)
    return said, (await world.verdict()).again


@pytest.mark.parametrize("number", [signal.SIGKILL, signal.SIGSTOP])
def test_an_arbiter_that_is_killed_or_stopped(number: signal.Signals) -> None:
    """While time stands still: the lease runs out by itself, waits end in real time, and the verdict does not stand."""

    async def main() -> tuple[dict[str, Any], str | None]:
        async with world_of() as world:
            world.new_trial({}, lease=SHORT_LEASE)
            return await wait_half_a_second(world, lambda: os.kill(world._process.pid, number))

    said, again = asyncio.run(main())
    assert 0.5 <= said["wait"] < 0.5 + UNSKIPPED
    assert 0.5 <= said["uptime"] < 0.5 + SHORT_LEASE + 3 * UNSKIPPED, "by a clock that nobody skips"
    assert again is not None


def test_an_arbiter_that_never_was() -> None:
    """Participants whose world has lost its arbiter before they start measure real time."""

    async def main() -> tuple[dict[str, Any], str | None]:
        async with world_of() as world:
            await world.close()
            process = await start(world, program("patient.py"))
            await line_of(process)
            said = await line_of(process)
            await end(process)
            return said, (await world.verdict()).again

    said, again = asyncio.run(main())
    assert 0.5 <= said["wait"] < 0.5 + UNSKIPPED
    assert again is not None


def test_a_world_that_is_no_world(tmp_path: Path) -> None:
    """A file that is not a world, or not there: the program runs in real time, as if there were none."""
    for content in (None, b"", b"x" * 100_000):
        file = tmp_path / "world"
        file.unlink(missing_ok=True)
        if content is not None:
            file.write_bytes(content)
        variables = {**os.environ, "LD_PRELOAD": str(find().shim), "FAILSAME_WORLD": str(file)}
        ran = subprocess.run(program("patient.py"), env=variables, capture_output=True, check=True, text=True)
        assert '"wait": 0.5' in ran.stdout


@needs_root
def test_an_arbiter_without_rights() -> None:
    """An arbiter of another user cannot see what the participants wait for: real time, and says so."""
    for parent in find().arbiter.parents:
        if not parent.stat().st_mode & stat.S_IXOTH:
            pytest.skip(f"{parent} cannot be entered by other users")

    async def main() -> None:
        with arbiter_by(f"setpriv --reuid {NOBODY} --regid {NOBODY} --clear-groups") as native:
            async with world_of(native, owner=Account(NOBODY, NOBODY)) as world:
                ran = await run_in(world, program("patient.py", "silent"))
            assert 0.5 <= ran.said["wait"] < 0.5 + UNSKIPPED
            assert [spent.why for spent in ran.verdict.real_time] == ["unreadable"]

    asyncio.run(main())


@needs_root
def test_participants_of_another_user() -> None:
    """A root arbiter looks as the participants' user, as in a container, and skips."""

    async def main() -> None:
        async with world_of(owner=Account(NOBODY, NOBODY)) as world:
            as_nobody = ["setpriv", f"--reuid={NOBODY}", f"--regid={NOBODY}", "--clear-groups", "--no-new-privs"]
            python = shutil.which("python3", path="/usr/bin:/bin") or pytest.skip("no Python that others may run")
            code = "import time; t = time.monotonic(); time.sleep(60); print(time.monotonic() - t)"
            ran = await run_in(world, [*as_nobody, python, "-c", code])
            assert 60 <= float(str(ran.said)) < 60 + EXACT
            assert ran.verdict.again is None

    asyncio.run(main())


def test_a_stranger_in_the_table() -> None:
    """A participant that was announced and never registers is asleep in a way that nobody understands: real time."""

    async def main() -> None:
        async with world_of() as world:
            world.new_trial({})
            process = await start(world, program("patient.py"))
            await line_of(process)
            static = await start(world, [str(compiled("static_sleep.c", "-static"))])
            world.release()
            said = await line_of(process)
            verdict = await world.verdict()
            await end(static)
            await end(process)
            assert said["wait"] >= 0.5
            assert "stranger" in [spent.why for spent in verdict.real_time]

    asyncio.run(main())


def blind_to(path: str) -> AbstractContextManager[Native]:
    """Native parts whose arbiter reads nothing from files of such a path."""
    return arbiter_by(f"env LD_PRELOAD={compiled('emptied.c', '-shared', '-fPIC')} EMPTIED={path}")


def test_counters_of_another_kernel() -> None:
    """Where schedstat counts nothing, the context switches of `status` do: everything is skipped as before."""
    with blind_to("/schedstat") as native:
        ran = run(program("waits.py", "threads"), native=native)
    assert ran.said["waits"] == 150
    assert ran.said["earliest"] >= 0
    assert ran.said["latest"] < EXACT
    assert ran.verdict.real_time == ()


@pytest.mark.parametrize("files", [12, 17, 24])
def test_an_arbiter_that_may_open_few_files(files: int) -> None:
    """It keeps no more of /proc open than it may, and sees everything all the same."""
    with arbiter_by(f"prlimit --nofile={files}") as native:
        ran = run(program("waits.py", "threads"), native=native)
    assert ran.said["waits"] == 150
    assert ran.said["latest"] < EXACT
    assert ran.verdict.real_time == ()


def test_a_harness_that_waits_for_its_interpreter() -> None:
    """What it has not read yet stops the clock though it sleeps."""

    async def main() -> tuple[dict[str, Any], Verdict]:
        async with world_of() as world:
            world.new_trial({})
            world.release()
            process = await start(world, program("waits.py", "writes_much"))
            while isinstance(said := await line_of(process), str):
                pass
            await end(process)
            return said, await world.verdict()

    with interpreter_busy():
        said, verdict = asyncio.run(main())
    assert said["write"] < EXACT
    assert verdict.real_time == ()


@needs_root
def test_a_harness_that_is_shut() -> None:
    """One that keeps a token, in a container without the right to trace: everything is skipped as before."""
    code = (
        "import asyncio; from failsame.clock.selftest import self_test; from failsame.github import guard; "
        "guard.shut(); print(asyncio.run(self_test()).why_not)"
    )
    without = ["setpriv", "--bounding-set=-sys_ptrace", "--inh-caps=-all"]
    ran = subprocess.run([*without, sys.executable, "-c", code], capture_output=True, check=True, text=True)
    assert ran.stdout == "\n"


def test_a_harness_that_is_not_seen() -> None:
    """Where the kernel tells nothing of it, time is not skipped, and the reason is given."""

    async def main() -> None:
        with blind_to(f"/{threading.get_native_id()}/") as native:
            async with world_of(native):
                pass

    with pytest.raises(CannotSkipError, match="the parent is not seen to wait"):
        asyncio.run(main())


def test_an_arbiter_that_cannot_start() -> None:
    """One that ends at once is a reason in words, not a hang."""

    async def main() -> None:
        with arbiter_by("false") as native:
            async with world_of(native):
                pass

    with pytest.raises(CannotSkipError, match="the arbiter ended at once"):
        asyncio.run(main())


def test_the_arbiter_ends_with_its_parent() -> None:
    """Its standard input closed, it is gone: no world outlives the harness."""

    async def main() -> int:
        async with world_of() as world:
            assert world._process.stdin is not None
            world._process.stdin.close()
            return await asyncio.wait_for(world._process.wait(), 10)

    assert asyncio.run(main()) == 0


def test_nonsense_is_ignored() -> None:
    """Commands that make no sense, or arrive in pieces, do not disturb the arbiter."""

    async def main() -> None:
        async with world_of() as world:
            assert world._process.stdin is not None
            for piece in (b"\n\nfly\ntrial\nrelease\nexpect\ntrial x y z:\nno", b"w\n"):
                world._process.stdin.write(piece)
                await world._process.stdin.drain()
            assert isinstance(await world._answer(), SaidNow)
            assert (await world.verdict()).again is None

    asyncio.run(main())


@contextmanager
def interpreter_busy() -> Iterator[None]:
    """Another thread of this process wants the interpreter all the time."""
    over = threading.Event()

    def work() -> None:
        while not over.is_set():
            pass

    thread = threading.Thread(target=work)
    thread.start()
    try:
        yield
    finally:
        over.set()
        thread.join()
