"""Processes that must not outlive the one that answers for them (Linux)."""

from __future__ import annotations

import contextlib
import ctypes
import os
import signal
from collections.abc import Collection

# linux/prctl.h
_PR_SET_PDEATHSIG = 1
_PR_SET_CHILD_SUBREAPER = 36
_PR_SET_NO_NEW_PRIVS = 38

_libc = ctypes.CDLL(None, use_errno=True)


def never_gain_privileges() -> None:
    """Have setuid programs be ordinary ones from now on, for this process and all that it starts.

    A runner's user may often become root by `sudo`: prctl(2), PR_SET_NO_NEW_PRIVS.
    """
    _libc.prctl(_PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0)


def die_with(parent: int) -> None:
    """Have this process killed when `parent`, which forked it, is gone; at once if it is gone already."""
    _libc.prctl(_PR_SET_PDEATHSIG, int(signal.SIGKILL), 0, 0, 0)
    if os.getppid() != parent:
        os._exit(1)


def adopt_orphans() -> None:
    """Make this process the parent of its descendants whose own parent ends, whatever session they are in.

    A daemon leaves its session and its parent, but not this: prctl(2), PR_SET_CHILD_SUBREAPER.
    """
    _libc.prctl(_PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0)


def children() -> list[int]:
    """The children of this process, zombies included."""
    own = os.getpid()
    return [int(name) for name in os.listdir("/proc") if name.isdigit() and _parent(name) == own]


def kill_children(spare: Collection[int] = ()) -> None:
    """Kill and reap every child but those of `spare`, and the orphans that come of it, until none is left."""
    while True:
        others = [pid for pid in children() if pid not in spare]
        if not others:
            return
        for pid in others:
            with contextlib.suppress(ProcessLookupError, PermissionError):
                os.kill(pid, signal.SIGKILL)
        for pid in others:
            with contextlib.suppress(ChildProcessError):
                os.waitpid(pid, 0)


def _parent(pid: str) -> int | None:
    try:
        with open(f"/proc/{pid}/stat", "rb") as stat:
            # The command's name may hold anything, and ends at the last parenthesis: proc(5).
            return int(stat.read().rpartition(b")")[2].split()[1])
    except (OSError, IndexError, ValueError):
        return None
