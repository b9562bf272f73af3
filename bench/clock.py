"""How exact and how fast skipped time is: `python bench/clock.py [--runs N] [--busy] [--quick]`.

Measures real clients at their default timeouts, through the product's own trial room, and prints Markdown: every cell
against the value that the client's source gives, in skipped time (with `--busy` again while every core is kept busy);
the short ones in real time, and under libfaketime, at 20 and 50 times the speed, as what one would use instead; and
what a trial costs. `--quick` leaves out all but skipped time and the costs.

Two cells differ from what a user would run: the drip of a byte every 0.45 s for 63 s meets aiohttp with a total of 50 s
instead of its default of 300 s, and half-open is good again on a new connection.
"""

import argparse
import asyncio
import os
import statistics
import sys
from collections.abc import Sequence
from contextlib import nullcontext

import costs
from cells import CELLS, SCALED, SHORT, Cell
from rooms import Results, busy_cores, made_ready, place_in, run_cells, skipping
from scaled import ScaledTime, library

from failsame.clock import RealTime, World

_FACTORS = (20, 50)
_SCALED_RUNS = 5
_MS = 1000.0


def _row(results: Results) -> str:
    cell, count = results.cell, len(results.walls)
    if not results.times:
        return f"| {cell.subject} | {cell.scenario} | {cell.jitter} | {results.wrong} of {count} | | | | | |"
    median = statistics.median(results.times)
    spread = max(abs(one - median) for one in results.times) * _MS
    error = max(abs(one - cell.took) for one in results.times) * _MS
    wall = statistics.median(results.walls) * _MS if results.walls else 0.0
    return (
        f"| {cell.subject} | {cell.scenario} | {cell.jitter} | {results.wrong} of {count} "
        f"| {median:.4f} | {spread:.3f} | {error:.3f} | {wall:.0f} | {results.again} |"
    )


def print_table(title: str, results: Sequence[Results]) -> None:
    """A cell a line."""
    print(f"\n### {title}\n")
    print("| client | scenario | jitter | wrong | median, s | off it, ms | off the source, ms | wall, ms | again |")
    print("| --- | --- | --- | --- | --- | --- | --- | --- | --- |")
    for each in results:
        print(_row(each))


async def _skipped(runs: int, *, busy: bool) -> list[Results]:
    async with skipping() as (place, _world):
        ready = await made_ready({cell.subject for cell in CELLS}, place)
        with busy_cores() if busy else nullcontext():
            return await run_cells(ready, place, CELLS, runs)


async def _on(world: World, cells: Sequence[Cell], runs: int) -> list[Results]:
    async with place_in(world) as place:
        return await run_cells(await made_ready({cell.subject for cell in cells}, place), place, cells, runs)


async def _others(runs: int) -> None:
    """The same in real time and in scaled time."""
    short = [cell for cell in CELLS if cell.took <= SHORT]
    print_table("In real time", await _on(RealTime(), short, runs))
    preloaded = library()
    if preloaded is None:
        print("\nlibfaketime is not installed (Debian's package faketime), so it is left out.")
        return
    scaled = [cell for cell in CELLS if str(cell).startswith(SCALED) and cell.jitter == "high"]
    for factor in _FACTORS:
        found = await _on(ScaledTime(factor, preloaded), scaled, min(runs, _SCALED_RUNS))
        print_table(f"Under libfaketime, {factor} times as fast", found)


def main() -> None:
    """Measure and print."""
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("--runs", type=int, default=20, help="trials of each cell (20)")
    options.add_argument("--busy", action="store_true", help="and again while every core is kept busy")
    options.add_argument("--quick", action="store_true", help="only skipped time, and what a trial costs")
    chosen = options.parse_args()
    print(f"{len(os.sched_getaffinity(0))} cores, {chosen.runs} trials a cell.")
    print_table("In skipped time", asyncio.run(_skipped(chosen.runs, busy=False)))
    if chosen.busy:
        print_table("In skipped time, every core kept busy", asyncio.run(_skipped(chosen.runs, busy=True)))
    if not chosen.quick:
        asyncio.run(_others(chosen.runs))
    costs.report(chosen.runs)
    print(file=sys.stderr)


if __name__ == "__main__":
    main()
