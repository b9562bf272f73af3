"""Measured scenarios against their reference: judged, measured longer or again where the rules ask, attributed."""

import asyncio
from collections.abc import Mapping
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


async def compare(
    ready: Ready, measured: Measured, reference: Mapping[str, Recorded], upgrade: Upgrade, shop: Workshop
) -> Compared:
    """Judge every scenario once; measure those longer that have not ended when their baseline did."""
    by_name = {scenario.name: scenario for scenario in ready.selection.chosen}
    measurements = dict(measured.measurements)
    judgements = {name: judge(reference.get(name), measurement, upgrade) for name, measurement in measurements.items()}
    longer = [(by_name[name], each.longer) for name, each in judgements.items() if each.longer is not None]
    if longer:
        more = await measure_all(ready, shop, longer)
        measurements |= more.measurements
        judgements |= {
            name: judge(reference.get(name), measurement, upgrade) for name, measurement in more.measurements.items()
        }
        judgements |= {name: Judgement("unmeasured", why=why) for name, why in more.troubles.items()}
    judgements |= {name: Judgement("unmeasured", why=why) for name, why in measured.troubles.items()}
    return Compared(measurements, judgements, reference, measured.why_fresh)


async def confirmed(
    ready: Ready, compared: Compared, upgrade: Upgrade, shop: Workshop, calm: asyncio.Semaphore
) -> Compared:
    """Measure every scenario that drifted twice more; the verdict is what those two agree on."""
    drifted = [scenario for scenario in ready.selection.chosen if compared.judgements[scenario.name].verdict == "drift"]
    asked = [(scenario, compared.measurements[scenario.name].conditions.horizon) for scenario in drifted]
    repeated = await again(ready, shop, asked, calm)
    measurements, judgements = dict(compared.measurements), dict(compared.judgements)
    for name, repeats in repeated.items():
        if isinstance(repeats, str):
            judgements[name] = Judgement("unmeasured", why=repeats)
            continue
        first = compared.measurements[name]
        judgements[name] = confirm(compared.reference[name], first, (_sides(repeats[0]), _sides(repeats[1])), upgrade)
        measurements[name] = repeats[0]
    return replace(compared, measurements=measurements, judgements=judgements)


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
