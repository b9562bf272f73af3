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
from failsame.trial import Session, session, together

# Groups whose scenarios often last as long as a call may come first, so that nothing long is left for the end.
_LONGEST_FIRST = ("connect", "silence", "reuse", "body")


@dataclass(frozen=True)
class Measured:
    """What a subject's scenarios gave: a measurement each, or why there is none."""

    measurements: Mapping[str, Measurement] = field(default_factory=dict)
    troubles: Mapping[str, str] = field(default_factory=dict)
    why_fresh: str | None = None
    """Why each trial had an interpreter of its own; None if trials were forked."""


async def measure(ready: Ready, shop: Workshop) -> Measured:
    """Run every chosen scenario of a subject at both jitters."""
    longest_first = sorted(ready.selection.chosen, key=_length)
    return await measure_all(ready, shop, [(scenario, shop.horizon) for scenario in longest_first])


async def measure_all(ready: Ready, shop: Workshop, scenarios: Sequence[tuple[Scenario, float]]) -> Measured:
    """Run these scenarios at both jitters, each with a horizon of its own."""
    try:
        trials = len(JITTERS) * len(scenarios)
        async with session(ready.target, ready.healthy, shop.places, trials) as open_session:
            return await _measure_in(open_session, ready, shop, scenarios)
    except UnmeasuredError as error:
        return Measured(troubles={scenario.name: str(error) for scenario, _ in scenarios})


async def _measure_in(
    open_session: Session, ready: Ready, shop: Workshop, scenarios: Sequence[tuple[Scenario, float]]
) -> Measured:
    asked = [(scenario, horizon, jitter) for scenario, horizon in scenarios for jitter in JITTERS]
    shop.progress.expect(ready.subject.name, len(asked))

    async def one(scenario: Scenario, horizon: float, jitter: Jitter) -> Observation | str:
        try:
            return await open_session.observe(scenario, jitter, horizon)
        except UnmeasuredError as error:
            return str(error)
        finally:
            shop.progress.done(ready.subject.name, f"{scenario.name}, {jitter}")

    seen = iter(await together(one(*each) for each in asked))
    measurements: dict[str, Measurement] = {}
    troubles: dict[str, str] = {}
    for (scenario, _), low, high in zip(scenarios, seen, seen, strict=True):
        if isinstance(low, Observation) and isinstance(high, Observation):
            measurements[scenario.name] = Measurement(low=low, high=high)
        else:
            troubles[scenario.name] = low if isinstance(low, str) else str(high)
    return Measured(measurements, troubles, open_session.why_fresh)


def quiet() -> asyncio.Semaphore:
    """At most one trial per core makes calls."""
    return asyncio.Semaphore(len(os.sched_getaffinity(0)))


async def again(
    ready: Ready, shop: Workshop, scenarios: Sequence[tuple[Scenario, float]], calm: asyncio.Semaphore
) -> dict[str, tuple[Measurement, Measurement] | str]:
    """Run each scenario twice more, at both jitters and its horizon; instead of measurements, why there are none."""
    if not scenarios:
        return {}
    shop.progress.expect(ready.subject.name, 4 * len(scenarios))

    async def one(open_session: Session, scenario: Scenario, horizon: float, jitter: Jitter) -> Observation:
        try:
            return await open_session.observe(scenario, jitter, horizon, calm)
        finally:
            shop.progress.done(ready.subject.name, f"{scenario.name}, {jitter}, again")

    async def twice(open_session: Session, scenario: Scenario, horizon: float) -> tuple[Measurement, Measurement] | str:
        asked: list[Jitter] = ["low", "high", "low", "high"]
        seen = await asyncio.gather(
            *(one(open_session, scenario, horizon, jitter) for jitter in asked), return_exceptions=True
        )
        for each in seen:
            if isinstance(each, BaseException):
                if isinstance(each, UnmeasuredError):
                    return str(each)
                raise each
        low, high, second_low, second_high = (each for each in seen if isinstance(each, Observation))
        return Measurement(low=low, high=high), Measurement(low=second_low, high=second_high)

    try:
        async with session(ready.target, ready.healthy, shop.places, 4 * len(scenarios)) as open_session:
            found = await together(twice(open_session, *each) for each in scenarios)
    except UnmeasuredError as error:
        return {scenario.name: str(error) for scenario, _ in scenarios}
    return {scenario.name: pair for (scenario, _), pair in zip(scenarios, found, strict=True)}


def _length(scenario: Scenario) -> int:
    return _LONGEST_FIRST.index(scenario.group) if scenario.group in _LONGEST_FIRST else len(_LONGEST_FIRST)
