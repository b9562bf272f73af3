"""Scaled time: what libfaketime does to a trial, as a clock of the trial room.

Every participant runs under libfaketime with its time sped up, all from one start, as `faketime COMMAND` would have it.
"""

import asyncio
import shutil
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from pathlib import Path

from failsame.clock import PortFault, Reached, TrialTime
from failsame.observation import ClockName

COMMAND = shutil.which("faketime")
"""Debian's package faketime; None where it is not installed."""

_VARIABLES = ("LD_PRELOAD", "FAKETIME", "FAKETIME_SHARED")


class ScaledTime:
    """Time that runs `factor` times as fast."""

    clock: ClockName = "real"
    horizon = 3600.0
    watch = 2.0
    at_once = 1
    file = None

    def __init__(self, factor: int, environment: Mapping[str, str]) -> None:
        self._factor = factor
        self._environment = environment

    @classmethod
    @asynccontextmanager
    async def open(cls, factor: int) -> AsyncIterator["ScaledTime"]:
        """Start the time: it is shared by all who are given the variables that `faketime` gives its command."""
        assert COMMAND is not None
        process = await asyncio.create_subprocess_exec(
            *(COMMAND, "-m", "-f", f"+0 x{factor}", "sh", "-c", "echo; read line"),
            stdin=asyncio.subprocess.PIPE,
            stdout=asyncio.subprocess.PIPE,
        )
        assert process.stdin is not None
        assert process.stdout is not None
        try:
            await process.stdout.readline()
            yield cls(factor, _given_by(process.pid))
        finally:
            process.stdin.close()
            await process.wait()

    def environment(self) -> Mapping[str, str]:
        """What makes a process run in it."""
        return self._environment

    def expect(self, pid: int) -> None:
        """Nobody has to know."""

    async def now(self) -> None:
        """Theirs cannot be read."""

    async def turn(self, *, fresh: bool) -> float:
        """The next whole second of the process itself."""
        del fresh
        return 0.0

    def begin(self, ports: Mapping[int, PortFault]) -> None:
        """Nothing to prepare."""

    def run_until(self, at: float | None) -> None:
        """Nobody can stop it."""

    async def reached(self, at: float) -> Reached:
        """The horizon, by our own clock: theirs cannot be read."""
        del at
        await asyncio.sleep(self.horizon / self._factor)
        return "time"

    async def end(self) -> TrialTime:
        """Nobody judges it."""
        return TrialTime()


def _given_by(wrapper: int) -> dict[str, str]:
    """The variables of the command that the wrapper has started."""
    command = Path(f"/proc/{wrapper}/task/{wrapper}/children").read_text().split()[0]
    pairs = (entry.partition("=") for entry in Path(f"/proc/{command}/environ").read_text().split("\0"))
    return {name: value for name, _, value in pairs if name in _VARIABLES}
