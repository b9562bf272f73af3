"""Where trials run: one place for a whole machine in real time, one a core in skipped time."""

import asyncio
from collections.abc import AsyncIterator, Iterable, Mapping
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass

from failsame.observation import ClockName, Jitter, Observation
from failsame.suite import Scenario
from failsame.trial.run import Asked, Launch, Place, run_trial
from failsame.trial.series import Healthy, launch
from failsame.trial.target import Target


class Places:
    """The places of a run, each free for as many trials at once as its world can bear."""

    def __init__(self, places: Iterable[Place]) -> None:
        self.all = tuple(places)
        self._free: asyncio.Queue[Place] = asyncio.Queue()
        for place in self.all:
            for _ in range(place.world.at_once):
                self._free.put_nowait(place)

    @property
    def clock(self) -> ClockName:
        """The clock of all of them."""
        return self.all[0].world.clock

    @asynccontextmanager
    async def free(self) -> AsyncIterator[Place]:
        """Wait for a place that is free, and have it until this is left."""
        place = await self._free.get()
        try:
            yield place
        finally:
            self._free.put_nowait(place)


@dataclass(frozen=True)
class Session:
    """One subject that works, ready for its trials at every place."""

    target: Target
    healthy: Healthy
    places: Places
    launches: Mapping[Place, Launch]

    @property
    def why_fresh(self) -> str | None:
        """Why trials are not forked; None if they are."""
        return next((begin.why_fresh for begin in self.launches.values() if begin.why_fresh), None)

    async def observe(self, scenario: Scenario, jitter: Jitter, horizon: float) -> Observation:
        """Run one trial wherever a place is free. Raises UnmeasuredError if no facts came about."""
        async with self.places.free() as place:
            return await self._run(place, Asked(scenario, jitter, self.healthy.fault_key, horizon))

    async def observe_quietly(
        self, scenario: Scenario, jitter: Jitter, horizon: float, quiet: asyncio.Semaphore
    ) -> Observation:
        """Run one trial while few others make calls: `quiet` is held until only its watch is left."""
        async with self.places.free() as place:
            asked = Asked(scenario, jitter, self.healthy.fault_key, horizon)
            async with quiet:
                running = asyncio.create_task(self._run(place, asked))
                await asked.calls_over.wait()
            return await running

    async def _run(self, place: Place, asked: Asked) -> Observation:
        return (await run_trial(self.target, place, asked, self.launches[place])).observation


@asynccontextmanager
async def session(target: Target, healthy: Healthy, places: Places) -> AsyncIterator[Session]:
    """Make a subject ready at every place; nothing of it is left behind."""
    async with AsyncExitStack() as stack:
        launches = {place: await stack.enter_async_context(launch(target, place, healthy)) for place in places.all}
        yield Session(target, healthy, places, launches)
