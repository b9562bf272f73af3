"""A probe's process: started, prepared, asked for trials, and never left behind."""

import asyncio
import contextlib
import socket
import sys
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from dataclasses import dataclass
from pathlib import Path

from pydantic import ValidationError

from failsame.confine import Command
from failsame.errors import UnmeasuredError
from failsame.model import Model
from failsame.probes import STARTER
from failsame.text import how_ended
from failsame.trial.channel import (
    SAID,
    Exited,
    Failed,
    Kill,
    Message,
    Prepare,
    Prepared,
    Start,
    Trial,
)
from failsame.trial.target import Target

PREPARE_LIMIT = 90.0
"""Seconds a subject may take to be imported: 20 s were seen on a busy machine."""

_KEEPER_LIMIT = 5.0
"""Seconds the keeper may take to clear away what a subject has started."""

_LINE_LIMIT = 8 << 20
_STDERR_KEPT = 4096


class Channel:
    """failsame's end of a channel."""

    def __init__(self, end: socket.socket, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self._end = end
        self._reader = reader
        self._writer = writer

    @classmethod
    async def over(cls, end: socket.socket) -> "Channel":
        """Speak over this end of a socket pair."""
        try:
            return cls(end, *await asyncio.open_unix_connection(sock=end, limit=_LINE_LIMIT))
        except BaseException:
            end.close()
            raise

    async def send(self, message: Model) -> None:
        """Say it; a probe that is gone is noticed when reading."""
        self._writer.write(message.model_dump_json().encode() + b"\n")
        with contextlib.suppress(ConnectionError):
            await self._writer.drain()

    def send_with(self, message: Model, end: socket.socket) -> None:
        """Say it together with a descriptor (SCM_RIGHTS)."""
        socket.send_fds(self._end, [message.model_dump_json().encode() + b"\n"], [end.fileno()])

    async def receive(self) -> Message | None:
        """The next message; None once the probe has closed its end.

        A line that is no message is a subject writing where it should not: UnmeasuredError.
        """
        try:
            line = await self._reader.readline()
        except (ConnectionError, ValueError):
            return None
        if not line.endswith(b"\n"):
            return None
        try:
            return SAID.validate_json(line)
        except ValidationError:
            raise UnmeasuredError(
                "the subject wrote to failsame's channel: it must not use descriptors that it did not open"
            ) from None

    def close(self) -> None:
        """Close this end."""
        self._writer.close()


@dataclass(frozen=True)
class Process:
    """The process of one trial: its channel, its exit status to come, how to kill it, and what it last complained."""

    channel: Channel
    exited: asyncio.Future[int]
    kill: Callable[[], Awaitable[None]]
    last_words: Callable[[], str]

    async def prepare(self, target: Target, preload: tuple[str, ...], *, warm: tuple[str, ...] = ()) -> Prepared:
        """Have the subject imported.

        Raises UnmeasuredError with the subject's own words if it cannot be, or is not within PREPARE_LIMIT.
        """
        await self.channel.send(Prepare(file=str(target.file), paths=target.paths, preload=preload, warm=warm))
        try:
            async with asyncio.timeout(PREPARE_LIMIT):
                said = await self.channel.receive()
        except TimeoutError:
            raise UnmeasuredError(
                f"{target.file} was not imported within {PREPARE_LIMIT:g} s: "
                "move work that waits from its top level into client() or call()"
            ) from None
        if isinstance(said, Prepared):
            return said
        if isinstance(said, Failed):
            raise UnmeasuredError(said.what)
        status = await self.exited
        raise UnmeasuredError(
            f"{target.file} ended its process while it was imported ({how_ended(status)}){self.last_words()}: "
            "a subject must be importable without ending the interpreter"
        )


class Probe:
    """A running probe, or a starter: a process that speaks over a channel, and may begin others."""

    def __init__(self, process: asyncio.subprocess.Process, channel: Channel, subject: str) -> None:
        self.process = process
        self.channel = channel
        self._exits: dict[int, asyncio.Future[int]] = {}
        self._gone = False
        self._subject = subject
        self._stderr = bytearray()

    def fork(self, trial: Trial) -> AbstractAsyncContextManager[Process]:
        """Have a trial's process forked from a probe; it is gone when this is left.

        Raises UnmeasuredError if the process to fork from is gone: a subject ended it.
        """
        return self._begun(trial)

    def start(self, start: Start) -> AbstractAsyncContextManager[Process]:
        """Have a trial's process started by a starter; the same else."""
        return self._begun(start)

    @asynccontextmanager
    async def _begun(self, trial: Trial | Start) -> AsyncIterator[Process]:
        if self._gone:
            raise self._orphaned()
        ours, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_STREAM)
        with theirs:
            channel = await Channel.over(ours)
            exited: asyncio.Future[int] = asyncio.get_running_loop().create_future()
            self._exits[trial.trial] = exited
            with contextlib.suppress(ConnectionError):  # `reap` notices a parent that is gone
                self.channel.send_with(trial, theirs)

        async def kill() -> None:
            await self.channel.send(Kill(trial=trial.trial))

        try:
            yield Process(channel, exited, kill, self.last_words)
        finally:
            try:
                if not exited.done():
                    await kill()
                    await asyncio.wait({exited})
            finally:  # also where the run is ended meanwhile: the parent, which ends next, leaves nothing either
                channel.close()
                if not exited.cancel():
                    exited.exception()  # whoever asked for the status has been told

    def itself(self) -> Process:
        """The probe's own process: a trial's, where it was started for one."""

        async def kill() -> None:
            with contextlib.suppress(ProcessLookupError):
                self.process.terminate()

        return Process(self.channel, asyncio.ensure_future(self.process.wait()), kill, self.last_words)

    async def reap(self) -> None:
        """Hand on the exit statuses of forked trials until the probe ends; for the parent of forked trials."""
        try:
            while (said := await self.channel.receive()) is not None:
                if isinstance(said, Exited) and (exited := self._exits.pop(said.trial, None)) and not exited.done():
                    exited.set_result(said.status)
        finally:
            self._gone = True
            for exited in self._exits.values():
                if not exited.done():
                    exited.set_exception(self._orphaned())

    def _orphaned(self) -> UnmeasuredError:
        return UnmeasuredError(
            f"{self._subject} ended the process that its trials are forked from{self.last_words()}: "
            "a subject must leave processes alone that it did not start"
        )

    async def drain(self) -> None:
        """Keep the end of what the subject writes to standard error, and let it write megabytes."""
        assert self.process.stderr is not None
        while chunk := await self.process.stderr.read(65536):
            self._stderr += chunk
            del self._stderr[:-_STDERR_KEPT]

    def last_words(self) -> str:
        """The last line of standard error, after a colon, or nothing."""
        lines = self._stderr.decode(errors="replace").strip().splitlines()
        return f": {lines[-1].strip()[:200]}" if lines else ""


STARTER_COMMAND = (sys.executable, "-I", "-S", str(STARTER))
"""A starter, or with a program behind it what answers for that.

It runs in failsame's own Python: without `site`, and with nothing that the variables say of Python."""


@asynccontextmanager
async def started(subject: str, command: Command, variables: Mapping[str, str], home: Path) -> AsyncIterator[Probe]:
    """Start a probe's program with exactly these environment variables, and leave nothing of it behind."""
    ours, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_STREAM)
    with theirs:
        process = await asyncio.create_subprocess_exec(
            *command.program,
            env={**variables, "FAILSAME_CHANNEL": str(theirs.fileno())},
            cwd=home,
            stdin=asyncio.subprocess.DEVNULL,
            stdout=asyncio.subprocess.DEVNULL,
            stderr=asyncio.subprocess.PIPE,
            pass_fds=(theirs.fileno(),),
            start_new_session=True,
            **command.options,
        )
    channel = await Channel.over(ours)
    probe = Probe(process, channel, subject)
    drain = asyncio.create_task(probe.drain())
    try:
        yield probe
    finally:
        # Its keeper hears that the channel hung up, and ends only once nothing of the subject is left.
        channel.close()
        try:
            await asyncio.wait_for(process.wait(), _KEEPER_LIMIT)
        except TimeoutError:
            process.kill()
            await process.wait()
        drain.cancel()
        await asyncio.gather(drain, return_exceptions=True)
