"""Trials for benchmarks: the product's own trial room, with the clock given from outside."""

import asyncio
import os
import sys
import tempfile
import time
from collections.abc import AsyncIterator, Iterator, Mapping, Sequence
from contextlib import ExitStack, asynccontextmanager, contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from subprocess import Popen

from cells import Cell

from failsame.clock import SkippedTime, World
from failsame.clock.skipped import HORIZON
from failsame.clock.world import SkippingWorld
from failsame.faults.handle import FaultServer
from failsame.gate import Options, locked, plan
from failsame.gate.prepare import Ready, Workshop, prepare
from failsame.observation import Jitter
from failsame.suite import SCENARIOS, Scenario
from failsame.trial import Asked, Launch, Outcome, Place, Places, run_trial
from failsame.trial.series import launch

ROOT = Path(__file__).parents[1]
_PLAN = plan(Options(folder=ROOT, config=ROOT / "bench/clock_subjects/failsame.yml"))
_AGAIN_AT_MOST = 10
_SCENARIOS: Mapping[str, Scenario] = {**SCENARIOS, **{own.name: own for own in _PLAN.own}}


class Unwatched:
    """Nobody looks at the progress of a benchmark."""

    def step(self, subject: str, what: str) -> None: ...
    def expect(self, subject: str, trials: int) -> None: ...
    def done(self, subject: str, trial: str) -> None: ...
    def finished(self, subject: str, verdict: str) -> None: ...


@dataclass
class Results:
    """The trials of one cell that stand."""

    cell: Cell
    wrong: int = 0
    """Trials with a wrong number of attempts, or another outcome."""
    times: list[float] = field(default_factory=list)
    """Seconds of the calls that came out right."""
    walls: list[float] = field(default_factory=list)
    """Seconds of real time of each trial."""
    again: int = 0
    """Trials that did not stand and had to be run again."""

    def add(self, outcome: Outcome, wall: float) -> None:
        """Count a trial."""
        if outcome.time.again is not None:
            self.again += 1
            return
        self.walls.append(wall)
        seconds = took(outcome)
        if not self.cell.is_right(outcome.observation) or seconds is None:
            self.wrong += 1
        else:
            self.times.append(seconds)


def took(outcome: Outcome) -> float | None:
    """Seconds of the last call, as the probe took them down: an observation is rounded. None if it was cut off."""
    last = len(outcome.observation.calls)
    started, ended = outcome.record.started.get(last), outcome.record.ended.get(last)
    return None if started is None or ended is None else ended.at - started.at


def _temporary() -> "tempfile.TemporaryDirectory[str]":
    return tempfile.TemporaryDirectory(prefix="failsame-bench-", ignore_cleanup_errors=True)


@asynccontextmanager
async def place_in(world: World) -> AsyncIterator[Place]:
    """A place to run trials at, on any clock."""
    with _temporary() as folder:
        async with FaultServer.start(Path(folder), world.environment()) as server:
            world.expect(server.pid)
            yield Place(world, server, Path(folder))


@asynccontextmanager
async def skipping() -> AsyncIterator[tuple[Place, SkippingWorld]]:
    """A place in skipped time, and its world."""
    with _temporary() as folder:
        world = await SkippingWorld.open(Path(folder))
        try:
            async with place_in(SkippedTime(world, HORIZON)) as place:
                yield place, world
        finally:
            await world.close()


async def made_ready(names: set[str], place: Place) -> dict[str, Ready]:
    """Subjects by name: installed, and well at this place."""
    shop = Workshop(_PLAN, Places([place]), HORIZON, Unwatched(), place.scratch / "copies")
    ready = {}
    for subject in _PLAN.subjects:
        if subject.name in names:
            found = await prepare(subject, locked(subject.lock, _PLAN.folder), shop)
            if not isinstance(found, Ready):
                sys.exit(f"{found.subject.name}: {found.why}")
            ready[subject.name] = found
    return ready


async def trial(ready: Ready, place: Place, begin: Launch, scenario: str, jitter: Jitter) -> tuple[Outcome, float]:
    """Run one trial: what it gave, and its seconds of real time."""
    asked = _SCENARIOS[scenario]
    horizon = min(HORIZON, asked.watched_at_most or HORIZON)
    began = time.perf_counter()
    outcome = await run_trial(ready.target, place, Asked(asked, jitter, horizon, ready.healthy.fault_keys), begin)
    return outcome, time.perf_counter() - began


async def run_cells(ready: Mapping[str, Ready], place: Place, cells: Sequence[Cell], runs: int) -> list[Results]:
    """Run each cell until so many of its trials stand, as many at once as the clock bears."""
    results = []
    for name in dict.fromkeys(cell.subject for cell in cells):
        async with launch(ready[name].target, place, ready[name].healthy) as begin:
            for cell in cells:
                if cell.subject == name:
                    results.append(await _run_cell(ready[name], place, begin, cell, runs))
                    print(".", end="", file=sys.stderr, flush=True)
    return results


async def _run_cell(ready: Ready, place: Place, begin: Launch, cell: Cell, runs: int) -> Results:
    results = Results(cell)
    while (missing := runs - len(results.walls)) > 0 and results.again <= _AGAIN_AT_MOST * runs:
        at_once = min(missing, place.world.at_once)
        for outcome in await asyncio.gather(
            *(trial(ready, place, begin, cell.scenario, cell.jitter) for _ in range(at_once))
        ):
            results.add(*outcome)
    return results


_HOG = "import os; parent = os.getppid()\nwhile os.getppid() == parent:\n for _ in range(10**6): pass"
"""Counts until nobody waits for it any more: a bench that is killed leaves no busy core behind."""


@contextmanager
def busy_cores() -> Iterator[None]:
    """A program for each core that does nothing but count."""
    with ExitStack() as stack:
        for _ in os.sched_getaffinity(0):
            hog = stack.enter_context(Popen([sys.executable, "-c", _HOG]))
            stack.callback(hog.kill)
        yield
