"""One subject's trials: `healthy` first, then all others, from a parent that has imported what they will need."""

import asyncio
import contextlib
from collections.abc import AsyncIterator, Mapping
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass
from types import MappingProxyType

from failsame.errors import UnmeasuredError
from failsame.faults.protocol import RequestEntry
from failsame.observation import Jitter
from failsame.suite import SCENARIOS
from failsame.trial.channel import Prepared
from failsame.trial.probe import STARTER_COMMAND, Probe, started
from failsame.trial.run import Asked, Launch, Outcome, Place, probe_variables, run_trial
from failsame.trial.sandbox import endpoint_variables
from failsame.trial.target import Target
from failsame.trial.together import together

JITTERS: tuple[Jitter, ...] = ("low", "high")


@dataclass(frozen=True)
class Healthy:
    """What the trials with good answers showed of a subject that works."""

    requests: tuple[str, ...]
    """The keys of the call's requests, in order."""
    modules: Mapping[str, str | None]
    """Every module that was loaded, with its file."""
    settings: Mapping[str, str | float | int | bool | None]
    why_fresh: str | None
    """Why trials cannot be forked; None if they can."""

    @property
    def fault_key(self) -> str:
        """The call's first request: what faults hit."""
        return self.requests[0]


@asynccontextmanager
async def _parent(
    target: Target,
    place: Place,
    preload: tuple[str, ...],
    *,
    warm: bool = False,
    variables: Mapping[str, str] = MappingProxyType({}),
) -> AsyncIterator[tuple[Probe, Prepared]]:
    """A probe with the subject and these modules imported, with these variables in its environment, too."""
    # Folders called `parent` are for what outlives its trials.
    with place.folder("parent-") as home:
        place.give(home)
        command = place.command(target, target.command)
        async with started(target.name, command, probe_variables(target, place, home, variables), home) as probe:
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


def _begun(probe: Probe, prepared: Prepared, preload: tuple[str, ...]) -> Launch:
    if prepared.fork:
        return Launch(parent=probe)
    return Launch(preload=preload, why_fresh=prepared.why or "the subject cannot be forked")


@asynccontextmanager
async def launch(target: Target, place: Place, healthy: Healthy) -> AsyncIterator[Launch]:
    """How this subject's trials begin, for as long as they run."""
    preload = tuple(sorted(healthy.modules))
    if target.probe.why_fresh is not None:
        async with _starter(target, place) as starts:
            yield Launch(starter=starts, preload=preload, why_fresh=healthy.why_fresh)
        return
    if healthy.why_fresh is not None:
        yield Launch(preload=preload, why_fresh=healthy.why_fresh)
        return
    async with AsyncExitStack() as stack:
        begun = await stack.enter_async_context(_warm(target, place, healthy, preload))
        if begun is None:
            probe, prepared = await stack.enter_async_context(_parent(target, place, preload))
            begun = _begun(probe, prepared, preload)
        yield begun


@asynccontextmanager
async def _warm(target: Target, place: Place, cold: Healthy, preload: tuple[str, ...]) -> AsyncIterator[Launch | None]:
    """A parent that has made a client before, three times as quick; None if that shows.

    It would show in a subject that keeps its one client for ever: the trial's server would never hear of it.
    """
    async with AsyncExitStack() as stack:
        probe, prepared = await stack.enter_async_context(_parent(target, place, preload, warm=True))
        begun = Launch(parent=probe)
        if prepared.fork and await _as_well(target, place, cold, begun):
            yield begun
            return
        await stack.aclose()
        yield None


async def _as_well(target: Target, place: Place, cold: Healthy, begun: Launch) -> bool:
    """Whether `healthy` shows the same requests as it did from an interpreter that had made no client before."""
    try:
        outcome = await run_trial(target, place, Asked(SCENARIOS["healthy"], "low", None, place.world.horizon), begun)
        requests = tuple(entry.key for entry in _of_the_call(target, outcome))
    except UnmeasuredError:
        return False
    return requests == cold.requests


async def healthy(target: Target, place: Place) -> Healthy:
    """Run `healthy` at both jitters.

    Raises UnmeasuredError, with the client's own words, if the subject cannot be imported, fails, or sends nothing:
    a subject that never worked must not be "same" for ever.
    """
    async with _cold(target, place) as begin:
        asked = [Asked(SCENARIOS["healthy"], jitter, None, place.world.horizon, modules=True) for jitter in JITTERS]
        room = asyncio.Semaphore(place.world.at_once)
        low, high = await together(_one_of_a_few(target, place, one, begin, room) for one in asked)
    requests, _ = (tuple(entry.key for entry in _of_the_call(target, outcome)) for outcome in (low, high))
    assert low.record.done is not None
    return Healthy(
        requests=requests,
        modules=low.record.done.modules,
        settings=low.record.done.settings,
        why_fresh=begin.why_fresh,
    )


@asynccontextmanager
async def _cold(target: Target, place: Place) -> AsyncIterator[Launch]:
    """A parent that has made no client, or a starter.

    A subject may read its service's address from the environment while it is imported, where only its trials have one:
    then it is imported with an address of nobody, and never forked.
    """
    async with AsyncExitStack() as stack:
        if target.probe.why_fresh is not None:
            starts = await stack.enter_async_context(_starter(target, place))
            yield Launch(starter=starts, why_fresh=target.probe.why_fresh)
            return
        try:
            probe, prepared = await stack.enter_async_context(_parent(target, place, ()))
        except UnmeasuredError as error:
            nobody = endpoint_variables("http://127.0.0.1:9")
            try:
                probe, prepared = await stack.enter_async_context(_parent(target, place, (), variables=nobody))
            except UnmeasuredError:
                raise error from None
            if prepared.fork:
                raise
        yield _begun(probe, prepared, ())


async def _one_of_a_few(target: Target, place: Place, asked: Asked, begin: Launch, room: asyncio.Semaphore) -> Outcome:
    async with room:
        return await run_trial(target, place, asked, begin)


def _of_the_call(target: Target, outcome: Outcome) -> list[RequestEntry]:
    """The requests of the one call, which returned ok."""
    record, call = outcome.record, outcome.observation.calls[0]
    if record.failed is not None:
        raise UnmeasuredError(f"{target.name} does not work: {record.failed.what}")
    ended = record.ended.get(1)
    if call.outcome != "ok" or ended is None or record.done is None:
        raise UnmeasuredError(
            f"{target.name} fails although its service is well: {_words(outcome)}. "
            f"Mend {target.file.name} until `failsame measure --subject {target.name} --scenario healthy` works"
        )
    requests = [entry for entry in outcome.journal.requests if entry.call == 1]
    if not requests:
        elsewhere = f"; it tried to reach {', '.join(call.elsewhere)}" if call.elsewhere else ""
        raise UnmeasuredError(
            f"{target.name} sends its service nothing{elsewhere}: "
            "make the client with the endpoint that client() is given"
        )
    return requests


def _words(outcome: Outcome) -> str:
    call, ended = outcome.observation.calls[0], outcome.record.ended.get(1)
    if call.still_waiting:
        return f"still waiting after {outcome.observation.horizon:g} s"
    if ended is not None:
        text = " ".join(ended.text.split())[:200]
        return f"{ended.outcome}: {text}" if text else ended.outcome
    return call.outcome or "it was cut off"
