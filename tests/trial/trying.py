"""Real trials: a subject given as its source, through scenarios, at places opened for one test."""

import asyncio
import sys
import tempfile
from collections.abc import AsyncIterator, Mapping
from contextlib import AsyncExitStack, asynccontextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from textwrap import dedent
from types import MappingProxyType
from typing import Any

from failsame.clock import CannotSkipError, RealTime, SkippedTime, World
from failsame.faults.handle import FaultServer
from failsame.observation import Call, Jitter, Observation
from failsame.suite import SCENARIOS, Scenario
from failsame.trial import JITTERS, Healthy, Place, Places, Target, session, together, well
from failsame.trial.leftovers import reaped

HORIZON = 3.0

GET = """
    import http.client
    import urllib.parse


    def client(endpoint):
        return urllib.parse.urlsplit(endpoint).port


    def get(port, path="/unit"):
        connection = http.client.HTTPConnection("127.0.0.1", port)
        connection.request("GET", path)
        answer = connection.getresponse()
        answer.read()
        connection.close()
        return answer.status
"""


@dataclass(frozen=True)
class Tried:
    """What came of it: every observation by scenario and jitter."""

    healthy: Healthy
    why_fresh: str | None
    seen: Mapping[tuple[str, Jitter], Observation]

    def observation(self, scenario: str, jitter: Jitter = "low") -> Observation:
        return self.seen[scenario, jitter]

    def call(self, scenario: str, jitter: Jitter = "low") -> Call:
        """The one call of a trial."""
        (call,) = self.seen[scenario, jitter].calls
        return call


@asynccontextmanager
async def open_places(scratch: Path, *, real: bool, horizon: float = HORIZON) -> AsyncIterator[Places]:
    """One place: in skipped time where this machine can and the test does not want real time."""
    async with AsyncExitStack() as stack:
        world: World = RealTime(horizon)
        if not real:
            with suppress(CannotSkipError):
                world = await stack.enter_async_context(SkippedTime.open(scratch, horizon))
        (scratch / "place").mkdir()
        server = await stack.enter_async_context(FaultServer.start(scratch / "place", world.environment()))
        world.expect(server.pid)
        yield await stack.enter_async_context(Places([Place(world, server, scratch / "place")]))


def try_out(
    file: Path,
    source: str,
    *scenarios: str | Scenario,
    real: bool = False,
    horizon: float = HORIZON,
    dialect: str = "http",
    usual: Mapping[str, str] = MappingProxyType({}),
    **more: Any,
) -> Tried:
    """Run `healthy` and these scenarios, at both jitters. Raises what the trial room raises."""
    file.write_text(dedent(source), encoding="utf-8")
    own = {"interpreter": Path(sys.executable), "endpoints": {"main": dialect}}
    target = Target(name="subject", file=file, **{**own, **more})
    wanted = [each if isinstance(each, Scenario) else SCENARIOS[each] for each in scenarios]

    async def trials() -> Tried:
        with tempfile.TemporaryDirectory() as scratch:
            async with open_places(Path(scratch), real=real, horizon=horizon) as places:
                healthy = await well(target, places, usual)
                async with session(target, healthy, places, len(wanted)) as opened:
                    asked = [(scenario, jitter) for scenario in wanted for jitter in JITTERS]
                    seen = await together(opened.observe(*each, horizon) for each in asked)
                    names = [(scenario.name, jitter) for scenario, jitter in asked]
                    return Tried(healthy, opened.why_fresh, dict(zip(names, seen, strict=True)))

    with reaped():
        return asyncio.run(trials())
