"""All trials of subjects that are ready, many at once; and single ones again, in quiet."""

import asyncio
import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from failsame.errors import UnmeasuredError
from failsame.facts import JITTERS, Measurement
from failsame.gate.prepare import Ready, Workshop
from failsame.observation import Jitter, Observation
from failsame.suite import Scenario

# Groups whose scenarios often last as long as a call may come first, so that nothing long is left for the end.
_LONGEST_FIRST = ("connect", "silence", "reuse", "body")


@dataclass(frozen=True)
class Measured:
    """What a subject's scenarios gave: a measurement each, or why there is none."""

    measurements: Mapping[str, Measurement] = field(default_factory=dict)
    troubles: Mapping[str, str] = field(default_factory=dict)


async def measure(ready: Ready, shop: Workshop) -> Measured:
    """Run every chosen scenario of a subject at both jitters."""
    longest_first = sorted(ready.selection.chosen, key=_length)
    return await measure_all(ready, shop, [(scenario, shop.horizon) for scenario in longest_first])


async def measure_all(ready: Ready, shop: Workshop, scenarios: Sequence[tuple[Scenario, float]]) -> Measured:
    """Run these scenarios at both jitters, each with a horizon of its own."""
    asked = [(scenario, horizon, jitter) for scenario, horizon in scenarios for jitter in JITTERS]
    shop.progress.expect(ready.subject.name, len(asked))

    async def one(scenario: Scenario, horizon: float, jitter: Jitter) -> Observation | str:
        try:
            return await ready.session.observe(scenario, jitter, horizon)
        except UnmeasuredError as error:
            return str(error)
        finally:
            shop.progress.done(ready.subject.name, f"{scenario.name}, {jitter}")

    seen = iter(await asyncio.gather(*(one(*each) for each in asked)))
    measurements: dict[str, Measurement] = {}
    troubles: dict[str, str] = {}
    for (scenario, _), low, high in zip(scenarios, seen, seen, strict=True):
        if isinstance(low, Observation) and isinstance(high, Observation):
            measurements[scenario.name] = Measurement(low=low, high=high)
        else:
            troubles[scenario.name] = low if isinstance(low, str) else str(high)
    return Measured(measurements, troubles)


def quiet() -> asyncio.Semaphore:
    """At most one trial per core makes calls."""
    return asyncio.Semaphore(len(os.sched_getaffinity(0)))


async def again(
    ready: Ready, shop: Workshop, scenario: Scenario, first: Measurement, calm: asyncio.Semaphore
) -> tuple[Measurement, Measurement]:
    """Run a scenario twice more, at both jitters. Raises UnmeasuredError if one of them gives no facts."""
    asked: list[Jitter] = [jitter for _ in range(2) for jitter in JITTERS]
    shop.progress.expect(ready.subject.name, len(asked))

    async def one(jitter: Jitter) -> Observation:
        try:
            return await ready.session.observe(scenario, jitter, first.conditions.horizon, calm)
        finally:
            shop.progress.done(ready.subject.name, f"{scenario.name}, {jitter}, again")

    first_low, first_high, second_low, second_high = await asyncio.gather(*(one(jitter) for jitter in asked))
    return Measurement(low=first_low, high=first_high), Measurement(low=second_low, high=second_high)


def _length(scenario: Scenario) -> int:
    return _LONGEST_FIRST.index(scenario.group) if scenario.group in _LONGEST_FIRST else len(_LONGEST_FIRST)
