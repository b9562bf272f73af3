"""Where trials run: one place for a whole machine in real time, in skipped time at most one a core."""

import asyncio
import math
from collections.abc import AsyncIterator, Callable, Collection, Iterable
from contextlib import AbstractAsyncContextManager, AsyncExitStack, asynccontextmanager
from typing import Self

from failsame.errors import UnmeasuredError
from failsame.observation import ClockName
from failsame.trial.run import Place

_TRIALS_EACH = 16
"""Trials that take about as long as it takes to open a place for them and to import the subject there."""


def worth(trials: int) -> int:
    """How many places are worth their opening for so many trials, each of which is over in no time."""
    return max(1, math.ceil(trials / _TRIALS_EACH))


class Places:
    """The places of a run, each free for as many trials at once as its world can bear."""

    def __init__(
        self,
        places: Iterable[Place],
        *,
        real: Callable[[], AbstractAsyncContextManager[Place]] | None = None,
    ) -> None:
        """`real` opens a place in real time, for what skipped time cannot measure; None if that is not wanted."""
        self.all = tuple(places)
        self._open_real = real
        self._real: Place | None = None
        self._opening = asyncio.Lock()
        self._taken = dict.fromkeys(self.all, 0)
        self._waiting: dict[asyncio.Future[Place], Collection[Place]] = {}
        self._seated = dict.fromkeys(self.all, 0)
        self._seating = asyncio.Lock()
        self._changed = asyncio.Condition()
        self._stack = AsyncExitStack()

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(self, *error: object) -> None:
        await self._stack.aclose()

    @property
    def clock(self) -> ClockName:
        """The clock of all of them."""
        return self.all[0].world.clock

    @asynccontextmanager
    async def free(self, wanted: Collection[Place] = ()) -> AsyncIterator[Place]:
        """Wait for a place that is free, of all or of these, and have it until this is left."""
        place = await self._taken_of(wanted or self.all)
        try:
            yield place
        finally:
            self._give_back(place)

    async def _taken_of(self, wanted: Collection[Place]) -> Place:
        """Take one of these, at once or, behind who waits for one of them already, when it is given back."""
        roomy = [place for place in wanted if self._has_room(place)]
        if roomy:
            place = min(roomy, key=self._taken.__getitem__)
            self._taken[place] += 1
            return place
        turn: asyncio.Future[Place] = asyncio.get_running_loop().create_future()
        self._waiting[turn] = wanted
        try:
            return await turn
        except asyncio.CancelledError:
            if turn.done() and not turn.cancelled():
                self._give_back(turn.result())
            raise
        finally:
            self._waiting.pop(turn, None)

    def _give_back(self, place: Place) -> None:
        """Hand it on to the first who waits for it. That one alone is woken: hundreds of trials wait at a time."""
        self._taken[place] -= 1
        for turn, wanted in self._waiting.items():
            if place in wanted and not turn.done():
                self._taken[place] += 1
                turn.set_result(place)
                return

    @asynccontextmanager
    async def seats(self, trials: int) -> AsyncIterator[tuple[Place, ...]]:
        """Wait, behind whoever waits already, for as many places as so many trials are worth, and keep processes there.

        In skipped time a place is for one subject's, since each is looked at all along.
        """
        most = min(worth(trials), len(self.all))
        async with self._seating, self._changed:
            await self._changed.wait_for(lambda: len(self._with_seats()) >= most)
            own = self._with_seats()[:most]
            for place in own:
                self._seated[place] += 1
        try:
            yield own
        finally:
            # Not awaiting: what is cancelled here has to give its seats back all the same.
            for place in own:
                self._seated[place] -= 1
            asyncio.get_running_loop().call_soon(asyncio.ensure_future, self._tell())

    def _with_seats(self) -> tuple[Place, ...]:
        return tuple(place for place in self.all if self._seated[place] < place.world.at_once)

    def _has_room(self, place: Place) -> bool:
        return self._taken[place] < place.world.at_once

    async def _tell(self) -> None:
        async with self._changed:
            self._changed.notify_all()

    async def real(self, why: str) -> Place:
        """The place in real time, opened when first asked for. Raises UnmeasuredError where it is not wanted."""
        async with self._opening:
            if self._real is None:
                if self._open_real is None:
                    raise UnmeasuredError(f"it cannot be measured in skipped time: {why}; measure with --clock auto")
                self._real = await self._stack.enter_async_context(self._open_real())
                self._taken[self._real] = 0
            return self._real
