"""`PYTHON -I -S launch.py ORDER PROGRAM [ARGUMENT...]`: become a program that may do less.

ORDER is JSON: `listed`, `read` and `written` are paths, `ports` the first and the last TCP port that may be connected
to, or null for all. A path that is a link opens nothing. The program never gains privileges (no_new_privs), and where
the kernel has Landlock (https://docs.kernel.org/userspace-api/landlock.html) it and all it ever starts see nothing
else. What the kernel does not know yet is left out, so the caller has to say which version it has: see `landlock`.

Nothing but the standard library is imported, and of that little: a process is started for every trial of some clients.
"""

import ctypes
import json
import os
import signal
import stat
import sys
from collections.abc import Iterable, Mapping
from typing import Any

TCP = 4
"""The first version of Landlock that knows TCP ports."""

SIGNALS = 6
"""The first version that keeps signals, and abstract UNIX sockets, within."""

# One number on all architectures: include/uapi/asm-generic/unistd.h
_CREATE_RULESET, _ADD_RULE, _RESTRICT_SELF = 444, 445, 446
_PR_SET_NO_NEW_PRIVS = 38

# include/uapi/linux/landlock.h
_ASK_VERSION = 1
_RULE_PATH, _RULE_PORT = 1, 2
_EXECUTE, _WRITE_FILE, _READ_FILE, _READ_DIR = 1 << 0, 1 << 1, 1 << 2, 1 << 3
_OF_DIRECTORIES = sum(1 << bit for bit in range(3, 14))
_BY_VERSION = {1: (1 << 13) - 1, 2: (1 << 14) - 1, 3: (1 << 15) - 1}
_CONNECT_TCP = 1 << 1
_SCOPES = 1 << 0 | 1 << 1

_libc = ctypes.CDLL(None, use_errno=True)
_libc.syscall.restype = ctypes.c_long


class _Ruleset(ctypes.Structure):
    _fields_ = (("fs", ctypes.c_uint64), ("net", ctypes.c_uint64), ("scoped", ctypes.c_uint64))


class _PathRule(ctypes.Structure):
    _pack_ = 1
    _fields_ = (("allowed", ctypes.c_uint64), ("folder", ctypes.c_int32))


class _PortRule(ctypes.Structure):
    _fields_ = (("allowed", ctypes.c_uint64), ("port", ctypes.c_uint64))


def landlock() -> int:
    """The version of the kernel's Landlock; 0 if it has none, or it is switched off."""
    return max(int(_libc.syscall(_CREATE_RULESET, None, ctypes.c_size_t(0), ctypes.c_uint32(_ASK_VERSION))), 0)


def _call(number: int, *arguments: Any) -> int:
    result = int(_libc.syscall(number, *arguments))
    if result < 0:
        code = ctypes.get_errno()
        raise OSError(code, os.strerror(code))
    return result


def restrict(order: Mapping[str, Any], version: int) -> None:
    """Enter a domain of what the order allows, for ever. Raises OSError if the kernel refuses."""
    every = _BY_VERSION[min(version, 3)]
    ports = order["ports"] if version >= TCP else None
    rules = _Ruleset(every, 0 if ports is None else _CONNECT_TCP, _SCOPES if version >= SIGNALS else 0)
    domain = _call(_CREATE_RULESET, ctypes.byref(rules), ctypes.c_size_t(ctypes.sizeof(rules)), ctypes.c_uint32(0))
    _allow(domain, order["listed"], _READ_DIR)
    _allow(domain, order["read"], _EXECUTE | _READ_FILE | _READ_DIR)
    _allow(domain, order["written"], every)
    for port in () if ports is None else range(ports[0], ports[1] + 1):
        rule = _PortRule(_CONNECT_TCP, port)
        _call(_ADD_RULE, ctypes.c_int(domain), ctypes.c_int(_RULE_PORT), ctypes.byref(rule), ctypes.c_uint32(0))
    _call(_RESTRICT_SELF, ctypes.c_int(domain), ctypes.c_uint32(0))
    os.close(domain)


def _allow(domain: int, paths: Iterable[str], rights: int) -> None:
    for path in paths:
        try:
            place = os.open(path, os.O_PATH | os.O_NOFOLLOW | os.O_CLOEXEC)
        except OSError:
            continue  # not on this machine, or not for this user
        folder = stat.S_ISDIR(os.fstat(place).st_mode)  # of a link itself there is nothing to be had
        rule = _PathRule(rights if folder else rights & ~_OF_DIRECTORIES, place)
        try:
            _call(_ADD_RULE, ctypes.c_int(domain), ctypes.c_int(_RULE_PATH), ctypes.byref(rule), ctypes.c_uint32(0))
        finally:
            os.close(place)


def main() -> None:
    """Give up what the order does not allow, and become the program."""
    order, program = json.loads(sys.argv[1]), sys.argv[2:]
    for number in (signal.SIGPIPE, signal.SIGXFSZ):  # Python ignores these, and what is ignored stays so
        signal.signal(number, signal.SIG_DFL)
    _libc.prctl(_PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0)
    version = landlock()
    try:
        if version:
            restrict(order, version)
        os.execvp(program[0], program)  # noqa: S606 - to start it is all this is for
    except OSError as error:
        sys.exit(f"{program[0]} cannot be run: {error.strerror}")


if __name__ == "__main__":
    main()
