"""Who waits for a place gets one in turn, and nobody loses one."""

import asyncio
from types import SimpleNamespace
from typing import cast

from failsame.trial import Place, Places


class Somewhere:
    """A place, as far as `Places` looks at it, with room for one trial at a time."""

    world = SimpleNamespace(at_once=1)


def place() -> Place:
    return cast("Place", Somewhere())


class Seen:
    """Trials that hold a place until they are told to leave it, and the order in which they had one."""

    def __init__(self, places: Places) -> None:
        self.places = places
        self.had: list[tuple[str, Place]] = []
        self.leave: dict[str, asyncio.Event] = {}

    def begin(self, name: str, *wanted: Place) -> asyncio.Task[None]:
        self.leave[name] = asyncio.Event()

        async def trial() -> None:
            async with self.places.free(wanted) as got:
                self.had.append((name, got))
                await self.leave[name].wait()

        return asyncio.create_task(trial())


async def settled() -> None:
    """Everything that can go on has gone on."""
    for _ in range(10):
        await asyncio.sleep(0)


def test_in_turn() -> None:
    """A place that is given back goes to the first who waits for it, not to one who waits for another."""

    async def main() -> None:
        one, other = place(), place()
        seen = Seen(Places([one, other]))
        trials = [seen.begin("first", one), seen.begin("second", other)]
        trials += [seen.begin("only other", other), seen.begin("third")]
        await settled()
        assert seen.had == [("first", one), ("second", other)]
        seen.leave["first"].set()
        await settled()
        assert seen.had[2:] == [("third", one)]
        seen.leave["second"].set()
        await settled()
        assert seen.had[3:] == [("only other", other)]
        for event in seen.leave.values():
            event.set()
        await asyncio.gather(*trials)

    asyncio.run(main())


def test_cancelled_as_its_turn_comes() -> None:
    """Who is given a place and cancelled before it goes on hands it to the next; so does who is cancelled in it."""

    async def main() -> None:
        seen = Seen(Places([place()]))
        first, second, third, fourth = (seen.begin(name) for name in ("first", "second", "third", "fourth"))
        await settled()
        first.cancel()
        await asyncio.sleep(0)  # the first has given it back, and the second was told, but has not gone on
        second.cancel()
        await settled()
        assert [name for name, _ in seen.had] == ["first", "third"]
        fourth.cancel()
        await settled()
        fifth = seen.begin("fifth")
        seen.leave["third"].set()
        await settled()
        assert [name for name, _ in seen.had] == ["first", "third", "fifth"]
        seen.leave["fifth"].set()
        await asyncio.gather(third, fifth)

    asyncio.run(main())
