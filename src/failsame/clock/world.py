"""Time that skips idleness: one world, its arbiter, and what the trial room says to it.

The clock belongs to the participants: every process started with `environment`, and their descendants. It stands still
while one of them works, and jumps to the earliest deadline when all sleep and nothing is under way. The harness, the
process that opened the world, is no participant. Unless the thread that opened it waits in its event loop, which is
asyncio's by epoll, the clock does not jump, and commands that it has sent are obeyed before the next jump: a message to
a participant, followed by `release`, cannot be overtaken. That thread must not await anything while it still has
something to say; it holds the clock first.
"""

import asyncio
import contextlib
import os
import signal
import threading
from collections.abc import Mapping
from pathlib import Path
from typing import Self, TypeVar

from pydantic import ValidationError

from failsame.clock.arbiter import SAID, Said, SaidExpired, SaidNow, SaidReady, SaidUnfit, SaidVerdict
from failsame.clock.harness import of_this_loop
from failsame.clock.interface import PortFault
from failsame.clock.native import CannotSkipError, Native, find
from failsame.clock.verdict import Expired, Verdict, verdict_of
from failsame.confine import Account

LEASE = 0.3
"""Seconds that time may stand still without a look of the arbiter."""

SHORT_LEASE = 0.05
"""The same for faults that rest on the kernel's own timers, which do not stand still: less of them can hide in it."""

_ANSWER_LIMIT = 10.0
"""Seconds to wait for the arbiter's answer, which takes well under one: if none comes it is stopped or starved."""

_NS = 1e9

_Answer = TypeVar("_Answer", SaidNow, SaidVerdict)


class SkippingWorld:
    """A clock for participants, and its arbiter. Made by `open`, in the thread that talks to the participants."""

    def __init__(self, process: asyncio.subprocess.Process, file: Path, environment: Mapping[str, str]) -> None:
        self.file = file
        self._process = process
        self._environment = dict(environment)
        self._trial = self._period = 0
        self._expired: asyncio.Future[Expired] = asyncio.get_running_loop().create_future()
        self._answers: asyncio.Queue[Said | None] = asyncio.Queue()
        self._listening = asyncio.create_task(self._listen())

    @classmethod
    async def open(cls, directory: Path, *, owner: Account | None = None, native: Native | None = None) -> Self:
        """Start an arbiter; its file goes into `directory`. The clock is held.

        `owner` is the participants' user, if they have another: then the file is given to it.
        Raises CannotSkipError where this machine lacks something the arbiter needs.
        """
        native = native or find()
        harness = of_this_loop(native.harness)
        file = directory / "world"
        file.touch(mode=0o600)
        if owner is not None:
            owner.give(file)
        process = await asyncio.create_subprocess_exec(
            native.arbiter,
            file,
            str(threading.get_native_id()),
            str(harness.descriptor),
            pass_fds=(harness.descriptor,),
            env={},
            stdin=asyncio.subprocess.PIPE,
            stdout=asyncio.subprocess.PIPE,
        )
        # libuv must not use io_uring: the kernel would work for it unseen. The shim refuses it what it asks for anyway.
        preload = {"LD_PRELOAD": str(native.shim), "FAILSAME_WORLD": str(file), "UV_USE_IO_URING": "0"}
        world = cls(process, file, preload)
        match await world._answer():
            case SaidReady():
                return world
            case SaidUnfit(why=why):
                reason = why
            case _:
                reason = "the arbiter ended at once"
        await world.close()
        raise CannotSkipError(f"time cannot be skipped here: {reason}; measure with --clock real")

    @property
    def arbiter(self) -> int:
        """The arbiter's process."""
        return self._process.pid

    def environment(self) -> Mapping[str, str]:
        """What makes a process a participant."""
        return self._environment

    def expect(self, pid: int) -> None:
        """Say that this process was started as a participant: should its shim not speak up, time is real.

        Without it a static program, which no shim can enter, would not be known to exist.
        """
        self._tell(f"expect {pid}")

    def new_trial(self, ports: Mapping[int, PortFault], *, lease: float = LEASE) -> None:
        """Forget the last trial, hold the clock, and declare the fault server's ports."""
        self._trial += 1
        declared = " ".join(f"{port}:{int(fault)}" for port, fault in ports.items())
        self._tell(f"trial {self._trial} {int(lease * _NS)} {declared}")

    def hold(self) -> None:
        """Stop the clock until `release`. Participants may work, but none of their timed waits ends."""
        self._tell("hold")

    def release(self, until: float | None = None) -> None:
        """Give the clock to the participants, to `until` (seconds of their CLOCK_MONOTONIC) at most."""
        self._period += 1
        self._expired.cancel()
        self._expired = asyncio.get_running_loop().create_future()
        self._tell(f"release {self._period}" + ("" if until is None else f" {round(until * _NS)}"))

    async def expired(self) -> Expired:
        """Wait until the clock has stopped by itself since the last `release`. Waits for ever if the arbiter ends."""
        return await asyncio.shield(self._expired)

    async def now(self) -> float:
        """The participants' CLOCK_MONOTONIC. Raises CannotSkipError if the arbiter does not answer."""
        answer = await self._ask("now", SaidNow)
        if answer is None:
            raise CannotSkipError("the arbiter of the skipped time does not answer; measure with --clock real")
        return answer.at / _NS

    async def verdict(self) -> Verdict:
        """What became of the trial's time so far."""
        answer = await self._ask("verdict", SaidVerdict)
        if answer is None:
            return Verdict(again="the arbiter has ended, or does not answer")
        return verdict_of(answer)

    async def close(self) -> None:
        """End the arbiter. Participants that are left run in real time."""
        self._expired.cancel()
        self._listening.cancel()
        with contextlib.suppress(ProcessLookupError):
            if self._process.returncode is None:
                os.kill(self._process.pid, signal.SIGKILL)  # not kill(): in Python 3.11 that may reap it, unseen
        await self._process.wait()
        transport = self._process._transport  # type: ignore[attr-defined]  # noqa: SLF001 - asyncio closes it no other way
        transport.close()

    def _tell(self, command: str) -> None:
        """Written at once: a pipe takes far more than we ever have to say."""
        assert self._process.stdin is not None
        self._process.stdin.write(f"{command}\n".encode())

    async def _ask(self, command: str, kind: type[_Answer]) -> _Answer | None:
        while not self._answers.empty():
            self._answers.get_nowait()
        if self._listening.done():
            return None
        self._tell(command)
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(_ANSWER_LIMIT):
                while (answer := await self._answers.get()) is not None:
                    if isinstance(answer, kind):
                        return answer
        return None

    async def _answer(self) -> Said | None:
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(_ANSWER_LIMIT):
                return await self._answers.get()
        return None

    async def _listen(self) -> None:
        assert self._process.stdout is not None
        while line := await self._process.stdout.readline():
            with contextlib.suppress(ValidationError):
                self._take(SAID.validate_json(line))
        self._answers.put_nowait(None)

    def _take(self, said: Said) -> None:
        if not isinstance(said, SaidExpired):
            self._answers.put_nowait(said)
        elif said.period == self._period and not self._expired.done():
            self._expired.set_result(Expired(said.at / _NS, said.why))
