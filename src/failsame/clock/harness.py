"""The event loop of the harness says when it waits, for the arbiters to see: then, and only then, it has nothing to do.

That its thread sleeps is not enough to go by. While another thread has the interpreter it sleeps over what participants
have written and it has not read yet. What it sleeps in nobody may look at: where it keeps a token, it is shut.
"""

import asyncio
import ctypes
import errno
import math
import mmap
import os
import select
import selectors
import weakref
from pathlib import Path

from failsame.clock.native import CannotSkipError

_ROOM = 256
_LONGEST = 2**31 - 1


class _Found(ctypes.Structure):
    """A descriptor that epoll found, and what for: wait.c."""

    _fields_ = (("descriptor", ctypes.c_int32), ("events", ctypes.c_uint32))


class Harness:
    """One event loop, from now on seen to wait. Made by `of_this_loop`."""

    def __init__(self, selector: selectors.EpollSelector, library: Path) -> None:
        self.descriptor = os.memfd_create("failsame-harness")
        """The shared memory whose first word is 1 while the loop waits. Arbiters inherit it."""
        weakref.finalize(self, os.close, self.descriptor)
        os.ftruncate(self.descriptor, mmap.PAGESIZE)
        self._waiting = ctypes.c_uint32.from_buffer(mmap.mmap(self.descriptor, mmap.PAGESIZE))
        self._wait = ctypes.CDLL(str(library)).failsame_wait
        self._found = (_Found * _ROOM)()
        self._selector = selector
        selector.select = self._select  # type: ignore[method-assign]

    def _select(self, timeout: float | None = None) -> list[tuple[selectors.SelectorKey, int]]:
        """As `selectors.EpollSelector.select`; an interrupted one finds nothing."""
        at_most = -1 if timeout is None else min(max(math.ceil(timeout * 1e3), 0), _LONGEST)
        count = self._wait(ctypes.byref(self._waiting), self._selector.fileno(), at_most, self._found, _ROOM)
        if count < 0 and count != -errno.EINTR:
            raise OSError(-count, os.strerror(-count))
        keys = self._selector.get_map()
        ready = []
        for found in self._found[: max(count, 0)]:
            key = keys.get(found.descriptor)
            # Errors and ends are news to readers and to writers, as in selectors.py.
            reads = selectors.EVENT_READ if found.events & ~select.EPOLLOUT else 0
            writes = selectors.EVENT_WRITE if found.events & ~select.EPOLLIN else 0
            if key is not None:
                ready.append((key, (reads | writes) & key.events))
        return ready


_harnesses: "weakref.WeakKeyDictionary[asyncio.AbstractEventLoop, Harness]" = weakref.WeakKeyDictionary()


def of_this_loop(library: Path) -> Harness:
    """The running event loop as a harness. Raises CannotSkipError if it does not wait by epoll."""
    loop = asyncio.get_running_loop()
    if loop not in _harnesses:
        selector = getattr(loop, "_selector", None)  # asyncio has no other way to one that runs already
        if not isinstance(selector, selectors.EpollSelector):
            raise CannotSkipError("time cannot be skipped here: the event loop does not wait by epoll")
        _harnesses[loop] = Harness(selector, library)
    return _harnesses[loop]
