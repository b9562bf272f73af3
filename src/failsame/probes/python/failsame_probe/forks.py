"""Whether and how trials are forked from an interpreter that has imported the subject."""

from __future__ import annotations

import contextlib
import fcntl
import gc
import os
import select
import signal
import sys
import threading
from collections.abc import Mapping
from typing import Any, NoReturn

from failsame_probe import processes
from failsame_probe.channel import Channel
from failsame_probe.subject import Subject


def why_not(subject: Subject, before: Mapping[int, str]) -> str | None:
    """Why a fork of this process would not be a fresh start for the subject; None if it is one.

    `before` is what was `opened` before anything of the subject ran.
    """
    if subject.takes == 0:
        return "`client` takes no endpoint, so its environment is set before the import"
    if threading.active_count() > 1 or len(os.listdir("/proc/self/task")) > 1:
        return "its import starts threads"
    if processes.children():
        return "its import starts a process"
    left = {number: what for number, what in opened().items() if before.get(number) != what}
    if any(what.startswith("socket:") for what in left.values()):
        return "its import opens a socket"
    if any(_is_read(number, what) for number, what in left.items()):
        return "its import leaves a file open"
    return None


def opened() -> dict[int, str]:
    """What each descriptor is open on, as /proc names it: socket:[123], pipe:[124], a path."""
    found = {}
    for name in os.listdir("/proc/self/fd"):
        with contextlib.suppress(OSError):
            found[int(name)] = os.readlink(f"/proc/self/fd/{name}")
    return found


def _is_read(descriptor: int, what: str) -> bool:
    """Whether it is a file that may be read from: the place where it goes on would be shared."""
    if not what.startswith("/") or what.startswith("/dev/"):
        return False
    return fcntl.fcntl(descriptor, fcntl.F_GETFL) & os.O_ACCMODE != os.O_WRONLY


class ForkServer:
    """Forks a child for each trial, and answers for what becomes of it."""

    def __init__(self, channel: Channel) -> None:
        self._channel = channel
        self._trials: dict[int, int] = {}
        """Process -> trial."""
        self._woken, self._wake = os.pipe()
        os.set_blocking(self._woken, False)
        os.set_blocking(self._wake, False)
        self._before = signal.signal(signal.SIGCHLD, _noted)
        self._mask = signal.pthread_sigmask(signal.SIG_UNBLOCK, {signal.SIGCHLD})  # a subject may block every signal
        signal.set_wakeup_fd(self._wake, warn_on_full_buffer=False)
        processes.adopt_orphans()
        # What is there now is shared with the children, and a collection would copy it.
        gc.collect()
        gc.freeze()

    def serve(self) -> tuple[dict[str, Any], Channel]:
        """Return in each child, with its trial and its channel; the parent leaves the process when its own ends."""
        poll = select.poll()
        poll.register(self._woken, select.POLLIN)
        poll.register(self._channel.descriptor, select.POLLIN)
        while True:
            ready = dict(poll.poll())
            if self._woken in ready:
                self._reap()
            if self._channel.descriptor in ready:
                trial = self._obey()
                if trial is not None:
                    return trial

    def _obey(self) -> tuple[dict[str, Any], Channel] | None:
        """Carry out every command that has come."""
        while True:
            command = self._channel.receive()
            if command is None:
                self._leave()
            if command["do"] == "kill":
                for process, trial in self._trials.items():
                    if trial == command["trial"]:
                        os.kill(process, signal.SIGKILL)  # not reaped yet, so still its own number
            else:
                descriptor = self._channel.descriptor_received()
                assert descriptor is not None, "a forked trial comes with its channel"
                if self._fork(command["trial"], descriptor):
                    return command, Channel(descriptor)
            if not self._channel.pending():
                return None

    def _fork(self, trial: int, descriptor: int) -> bool:
        """Fork; whether this is the child."""
        sys.stderr.flush()
        parent = os.getpid()
        process = os.fork()
        if process:
            os.close(descriptor)
            self._trials[process] = trial
            return False
        signal.set_wakeup_fd(-1)
        signal.signal(signal.SIGCHLD, self._before)
        signal.pthread_sigmask(signal.SIG_SETMASK, self._mask)
        processes.die_with(parent)
        os.setsid()
        # Its descendants' orphans become its own children, and its parent's when it ends: so they can be told apart.
        processes.adopt_orphans()
        for inherited in (self._woken, self._wake):
            os.close(inherited)
        self._channel.close()
        return True

    def _reap(self) -> None:
        with contextlib.suppress(BlockingIOError):
            os.read(self._woken, 4096)
        while self._trials:
            process, status = os.waitpid(-1, os.WNOHANG)
            if process == 0:
                return
            trial = self._trials.pop(process, None)
            if trial is not None:
                processes.kill_children(spare=self._trials)
                self._channel.send("exited", trial=trial, status=os.waitstatus_to_exitcode(status))

    def _leave(self) -> NoReturn:
        processes.kill_children()
        os._exit(0)


def _noted(number: int, frame: object) -> None:
    """Nothing: its number wakes the server through the pipe."""
