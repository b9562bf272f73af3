"""What drives a trial: an event loop for async subjects, nothing at all for the others."""

from __future__ import annotations

import asyncio
import select
import time
from collections.abc import Coroutine
from typing import Any, Protocol

_sleep = time.sleep  # the real one, whatever the subject puts in its place


class Driver(Protocol):
    """How a trial is run, and how it waits."""

    def run(self, trial: Coroutine[Any, Any, None]) -> None:
        """Run the trial to its end."""

    async def sleep(self, seconds: float) -> None:
        """Wait, without using the processor; what the subject does in the background goes on."""

    async def readable(self, descriptor: int) -> None:
        """Wait until something can be read."""


class Plain:
    """No loop: a trial that never suspends can be driven by hand.

    So plain subjects and async ones share one description of a trial, and yet a plain `call` finds no loop running:
    it may start its own.
    """

    def run(self, trial: Coroutine[Any, Any, None]) -> None:
        """Run the trial in this thread."""
        try:
            trial.send(None)
        except StopIteration:
            return
        raise AssertionError("a plain subject's trial suspended")

    async def sleep(self, seconds: float) -> None:
        """Wait in this thread."""
        _sleep(seconds)

    async def readable(self, descriptor: int) -> None:
        """Wait in this thread."""
        select.select([descriptor], [], [])


def _settle(ready: asyncio.Future[None]) -> None:
    if not ready.done():
        ready.set_result(None)


class Looped:
    """One task on one loop, made as `asyncio.run` makes it, so that a policy of the subject (uvloop) counts.

    One task for all, because cancel scopes and context variables that `client` enters belong to it.
    """

    def __init__(self) -> None:
        self._loop = asyncio.new_event_loop()
        asyncio.set_event_loop(self._loop)

    def run(self, trial: Coroutine[Any, Any, None]) -> None:
        """Run the trial; raises what ends the loop early: SystemExit and KeyboardInterrupt of any task."""
        self._loop.run_until_complete(self._loop.create_task(trial))

    async def sleep(self, seconds: float) -> None:
        """Wait on the loop."""
        await asyncio.sleep(seconds)

    async def readable(self, descriptor: int) -> None:
        """Wait on the loop."""
        ready: asyncio.Future[None] = self._loop.create_future()
        self._loop.add_reader(descriptor, _settle, ready)
        try:
            await ready
        finally:
            self._loop.remove_reader(descriptor)
