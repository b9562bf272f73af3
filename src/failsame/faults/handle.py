"""The fault server as failsame's other rooms see it: a process that opens and closes trials."""

import asyncio
import contextlib
import os
import sys
import tempfile
from collections.abc import AsyncIterator, Mapping
from pathlib import Path
from typing import BinaryIO, cast

from failsame.confine import Account, run_as
from failsame.errors import UnmeasuredError
from failsame.faults.protocol import (
    LONGEST_LINE,
    REPLIES,
    CloseTrial,
    Journal,
    LimitReached,
    Opened,
    OpenTrial,
    Refused,
    Started,
)
from failsame.faults.remedies import reason
from failsame.text import how_ended

_LAST_WORDS = 200

# It opens and closes a trial in milliseconds. A client, which may run as the same user, can stop it; nothing ends then.
_ANSWERS_WITHIN = 60.0

# Of the environment it needs no more; a job's holds tokens, and clients may run as the same user.
_KEPT = ("LANG", "LC_ALL", "LD_LIBRARY_PATH", "PATH", "TZ")


def _log(scratch: Path) -> BinaryIO:
    """A file without a name, so that nobody else puts another in its place."""
    try:
        return cast("BinaryIO", tempfile.TemporaryFile(dir=scratch))
    except OSError as error:
        raise UnmeasuredError(f"cannot write to {scratch}: {reason(error)}") from error


class FaultServer:
    """A fault server that is running; many trials may be open at once. Made by `FaultServer.start`."""

    def __init__(self, process: asyncio.subprocess.Process, log: BinaryIO) -> None:
        self._process = process
        self._log = log
        self._replies: dict[int, asyncio.Future[Opened | Journal]] = {}
        self._limits: dict[int, asyncio.Future[int]] = {}
        self._authority: Path | None = None
        self._ended: UnmeasuredError | None = None

    @classmethod
    @contextlib.asynccontextmanager
    async def start(
        cls,
        scratch: Path,
        variables: Mapping[str, str],
        *,
        account: Account | None = None,
        ports: range | None = None,
    ) -> AsyncIterator["FaultServer"]:
        """Start the server's process, which ends with the block; `scratch` takes its log and its authority.

        `variables` are added to its environment: the world's, whose participant it is. It runs as `account`, which
        `scratch` has to belong to, and opens no other ports than `ports`, if they are given.

        Raises UnmeasuredError if it does not start.
        """
        bounds = () if ports is None else (str(ports[0]), str(ports[-1]))
        # Isolated: the folder it is started in may hold a package called failsame.
        command = run_as(account, (sys.executable, "-I", "-m", "failsame.faults", str(scratch), *bounds))
        with _log(scratch) as log:
            process = await asyncio.create_subprocess_exec(
                *command.program,
                stdin=asyncio.subprocess.PIPE,
                stdout=asyncio.subprocess.PIPE,
                stderr=log,
                limit=LONGEST_LINE,
                env={**{name: os.environ[name] for name in _KEPT if name in os.environ}, **variables},
                process_group=0,  # so that Ctrl-C reaches failsame alone, which still wants the journals
                **command.options,
            )
            server = cls(process, log)
            try:
                await server._begin()
                listening = asyncio.create_task(server._listen())
                try:
                    yield server
                finally:
                    listening.cancel()
            finally:
                await server._end()

    @property
    def pid(self) -> int:
        """The server's process."""
        return self._process.pid

    @property
    def authority(self) -> Path:
        """The certificate (PEM) that clients have to trust for https."""
        assert self._authority is not None
        return self._authority

    async def open(self, trial: OpenTrial) -> Opened:
        """Open a trial's ports; raises UnmeasuredError if that is refused or the server is gone."""
        self._limits[trial.trial] = asyncio.get_running_loop().create_future()
        try:
            reply = await self._asked(trial)
        except BaseException:
            self._limits.pop(trial.trial).cancel()
            raise
        assert isinstance(reply, Opened)
        return reply

    async def close(self, trial: int) -> Journal:
        """Close a trial and get its journal; raises UnmeasuredError if the server is gone."""
        try:
            reply = await self._asked(CloseTrial(trial=trial))
        finally:
            self._limits.pop(trial).cancel()
        assert isinstance(reply, Journal)
        return reply

    async def limit_reached(self, trial: int) -> int:
        """Wait until a call of an open trial has made its last allowed attempt, and return the call's number."""
        return await asyncio.shield(self._limits[trial])

    async def _begin(self) -> None:
        match await self._heard():
            case Started(authority=authority):
                self._authority = Path(authority)
            case Refused(why=why):
                raise UnmeasuredError(f"the fault server did not start: {why}")
            case _:
                raise await self._gone()

    async def _asked(self, command: OpenTrial | CloseTrial) -> Opened | Journal:
        if self._ended is not None:
            raise self._ended
        answer: asyncio.Future[Opened | Journal] = asyncio.get_running_loop().create_future()
        self._replies[command.trial] = answer
        assert self._process.stdin is not None
        self._process.stdin.write(command.model_dump_json().encode() + b"\n")
        try:
            async with asyncio.timeout(_ANSWERS_WITHIN):
                return await answer
        except TimeoutError:
            self._kill()
            raise UnmeasuredError(
                f"the fault server said nothing for {_ANSWERS_WITHIN:g} s, though it runs: "
                "the subject must leave other processes alone, else run failsame again"
            ) from None

    async def _heard(self) -> Started | Opened | LimitReached | Refused | Journal | None:
        """Read one reply; None if the server says nothing more, or nothing that can be understood."""
        assert self._process.stdout is not None
        try:
            line = await self._process.stdout.readline()
            return REPLIES.validate_json(line) if line else None
        except ValueError:
            self._kill()
            return None

    async def _listen(self) -> None:
        while (reply := await self._heard()) is not None:
            match reply:
                case LimitReached():
                    limit = self._limits.get(reply.trial)
                    if limit is not None and not limit.done():
                        limit.set_result(reply.call)
                case Opened() | Journal() | Refused():
                    self._answered(reply)
                case Started():
                    pass
        self._ended = await self._gone()
        for answer in self._replies.values():
            if not answer.done():
                answer.set_exception(self._ended)

    def _answered(self, reply: Opened | Journal | Refused) -> None:
        answer = self._replies.pop(reply.trial, None)
        if answer is None or answer.done():
            return
        if isinstance(reply, Refused):
            answer.set_exception(UnmeasuredError(f"the fault server: {reply.why}"))
        else:
            answer.set_result(reply)

    async def _gone(self) -> UnmeasuredError:
        """Say how the process ended, with the last line of its log."""
        status = await self._process.wait()
        self._log.seek(0)
        words = self._log.read().decode(errors="replace").strip().rpartition("\n")[2]
        last = f", {''.join(c if c.isprintable() else '?' for c in words[:_LAST_WORDS])}" if words else ""
        return UnmeasuredError(f"the fault server ended by itself ({how_ended(status)}{last}): run failsame again")

    async def _end(self) -> None:
        """End the process: it leaves when its standard input ends, at the latest when it is killed."""
        assert self._process.stdin is not None
        self._process.stdin.close()
        try:
            async with asyncio.timeout(1):
                await self._process.wait()
        except TimeoutError:
            self._kill()
            await self._process.wait()

    def _kill(self) -> None:
        with contextlib.suppress(ProcessLookupError):
            self._process.kill()
