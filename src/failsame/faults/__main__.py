"""`python -m failsame.faults FOLDER [FIRST LAST]`: the fault server as a process of its own, on ports of a range."""

import asyncio
import contextlib
import ctypes
import resource
import signal
import sys
from pathlib import Path

from failsame.faults.server import run

_PR_SET_PDEATHSIG = 1  # linux/prctl.h


def _die_with_parent() -> None:
    """End with failsame even if it is killed and a subject holds the other end of standard input open."""
    ctypes.CDLL(None).prctl(_PR_SET_PDEATHSIG, signal.SIGKILL)


def _open_many_files() -> None:
    _, most = resource.getrlimit(resource.RLIMIT_NOFILE)
    with contextlib.suppress(ValueError, OSError):
        resource.setrlimit(resource.RLIMIT_NOFILE, (most, most))


if __name__ == "__main__":
    _die_with_parent()
    _open_many_files()
    _folder, *_bounds = sys.argv[1:]
    asyncio.run(run(Path(_folder), range(int(_bounds[0]), int(_bounds[1]) + 1) if _bounds else None))
