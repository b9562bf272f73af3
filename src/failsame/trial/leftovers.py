"""Processes that subjects leave behind: adopted, and killed, so that a run leaves none."""

import contextlib
import ctypes
import os
import signal
from collections.abc import Iterator
from pathlib import Path

_PR_SET_CHILD_SUBREAPER = 36  # prctl(2)


@contextlib.contextmanager
def reaped() -> Iterator[None]:
    """Adopt what loses its parent while this is entered, and kill it at the end.

    A daemon that a subject starts in a session of its own survives its session's end; as a subreaper failsame
    becomes its parent, and finds it.
    """
    already = _children()
    ctypes.CDLL(None).prctl(_PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0)
    try:
        yield
    finally:
        # A killed process hands its own children up: again until there are none.
        while left := _children() - already:
            for pid in left:
                with contextlib.suppress(ProcessLookupError):
                    os.kill(pid, signal.SIGKILL)
                with contextlib.suppress(ChildProcessError):
                    os.waitpid(pid, 0)
        ctypes.CDLL(None).prctl(_PR_SET_CHILD_SUBREAPER, 0, 0, 0, 0)


def _children() -> set[int]:
    """The direct children of this process, whichever thread started them."""
    found: set[int] = set()
    for task in Path("/proc/self/task").iterdir():
        with contextlib.suppress(OSError):
            found.update(int(pid) for pid in (task / "children").read_text().split())
    return found
