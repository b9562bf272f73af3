"""One subject at the places where it has seats, and its trials there."""

import asyncio
from collections.abc import AsyncIterator, Mapping
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import replace
from types import MappingProxyType

from failsame.clock import REAL_HORIZON
from failsame.errors import UnmeasuredError
from failsame.observation import LONGEST_REAL, Jitter, Observation
from failsame.suite import Scenario
from failsame.trial.healthy import healthy
from failsame.trial.observe import hits_nothing
from failsame.trial.places import Places
from failsame.trial.run import Asked, Launch, Outcome, Place, UnforkableError, run_trial
from failsame.trial.series import fresh, launch, preload_of
from failsame.trial.target import Target
from failsame.trial.together import together
from failsame.trial.working import Healthy

_ALWAYS_REAL = 2
"""After so many trials that only real time could measure, a subject's others are not tried in skipped time."""

_TRIES = 10
"""Trials whose time went wrong are run so often before real time measures them: a trial that skips is short, and a
machine that is busy keeps the arbiter from looking now and then."""


class Session:
    """One subject that works, ready for its trials at the places where it has seats. Made by `session`."""

    def __init__(
        self, target: Target, healthy: Healthy, places: Places, launches: dict[Place, Launch], stack: AsyncExitStack
    ) -> None:
        self.target = target
        self.healthy = healthy
        self._places = places
        self._own = tuple(launches)
        self._launches = launches
        self._stack = stack
        self._starting = asyncio.Lock()
        self._only_real: list[str] = []

    @property
    def why_fresh(self) -> str | None:
        """Why trials are not forked; None if they are."""
        return next((begin.why_fresh for begin in self._launches.values() if begin.why_fresh), None)

    async def observe(
        self, scenario: Scenario, jitter: Jitter, horizon: float, quiet: asyncio.Semaphore | None = None
    ) -> Observation:
        """Run one trial.

        `quiet` is held while calls are made, so that few others make any. Raises UnmeasuredError if no facts came
        about, or the scenario broke none of the requests.
        """
        most = min(horizon, scenario.watched_at_most or horizon)
        asked = Asked(scenario, jitter, most, self.healthy.fault_keys, frozenset(self.healthy.requests))
        seen = await self._observed(asked, quiet)
        if asked.fault_keys and hits_nothing(seen):
            keys = " or ".join(asked.fault_keys.values())
            raise UnmeasuredError(
                f"no request was {keys}, which healthy showed: make the call ask for the same path each time"
            )
        return seen

    async def _observed(self, asked: Asked, quiet: asyncio.Semaphore | None) -> Observation:
        """Wherever a place is free, again if its time went wrong, and in real time if it always does."""
        scenario = asked.scenario
        why = self._only_real[-1] if len(self._only_real) >= _ALWAYS_REAL and not _needs_skipping(scenario) else ""
        for _ in range(0 if why else _TRIES):
            outcome = await self._once(asked, quiet)
            if outcome.time.again is None:
                return outcome.observation
            why = outcome.time.again
            if outcome.time.only_real:
                self._only_real.append(why)
                break
        return await self._in_real_time(asked, why, quiet)

    async def _once(self, asked: Asked, quiet: asyncio.Semaphore | None, of: Place | None = None) -> Outcome:
        async with self._places.free(self._own if of is None else (of,)) as place:
            if quiet is None:
                return await self._run(place, asked)
            async with quiet:
                over = asyncio.Event()
                running = asyncio.create_task(self._run(place, asked, over))
                try:
                    await over.wait()
                except asyncio.CancelledError:
                    running.cancel()
                    await asyncio.wait({running})
                    raise
            return await running

    async def _run(self, place: Place, asked: Asked, calls_over: asyncio.Event | None = None) -> Outcome:
        """Forked if the subject can be, and if that turns out otherwise, in a process of its own from then on."""
        used = self._launches[place]
        try:
            return await run_trial(self.target, place, asked, used, calls_over=calls_over)
        except UnforkableError as error:
            async with self._starting:
                if self._launches[place] is used:
                    begun = fresh(self.target, place, preload_of(self.healthy), str(error))
                    self._launches[place] = await self._stack.enter_async_context(begun)
        return await run_trial(self.target, place, asked, self._launches[place], calls_over=calls_over)

    async def _in_real_time(self, asked: Asked, why: str, quiet: asyncio.Semaphore | None) -> Observation:
        place = await self._places.real(why)
        if _needs_skipping(asked.scenario):
            raise UnmeasuredError(f"it needs skipped time, and that failed: {why}")
        async with self._starting:
            if place not in self._launches:
                self._launches[place] = await self._stack.enter_async_context(launch(self.target, place, self.healthy))
        # Skipped time asks for an hour by itself; a horizon that real time can reach was asked for on purpose.
        horizon = asked.horizon if asked.horizon <= LONGEST_REAL else place.world.horizon
        outcome = await self._once(replace(asked, horizon=horizon), quiet, of=place)
        return outcome.observation.model_copy(update={"clock_note": f"real time, because {why}"})


def _needs_skipping(scenario: Scenario) -> bool:
    return scenario.skipped_time_only or scenario.lasts >= REAL_HORIZON


@asynccontextmanager
async def session(target: Target, healthy: Healthy, places: Places, trials: int) -> AsyncIterator[Session]:
    """Make a subject ready for so many trials, once it has a seat; nothing of it is left behind.

    Raises UnmeasuredError if it cannot be imported any more.
    """
    async with places.seats(trials) as seats, AsyncExitStack() as stack:
        launches: dict[Place, Launch] = {}

        async def ready(place: Place) -> None:
            async with places.free((place,)):
                launches[place] = await stack.enter_async_context(launch(target, place, healthy))

        await together(ready(place) for place in seats)
        yield Session(target, healthy, places, launches, stack)


async def well(target: Target, places: Places, usual: Mapping[str, str] = MappingProxyType({})) -> Healthy:
    """Run `healthy`, wherever a place is free. Raises UnmeasuredError if the subject does not work."""
    async with places.free() as place:
        return await healthy(target, place, usual)
