"""A trial under way: what its probe says is taken down, and what lasts too long is cut off."""

import asyncio
import contextlib
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from failsame.clock import PortFault, World
from failsame.errors import UnmeasuredError
from failsame.faults.handle import FaultServer
from failsame.text import how_ended
from failsame.trial.channel import (
    CHANNEL_LOST,
    CallEnded,
    CallStarted,
    Go,
    Limit,
    Message,
    Ready,
    Trial,
)
from failsame.trial.probe import Process
from failsame.trial.record import Cut, Record

_READY_LIMIT = 60.0
"""Seconds `client(...)` may take, in real time."""

_LAST_LIMIT = 10.0
"""Seconds, beside the watch, that closing a client and ending its process may take, in real time."""

_SAID_LIMIT = 1.0
"""Seconds to read what a process that is gone had said, in real time."""

_GONE_LIMIT = 2.0
"""Seconds that a process whose channel is closed may take to be gone, in real time: it closes it by ending."""

_PAST_HORIZON = 0.05
"""A call is cut off this long after the horizon, so that one that ends right at it has said so."""


@dataclass
class Running:
    """A trial under way: its process's channel, its exit status to come, and what it has said so far."""

    trial: Trial
    world: World
    ports: Mapping[int, PortFault]
    server: FaultServer
    scenario: str
    horizon: float
    starts: float
    """When its first call starts."""
    process: Process
    calls_over: asyncio.Event
    """Set once no call is running any more and only the watch for late attempts is left."""
    record: Record = field(default_factory=Record)

    @property
    def all_ended(self) -> bool:
        """Whether every call has ended by itself."""
        return len(self.record.ended) == self.trial.calls


async def follow(running: Running) -> Record:
    """Listen until the process is gone; cut it off where a call outlives the horizon or the attempt limit.

    Raises UnmeasuredError if the client was never made.
    """
    record = running.record
    limit = asyncio.ensure_future(running.server.limit_reached(running.trial.trial))
    heard = asyncio.ensure_future(running.process.channel.receive())
    doing: object = None
    expiry = asyncio.ensure_future(_expiry(running))
    try:
        while True:
            if doing != (doing := _doing(record)):
                # Begun once for all that is said meanwhile: a client that connects for ever gets no more time for it.
                expiry.cancel()
                expiry = asyncio.ensure_future(_expiry(running))
            waiting: set[asyncio.Future[Any]] = {heard, running.process.exited, expiry}
            if record.cut is None:
                waiting.add(limit)
            await asyncio.wait(waiting, return_when=asyncio.FIRST_COMPLETED)
            if heard.done():
                said = heard.result()
                if said is None:
                    gone = await _gone(running)
                    break
                await _take(said, running)
                heard = asyncio.ensure_future(running.process.channel.receive())
            elif running.process.exited.done():
                gone = await _gone(running)
                await _last_messages(heard, running)
                break
            elif limit.done() and record.cut is None:
                record.cut = "limit"
                await running.process.kill()
            elif expiry.done():
                await _expire(running, expiry.result())
                doing = None
        record.status = await _status(running)
        _end_with_its_process(record, gone)
    finally:
        limit.cancel()
        heard.cancel()
        expiry.cancel()
    return record


def _doing(record: Record) -> tuple[object, ...]:
    """What is under way, each with a limit of its own: the client is made, a call, the watch, the end."""
    return record.cut, record.done is not None, record.running, len(record.ended)


async def _gone(running: Running) -> float | None:
    """When the process was gone, if a call may be under way; None if that is unknown."""
    return await running.world.now() if running.record.running is not None else None


def _end_with_its_process(record: Record, gone: float | None) -> None:
    """A call whose process ended, and not by us, ended then."""
    call, status = record.running, record.status
    if call is None or gone is None or status is None:
        return
    if record.cut is None and status != CHANNEL_LOST:
        record.ended[call] = CallEnded(call=call, at=gone, outcome=how_ended(status))


async def _status(running: Running) -> int:
    """The exit status, of a process that said nothing more; one that lives on without its channel is ended."""
    exited = running.process.exited
    await asyncio.wait({exited}, timeout=_GONE_LIMIT)
    if not exited.done():
        await running.process.kill()
        await exited
        return CHANNEL_LOST
    return exited.result()


async def _expiry(running: Running) -> Cut:
    """Return when what the trial is doing has lasted too long, and what that means for a call under way."""
    record, world = running.record, running.world
    if record.cut is not None or record.done is not None:
        await asyncio.sleep(_LAST_LIMIT)
    elif record.running is not None:
        reached = await world.reached(_deadline(running, record.running))
        return "kernel" if reached == "kernel" else "horizon"
    elif running.all_ended:
        # Skipped, the watch takes no time; where that cannot be, the trial is run again anyway.
        await asyncio.sleep(_LAST_LIMIT + (world.watch if world.clock == "real" else 0))
    else:
        await asyncio.sleep(_READY_LIMIT)
    return "horizon"


def _deadline(running: Running, call: int) -> float:
    return running.record.started[call].at + running.horizon + _PAST_HORIZON


async def _expire(running: Running, why: Cut) -> None:
    """Cut off a call at the horizon, or whatever else does not end."""
    record = running.record
    if record.cut is None and record.running is not None:
        record.cut = why
    elif record.cut is None and running.all_ended:
        record.notes.append("closing the client did not end, the process was killed")
    elif record.cut is None:
        raise UnmeasuredError(
            f"client() did not return within {_READY_LIMIT:g} s in {running.scenario}: "
            "a client must be made without waiting for the service"
        )
    await running.process.kill()


async def _last_messages(heard: "asyncio.Future[Message | None]", running: Running) -> None:
    """Take what the process said before it went; a descendant that holds the channel open says nothing more."""
    with contextlib.suppress(TimeoutError):
        async with asyncio.timeout(_SAID_LIMIT):
            while (said := await heard) is not None:
                await _take(said, running)
                heard = asyncio.ensure_future(running.process.channel.receive())


async def _take(said: Message, running: Running) -> None:
    record = running.record
    match said:
        case Ready():
            record.ready = said
            # Whatever importing did to the clock, the calls have a time of their own.
            running.world.begin(running.ports)
            await running.process.channel.send(Go(at=running.starts))
        case CallStarted():
            record.started[said.call] = said
            running.world.run_until(_deadline(running, said.call))
        case CallEnded():
            record.ended[said.call] = said
            running.world.run_until(None)
            if running.all_ended:
                running.calls_over.set()
        case Limit():
            record.cut = "limit"
            await running.process.kill()
        case _ if not record.wrote(said):
            raise UnmeasuredError(f"the probe said {said.said!r} in the middle of a trial")
