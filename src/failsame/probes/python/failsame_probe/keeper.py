"""The process that was started, and stays behind to answer for the subject's.

A subject may kill itself, fork daemons, close its descriptors or block for ever. So nothing of it runs in the process
that failsame started: that one forks the worker at once and then only waits. It ends as the worker ended, with
nothing below it left; and it ends the worker when failsame has closed the channel or sends SIGTERM.
"""

from __future__ import annotations

import contextlib
import os
import select
import signal
from typing import NoReturn

from failsame_probe import processes


def fork_worker(channel: int) -> None:
    """Return in a worker of its own; the process that was started never returns from here.

    `channel` is the descriptor of the channel's end.
    """
    with contextlib.suppress(PermissionError):  # it was started as a leader already
        os.setsid()  # an interrupt at the terminal is failsame's to handle
    _silence()
    processes.never_gain_privileges()
    processes.adopt_orphans()
    woken, wake = os.pipe()
    os.set_blocking(wake, False)
    for number in (signal.SIGCHLD, signal.SIGTERM):
        signal.signal(number, _noted)
    signal.set_wakeup_fd(wake, warn_on_full_buffer=False)
    keeper = os.getpid()
    worker = os.fork()
    if worker == 0:
        signal.set_wakeup_fd(-1)
        for number in (signal.SIGCHLD, signal.SIGTERM):
            signal.signal(number, signal.SIG_DFL)
        os.close(woken)
        os.close(wake)
        processes.die_with(keeper)
        return
    _keep(worker, channel, woken)


def _keep(worker: int, channel: int, woken: int) -> NoReturn:
    poll = select.poll()
    poll.register(woken, select.POLLIN)
    poll.register(channel, 0)  # only POLLHUP, which cannot be masked: the other end is closed
    status = None
    while status is None:
        for descriptor, _ in poll.poll():
            if descriptor == channel or signal.SIGTERM in os.read(woken, 4096):
                with contextlib.suppress(ProcessLookupError):
                    os.kill(worker, signal.SIGKILL)
                _, status = os.waitpid(worker, 0)
                break
            while status is None:
                pid, ended = os.waitpid(-1, os.WNOHANG)
                if pid == worker:
                    status = ended
                elif pid == 0:
                    break
    processes.kill_children()
    _end_as(os.waitstatus_to_exitcode(status))


def _end_as(code: int) -> NoReturn:
    if code < 0:
        if -code != signal.SIGKILL:  # which has no handler to reset
            signal.signal(-code, signal.SIG_DFL)
        os.kill(os.getpid(), -code)
    os._exit(code)


def _noted(number: int, frame: object) -> None:
    """Nothing: the number is in the wake-up pipe, but Python writes it only for signals with a handler."""


def _silence() -> None:
    """Read nothing and print nothing: what a subject prints is nobody's business; standard error stays."""
    null = os.open(os.devnull, os.O_RDWR)
    os.dup2(null, 0)
    os.dup2(null, 1)
    if null > 1:
        os.close(null)
