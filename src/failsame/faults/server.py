"""The fault server: commands in, replies out, many trials at once in one thread."""

import asyncio
import sys
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from failsame.errors import FailsameError
from failsame.faults.authority import Authority
from failsame.faults.plan import Attempts, FileCounter
from failsame.faults.protocol import (
    COMMANDS,
    LONGEST_LINE,
    CloseTrial,
    Journal,
    LimitReached,
    Opened,
    OpenTrial,
    Refused,
    Started,
)
from failsame.faults.record import Recorder
from failsame.faults.remedies import reason
from failsame.faults.sockets import Ports
from failsame.faults.trial import ServedTrial

Say = Callable[[Started | Opened | LimitReached | Refused | Journal], None]


@dataclass(frozen=True)
class _Served:
    """A trial that is open, and the file its calls are counted in."""

    trial: ServedTrial
    counter: FileCounter


class Server:
    """Carries out commands; replies, and limits reached in between, go to `say`."""

    def __init__(self, authority: Authority, ports: Ports, say: Say) -> None:
        self._authority = authority
        self._ports = ports
        self._say = say
        self._served: dict[int, _Served] = {}

    def carry_out(self, command: OpenTrial | CloseTrial) -> None:
        """Carry out one command; whatever goes wrong is said, so that the other trials go on."""
        try:
            reply = self._open(command) if isinstance(command, OpenTrial) else self._close(command.trial)
        except FailsameError as error:
            reply = Refused(trial=command.trial, why=str(error))
        self._say(reply)

    def _open(self, command: OpenTrial) -> Opened | Refused:
        try:
            counter = FileCounter(Path(command.counter))
        except OSError as error:
            return Refused(trial=command.trial, why=f"cannot open the call counter {command.counter}: {reason(error)}")

        def limit(call: int) -> None:
            self._say(LimitReached(trial=command.trial, call=call))

        attempts = Attempts(counter, command.attempt_limit)
        trial = ServedTrial(attempts, Recorder(), self._authority.context, limit=limit, ports=self._ports)
        try:
            opened = trial.open(command.trial, command.endpoints, command.port)
        except FailsameError:
            counter.close()
            raise
        self._served[command.trial] = _Served(trial, counter)
        return opened

    def _close(self, number: int) -> Journal | Refused:
        served = self._served.pop(number, None)
        if served is None:
            return Refused(trial=number, why=f"trial {number} is not open: each is closed once")
        journal = served.trial.close(number)
        served.counter.close()
        return journal


async def run(folder: Path, among: range | None) -> None:
    """Serve commands from standard input, one a line, until it ends, on any ports or only on those of a range.

    `folder` takes the authority's file.
    """
    loop = asyncio.get_running_loop()
    commands = asyncio.StreamReader(limit=LONGEST_LINE)
    await loop.connect_read_pipe(lambda: asyncio.StreamReaderProtocol(commands), sys.stdin)
    output, _ = await loop.connect_write_pipe(asyncio.BaseProtocol, sys.stdout)

    def say(reply: Started | Opened | LimitReached | Refused | Journal) -> None:
        output.write(reply.model_dump_json().encode() + b"\n")

    try:
        authority = Authority(folder)
    except OSError as error:
        say(Refused(trial=0, why=f"cannot write to {folder}: {reason(error)}"))
        return
    say(Started(authority=str(authority.path)))
    server = Server(authority, Ports(among), say)
    while line := await commands.readline():
        server.carry_out(COMMANDS.validate_json(line))
