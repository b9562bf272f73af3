"""Several things at once, none of which outlives the others' failure."""

import asyncio

import pytest

from failsame.trial import together


def test_together() -> None:
    """The first error ends the rest before it is raised, and is raised as it is."""
    ended = []

    async def wait() -> None:
        try:
            await asyncio.Event().wait()
        finally:
            await asyncio.sleep(0)
            ended.append(True)

    async def fail() -> None:
        raise LookupError

    async def run() -> None:
        with pytest.raises(LookupError):
            await together([wait(), fail(), wait()])
        assert ended == [True, True]

    asyncio.run(run())
