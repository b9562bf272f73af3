"""How one subject's trials begin: `healthy` cold, all others from a parent that has imported what they will need."""

import asyncio
import contextlib
from collections.abc import AsyncIterator, Mapping
from contextlib import AsyncExitStack, asynccontextmanager
from types import MappingProxyType

from failsame.errors import UnmeasuredError
from failsame.observation import Jitter
from failsame.suite import SCENARIOS
from failsame.trial.channel import Prepared
from failsame.trial.probe import STARTER_COMMAND, Probe, started
from failsame.trial.run import Asked, Launch, Place, probe_variables, standing_trial
from failsame.trial.sandbox import endpoint_variables
from failsame.trial.target import Target
from failsame.trial.working import Healthy, asked, keys_of

JITTERS: tuple[Jitter, ...] = ("low", "high")


@asynccontextmanager
async def _parent(
    target: Target,
    place: Place,
    preload: tuple[str, ...],
    *,
    warm: tuple[str, ...] = (),
    variables: Mapping[str, str] = MappingProxyType({}),
) -> AsyncIterator[tuple[Probe, Prepared]]:
    """A probe with the subject and these modules imported, with these variables in its environment, too."""
    # Folders called `parent` are for what outlives its trials.
    with place.folder("parent-") as home:
        place.give(home)
        command = (*STARTER_COMMAND, *target.command) if target.probe.kept else target.command
        own = probe_variables(target, place, home, variables)
        async with started(target.name, place.command(target, command), own, home) as probe:
            place.world.expect(probe.process.pid)
            place.world.begin({})
            try:
                prepared = await probe.itself().prepare(target, preload, warm=warm)
            finally:
                await place.world.end()
            async with _reaping(probe):
                yield probe, prepared


@asynccontextmanager
async def _starter(target: Target, place: Place) -> AsyncIterator[Probe]:
    """What starts a process for each trial of this subject."""
    with place.folder("parent-") as home:
        place.give(home)
        command = place.command(target, STARTER_COMMAND)
        async with started(target.name, command, probe_variables(target, place, home, {}), home) as starts:
            place.world.expect(starts.process.pid)
            async with _reaping(starts):
                yield starts


@asynccontextmanager
async def _reaping(probe: Probe) -> AsyncIterator[None]:
    reaping = asyncio.create_task(probe.reap())
    try:
        yield
    finally:
        reaping.cancel()
        with contextlib.suppress(asyncio.CancelledError):
            await reaping


@asynccontextmanager
async def fresh(target: Target, place: Place, preload: tuple[str, ...], why: str) -> AsyncIterator[Launch]:
    """A process for each trial, since the subject cannot be forked, and why."""
    if not target.probe.kept:
        yield Launch(preload=preload, why_fresh=why)
        return
    async with _starter(target, place) as starts:
        yield Launch(starter=starts, preload=preload, why_fresh=why)


@asynccontextmanager
async def _begun(
    target: Target, place: Place, preload: tuple[str, ...], probe: Probe, prepared: Prepared
) -> AsyncIterator[Launch]:
    if prepared.fork:
        yield Launch(parent=probe)
        return
    async with fresh(target, place, preload, prepared.why or "the subject cannot be forked") as begun:
        yield begun


def preload_of(healthy: Healthy) -> tuple[str, ...]:
    """What trials load before their time begins: what `healthy` loaded."""
    return tuple(sorted(healthy.modules))


@asynccontextmanager
async def launch(target: Target, place: Place, healthy: Healthy) -> AsyncIterator[Launch]:
    """How this subject's trials begin, for as long as they run."""
    preload = preload_of(healthy)
    async with AsyncExitStack() as stack:
        if healthy.why_fresh is not None:
            yield await stack.enter_async_context(fresh(target, place, preload, healthy.why_fresh))
            return
        begun = await stack.enter_async_context(_warm(target, place, healthy, preload))
        if begun is None:
            probe, prepared = await stack.enter_async_context(_parent(target, place, preload))
            begun = await stack.enter_async_context(_begun(target, place, preload, probe, prepared))
        yield begun


@asynccontextmanager
async def _warm(target: Target, place: Place, cold: Healthy, preload: tuple[str, ...]) -> AsyncIterator[Launch | None]:
    """A parent that has made a client before, three times as quick; None if that shows.

    It would show in a subject that keeps its one client for ever: the trial's server would never hear of it.
    """
    async with AsyncExitStack() as stack:
        begun = None
        with contextlib.suppress(UnmeasuredError):  # a client that nobody keeps may end its process
            parent = _parent(target, place, preload, warm=(*target.endpoints,))
            probe, prepared = await stack.enter_async_context(parent)
            if prepared.fork and await _as_well(target, place, cold, Launch(parent=probe)):
                begun = Launch(parent=probe)
        if begun is None:
            await stack.aclose()
        yield begun


async def _as_well(target: Target, place: Place, cold: Healthy, begun: Launch) -> bool:
    """Whether `healthy` shows the same requests as it did from an interpreter that had made no client before."""
    try:
        outcome = await standing_trial(target, place, Asked(SCENARIOS["healthy"], "low", place.world.horizon), begun)
        requests = keys_of(asked(target, outcome))
    except UnmeasuredError:
        return False
    return requests == cold.requests


@asynccontextmanager
async def cold_launch(target: Target, place: Place) -> AsyncIterator[Launch]:
    """A parent that has made no client, or none at all.

    A subject may read its service's address from the environment while it is imported, where only its trials have one:
    then it is imported with an address of nobody, and never forked.
    """
    async with AsyncExitStack() as stack:
        try:
            probe, prepared = await stack.enter_async_context(_parent(target, place, ()))
        except UnmeasuredError as error:
            nobody = endpoint_variables(dict.fromkeys(target.endpoints, "http://127.0.0.1:9"), target.endpoints)
            try:
                probe, prepared = await stack.enter_async_context(_parent(target, place, (), variables=nobody))
            except UnmeasuredError:
                raise error from None
            if prepared.fork:
                raise
        yield await stack.enter_async_context(_begun(target, place, (), probe, prepared))
