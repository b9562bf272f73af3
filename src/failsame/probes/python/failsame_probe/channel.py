"""A probe's end of its channel: one JSON object a line, written at once.

Nothing is buffered here: a trial may be killed at any moment, and what it saw must have left it by then.
"""

from __future__ import annotations

import contextlib
import fcntl
import json
import os
import socket
import threading
from collections import deque
from os import fstat, write  # the real ones, whatever the subject puts in their place
from typing import Any

LOST = 97
"""The exit status of a probe whose channel is gone: the subject closed descriptors that it did not open."""

# Out of the way of subjects that count descriptors or hand them to select(), which takes none above 1,023.
_LOWEST_DESCRIPTOR = 400

_MOST_DESCRIPTORS = 16


class Channel:
    """One end of a UNIX stream socket; any thread may send, one reads."""

    def __init__(self, descriptor: int) -> None:
        """Take over `descriptor`: it is moved, and closed on exec."""
        self.descriptor = _moved(descriptor)
        os.close(descriptor)
        self._identity = identity(self.descriptor)
        # Reentrant, since a signal handler or a finaliser of the subject may log while we write.
        self._lock = threading.RLock()
        self._read = b""
        self._received: deque[int] = deque()
        # A child that the subject forks while another thread holds the lock must not wait for it.
        os.register_at_fork(after_in_child=self._renew_lock)

    def _renew_lock(self) -> None:
        self._lock = threading.RLock()

    def send(self, said: str, **facts: Any) -> None:
        """Say it; leaves the process with `LOST` if nobody can hear it any more."""
        line = json.dumps({"said": said, **facts}, separators=(",", ":")).encode() + b"\n"
        with self._lock:
            if identity(self.descriptor) != self._identity:
                # Closed, or worse: reused for a socket or file of the subject.
                os._exit(LOST)
            try:
                while line:
                    line = line[write(self.descriptor, line) :]
            except OSError:
                os._exit(LOST)

    def receive(self) -> dict[str, Any] | None:
        """The next command, however long it takes; None once the other end is closed."""
        while b"\n" not in self._read:
            if not self._receive_more():
                return None
        line, self._read = self._read.split(b"\n", 1)
        command: dict[str, Any] = json.loads(line)
        return command

    def pending(self) -> bool:
        """Whether a whole command has been read that `receive` would return at once."""
        return b"\n" in self._read

    def descriptor_received(self) -> int | None:
        """The descriptor that came with the last command, if one did; the caller's from here on.

        The kernel never delivers bytes sent after a descriptor together with it, so order pairs them.
        """
        return self._received.popleft() if self._received else None

    def close(self) -> None:
        """Close this process's copy of the end."""
        with contextlib.suppress(OSError):
            os.close(self.descriptor)

    def _receive_more(self) -> bool:
        if identity(self.descriptor) != self._identity:
            os._exit(LOST)
        end = socket.socket(fileno=self.descriptor)
        try:
            data, descriptors, _, _ = socket.recv_fds(end, 65536, _MOST_DESCRIPTORS)
        except OSError:
            return False
        finally:
            end.detach()
        self._received.extend(descriptors)
        self._read += data
        return bool(data)


def _moved(descriptor: int) -> int:
    try:
        return fcntl.fcntl(descriptor, fcntl.F_DUPFD_CLOEXEC, _LOWEST_DESCRIPTOR)
    except OSError:  # so few may be open here
        return fcntl.fcntl(descriptor, fcntl.F_DUPFD_CLOEXEC, 3)


def identity(descriptor: int) -> tuple[int, int] | None:
    """What a descriptor refers to, as device and inode; None if it is closed."""
    try:
        status = fstat(descriptor)
    except OSError:
        return None
    return status.st_dev, status.st_ino
