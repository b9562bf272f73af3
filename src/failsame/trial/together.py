"""Several things at once, none of which outlives the others' failure."""

import asyncio
from collections.abc import Coroutine, Iterable
from typing import Any, TypeVar

T = TypeVar("T")


async def together(work: Iterable[Coroutine[Any, Any, T]]) -> list[T]:
    """Run all of it; the first error is raised once the rest is cancelled and over.

    `asyncio.gather` would leave the rest running: trials, at a place that others have by then. A task group would wrap
    the error.
    """
    tasks = [asyncio.ensure_future(each) for each in work]
    try:
        return await asyncio.gather(*tasks)
    except BaseException:
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
        raise
