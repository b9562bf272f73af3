"""Keeps the job's tokens from the code that is measured: out of the environment, and out of reach in this process.

Trials get an environment of their own, but a child may read its parent's, as it was at the parent's start, from
/proc/PID/environ, whatever the parent removed since. So the bytes themselves are wiped. What remains, in the memory of
this process, may be read by nobody but a process with CAP_SYS_PTRACE once it is not dumpable (prctl(2), proc(5)).
"""

import contextlib
import ctypes
import os
import re
from collections.abc import Callable
from pathlib import Path

_PR_SET_DUMPABLE = 4  # prctl(2)

# Inputs are the action's own; the others grant something: ACTIONS_RUNTIME_TOKEN, ACTIONS_ID_TOKEN_REQUEST_TOKEN,
# GITHUB_TOKEN and whatever a workflow hands to all its steps under such a name.
_SECRET = re.compile(r"INPUT_.*|ACTIONS_.*|.*(TOKEN|SECRET|PASSWORD|CREDENTIAL).*|.*_KEY(_ID)?", re.IGNORECASE)
# How package managers get at an index of the project's own: that they need, and trials do not see it.
_KEPT = re.compile(r"(UV|PIP|NPM|npm|YARN|PNPM|NODE_AUTH)_.*", re.ASCII)


def shut() -> None:
    """Take what is secret out of this process's environment, and shut the process to its children.

    Call it once, early, when the settings are read: nothing finds a token in the environment afterwards.
    """
    secret = [name for name in os.environ if _SECRET.fullmatch(name) and not _KEPT.fullmatch(name)]
    for name in secret:
        del os.environ[name]
    _wipe(lambda name: name in secret)
    ctypes.CDLL(None).prctl(_PR_SET_DUMPABLE, 0, 0, 0, 0)


def _wipe(secret: Callable[[str], bool]) -> None:
    """Overwrite variables where the kernel laid them down at the start: what /proc/self/environ shows.

    `os.environ` holds copies, and unsetting one unlinks it from the C library's list: nobody else reads these bytes.
    """
    with contextlib.suppress(OSError, ValueError, IndexError):  # without /proc nobody can read it from there either
        # env_start and env_end are fields 50 and 51 (proc_pid_stat(5)), counted behind the name, which may hold blanks.
        fields = Path("/proc/self/stat").read_text(errors="replace").rpartition(")")[2].split()
        start, end = int(fields[47]), int(fields[48])
        place = start
        for entry in ctypes.string_at(start, end - start).split(b"\0"):
            name, found, value = entry.partition(b"=")
            if found and secret(os.fsdecode(name)):
                ctypes.memset(place + len(name) + 1, 0, len(value))
            place += len(entry) + 1
