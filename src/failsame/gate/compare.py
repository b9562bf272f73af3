"""Measured scenarios against their reference: judged, measured longer or again where the rules ask, attributed."""

import asyncio
from collections.abc import Collection, Mapping
from dataclasses import dataclass, field, replace

from failsame.attribution import attribute
from failsame.drift import Judgement, Repeat, Upgrade, confirm, judge
from failsame.facts import Measurement, Recorded
from failsame.gate.prepare import Ready, Workshop
from failsame.gate.trials import Measured, again, measure_all
from failsame.pins import Change


@dataclass(frozen=True)
class Compared:
    """A subject's scenarios with their verdicts. `measurements` are those that the verdicts rest on."""

    measurements: Mapping[str, Measurement]
    judgements: Mapping[str, Judgement]
    reference: Mapping[str, Recorded] = field(default_factory=dict)
    why_fresh: str | None = None
    repeats: Mapping[str, tuple[Measurement, Measurement] | str] = field(default_factory=dict)
    """Scenarios that were measured twice more; or why they could not be."""


async def compare(
    ready: Ready, measured: Measured, reference: Mapping[str, Recorded], upgrade: Upgrade, shop: Workshop
) -> Compared:
    """Judge every scenario once; measure those longer that have not ended when their baseline did."""
    judgements = {name: judge(reference.get(name), each, upgrade) for name, each in measured.measurements.items()}
    judgements |= {name: Judgement("unmeasured", why=why) for name, why in measured.troubles.items()}
    compared = Compared(measured.measurements, judgements, reference, measured.why_fresh)
    longer = {name: each.longer for name, each in judgements.items() if each.longer is not None}
    return await watched_longer(ready, compared, longer, upgrade, shop)


async def watched_longer(
    ready: Ready, compared: Compared, horizons: Mapping[str, float], upgrade: Upgrade, shop: Workshop
) -> Compared:
    """Measure these scenarios again, each with its horizon, and judge them by that."""
    if not horizons:
        return compared
    asked = [(scenario, horizons[scenario.name]) for scenario in ready.selection.chosen if scenario.name in horizons]
    more = await measure_all(ready, shop, asked)
    judged = {
        name: judge(compared.reference.get(name), measurement, upgrade)
        for name, measurement in more.measurements.items()
    }
    troubles = {name: Judgement("unmeasured", why=why) for name, why in more.troubles.items()}
    return replace(
        compared,
        measurements={**compared.measurements, **more.measurements},
        judgements={**compared.judgements, **judged, **troubles},
    )


async def confirmed(
    ready: Ready,
    compared: Compared,
    upgrade: Upgrade,
    shop: Workshop,
    *,
    calm: asyncio.Semaphore,
    also: Collection[str],
) -> Compared:
    """Measure every scenario that drifted twice more; the verdict is what those two agree on.

    `also` are scenarios that something else rests on: they are measured twice more, and their verdict stands.
    """
    drifted = {name for name, judgement in compared.judgements.items() if judgement.verdict == "drift"}
    asked = [
        (scenario, compared.measurements[scenario.name].conditions.horizon)
        for scenario in ready.selection.chosen
        if scenario.name in drifted or scenario.name in also
    ]
    repeated = await again(ready, shop, asked, calm)
    measurements, judgements = dict(compared.measurements), dict(compared.judgements)
    for name in drifted & repeated.keys():
        repeats = repeated[name]
        if isinstance(repeats, str):
            judgements[name] = Judgement("unmeasured", why=repeats)
            continue
        first = compared.measurements[name]
        judgements[name] = confirm(compared.reference[name], first, (_sides(repeats[0]), _sides(repeats[1])), upgrade)
        measurements[name] = repeats[0]
    return replace(compared, measurements=measurements, judgements=judgements, repeats=repeated)


def _sides(measurement: Measurement) -> Repeat:
    return {"low": measurement.low, "high": measurement.high}


def attributed(compared: Compared, *, changes: tuple[Change, ...], loaded: Mapping[str, str], runtime: str) -> Compared:
    """Give every drift its cause among what the upgrade moved."""

    def told(scenario: str, judgement: Judgement) -> Judgement:
        drifts = tuple(
            attribute(drift, scenario=scenario, changes=changes, loaded=loaded.keys(), runtime=runtime)
            for drift in judgement.drifts
        )
        return replace(judgement, drifts=drifts)

    judgements = {name: told(name, judgement) for name, judgement in compared.judgements.items()}
    return replace(compared, judgements=judgements)
