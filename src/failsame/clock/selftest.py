"""Can time be skipped on this machine? Found out by doing it, in a fraction of a second, before every run.

A program waits in each way that clients wait. Waits that are skipped have to last what they say and take no time; waits
that the kernel keeps the time of have to take their time. Either failing means that this machine does not show the
arbiter what it has to see, or that the shim does not get in: then trials run in real time.
"""

import asyncio
import contextlib
import os
import signal
import sys
import tempfile
import time
from dataclasses import dataclass
from pathlib import Path

from pydantic import ValidationError

from failsame.clock.native import CannotSkipError, Native
from failsame.clock.verdict import Verdict
from failsame.clock.world import SHORT_LEASE, SkippingWorld
from failsame.confine import Account, run_as
from failsame.model import Model

_LONG = 60.0
"""Seconds of the waits that are skipped: more than the whole test may take."""

_SHORT = 0.03
"""Seconds of the waits that cannot be skipped."""

_EXACT = 0.001
"""Seconds by which a wait may be too long."""

_ROUNDED = 1e-6
"""Seconds by which one may seem too short: a float of the wall clock is good to a quarter of a microsecond."""

_LIMIT = 5.0
"""Seconds of real time after which the program is given up."""

_ENTERED = 0o711

_TRIES = 3
"""A busy machine may keep the arbiter from looking; whoever is that busy three times over is not asked again."""

_NO_END = f"a program that waits did not end within {_LIMIT:g} s"

_UNSKIPPED = ("lost bytes", "kernel wait")
_PROGRAM = Path(__file__).with_name("selftest_program.py")


class _Measured(Model):
    """What the program printed."""

    answered: bool
    took: dict[str, float]


@dataclass(frozen=True)
class Check:
    """One thing that was tried, and what came of it, in words."""

    name: str
    passed: bool
    says: str


@dataclass(frozen=True)
class SelfTest:
    """The outcome: time can be skipped if every check passed."""

    checks: tuple[Check, ...]
    seconds: float
    """How long the test took."""

    @property
    def can_skip(self) -> bool:
        """Whether skipped time is to be trusted here."""
        return all(check.passed for check in self.checks)

    @property
    def why_not(self) -> str:
        """The checks that failed, in one line."""
        return "; ".join(f"{check.name}: {check.says}" for check in self.checks if not check.passed)


async def self_test(native: Native | None = None, *, account: Account | None = None) -> SelfTest:
    """Try it, with a program of another user if participants are to be that.

    Never raises for what it tests: that is a check that failed.
    """
    began = time.perf_counter()
    checks: tuple[Check, ...] = ()
    try:
        with tempfile.TemporaryDirectory(prefix="failsame-clock-") as directory:
            _let_in(Path(directory), account)
            world = await SkippingWorld.open(Path(directory), owner=account, native=native)
            try:
                for _ in range(_TRIES):
                    checks = await _try(world, account)
                    if len(checks) == 1 or all(check.passed for check in checks):
                        break
            finally:
                await world.close()
    except CannotSkipError as error:
        checks = (Check("arbiter", passed=False, says=str(error)),)
    return SelfTest(checks, time.perf_counter() - began)


def _let_in(directory: Path, account: Account | None) -> None:
    """Let another user go through to the world's file."""
    if account is not None:
        directory.chmod(_ENTERED)


async def _try(world: SkippingWorld, account: Account | None) -> tuple[Check, ...]:
    world.new_trial({}, lease=SHORT_LEASE)
    world.release()
    said = await _run_program(world, account)
    world.hold()
    verdict = await world.verdict()
    try:
        measured = _Measured.model_validate_json(said)
    except ValidationError:
        return (Check("program", passed=False, says=said.decode(errors="replace").strip() or _NO_END),)
    waits = [_wait_check(name, took) for name, took in measured.took.items()]
    return (*waits, _answer_check(measured), _kernel_check(verdict), _verdict_check(verdict))


async def _run_program(world: SkippingWorld, account: Account | None) -> bytes:
    """What the program prints, its complaints included; nothing if it does not end."""
    now = await world.now()
    command = run_as(account, (sys.executable, "-I", "-S", str(_PROGRAM), *map(str, (_LONG, _SHORT, now))))
    process = await asyncio.create_subprocess_exec(
        *command.program,
        env={**world.environment()},
        stdin=asyncio.subprocess.DEVNULL,
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.STDOUT,
        start_new_session=True,
        **command.options,
    )
    world.expect(process.pid)
    assert process.stdout is not None
    said = b""
    with contextlib.suppress(TimeoutError):
        said = await asyncio.wait_for(process.stdout.read(), _LIMIT)
    with contextlib.suppress(ProcessLookupError):
        os.killpg(process.pid, signal.SIGKILL)
    await process.wait()
    return said


def _wait_check(name: str, took: float) -> Check:
    if name in _UNSKIPPED:
        return Check(name, took >= _SHORT - _EXACT, f"{_SHORT:g} s that cannot be skipped lasted {took:.3f} s")
    return Check(name, _LONG - _ROUNDED <= took < _LONG + _EXACT, f"{_LONG:g} s lasted {took:.6f} s")


def _answer_check(measured: _Measured) -> Check:
    says = "came in time" if measured.answered else "was jumped over"
    return Check("answer", measured.answered, f"one given 1 ms before a timeout of {_LONG:g} s {says}")


def _kernel_check(verdict: Verdict) -> Check:
    """Both waits that cannot be skipped were seen for what they are."""
    seen = {spent.why: spent.seconds for spent in verdict.real_time}
    passed = all(seen.get(why, 0.0) > _SHORT / 2 for why in ("network", "wait"))
    return Check(
        "arbiter's looks", passed, f"saw {verdict.real_seconds:.3f} s that had to be real, in {verdict.looks} looks"
    )


def _verdict_check(verdict: Verdict) -> Check:
    return Check("verdict", verdict.again is None, verdict.again or f"stands, after {verdict.jumps} jumps")
