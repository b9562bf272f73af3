"""Where the compiled parts are, or why there are none."""

from dataclasses import dataclass
from pathlib import Path

from failsame.clock.build import ARBITER, HARNESS, PACKAGE, SHIM
from failsame.errors import UnmeasuredError


class CannotSkipError(UnmeasuredError):
    """Time cannot be skipped on this machine; the message says why, and real time is left."""


@dataclass(frozen=True)
class Native:
    """The compiled parts of the clock."""

    shim: Path
    arbiter: Path
    harness: Path


def find(package: Path = PACKAGE) -> Native:
    """The parts that the package was built with. Raises CannotSkipError if it was built without."""
    native = Native(package / SHIM, package / ARBITER, package / HARNESS)
    if native.shim.exists() and native.arbiter.exists() and native.harness.exists():
        return native
    raise CannotSkipError(
        "failsame was installed without its native parts (no C compiler?): run `python -m failsame.clock`"
    )
