"""`record`: measure twice, and write the baselines."""

import asyncio
from collections.abc import Mapping
from dataclasses import dataclass, field

from failsame.baseline import (
    lay_out,
    read_baseline,
    read_coming,
    record,
    remove_coming,
    write_baseline,
)
from failsame.config import Subject
from failsame.drift import contradictions
from failsame.facts import Measurement, recorded
from failsame.gate.assemble import failed_report, report
from failsame.gate.locked import locked
from failsame.gate.measure import measured_report, uncompared
from failsame.gate.plan import Plan
from failsame.gate.prepare import Ready, Unready, Workshop, prepare
from failsame.gate.progress import Progress
from failsame.gate.reference import laid_for
from failsame.gate.trials import Measured, again, measure, quiet
from failsame.gate.workshop import Timing, workshop
from failsame.report.model import Report, SubjectReport
from failsame.suite import SCENARIOS, Scenario
from failsame.trial import together


@dataclass(frozen=True)
class Written:
    """What `record` did: the report of what it measured, and one line for each file."""

    report: Report
    files: tuple[str, ...]


@dataclass(frozen=True)
class _Measured:
    """A subject that was measured; `ready` is None if that failed, and its files stay as they are."""

    report: SubjectReport
    ready: Ready | None = None
    measured: Mapping[str, list[Measurement]] = field(default_factory=dict)


async def run_record(plan: Plan, timing: Timing, progress: Progress) -> Written:
    """Measure every subject twice, and write its baseline, with the coming files folded in that hold.

    A subject that could not be measured keeps its file as it is. Raises UsageError for files that cannot be read.
    """
    for subject in plan.subjects:
        read_baseline(plan.baselines, subject.name)
        read_coming(plan.baselines, subject.name)
    async with workshop(plan, timing, progress) as shop:
        calm = quiet()
        done = await together(_measured(subject, shop, calm) for subject in plan.subjects)
    # Only now, so that a run that is interrupted has written nothing.
    wrote = [_write(each.ready, each.measured, plan) for each in done if each.ready is not None]
    whole = report(plan, [each.report for each in done], shop, command="record")
    written = {path: text for files, _ in wrote for path, text in files.items()}
    return Written(whole.model_copy(update={"written": written}), tuple(line for _, lines in wrote for line in lines))


async def _measured(subject: Subject, shop: Workshop, calm: asyncio.Semaphore) -> _Measured:
    base = read_baseline(shop.plan.baselines, subject.name)
    usual = base.fault_keys if base is not None else {}
    ready = await prepare(subject, locked(subject.lock, shop.plan.folder), shop, usual)
    if isinstance(ready, Unready):
        shop.progress.finished(subject.name, "unmeasured")
        return _Measured(failed_report(subject, ready.why))
    first, second = await together(measure(ready, shop) for _ in range(2))
    measured = {
        name: [first.measurements[name], second.measurements[name]]
        for name in first.measurements
        if name in second.measurements
    }
    for name, more in (await again(ready, shop, _varied(ready, measured), calm)).items():
        measured[name] += [] if isinstance(more, str) else more
    troubles = {**first.troubles, **second.troubles}
    compared = uncompared(Measured(first.measurements, troubles, first.why_fresh))
    told = measured_report(ready, compared, shop.plan)
    shop.progress.finished(subject.name, "unmeasured" if troubles else "measured")
    return _Measured(told) if troubles else _Measured(told, ready, measured)


def _varied(ready: Ready, measured: dict[str, list[Measurement]]) -> list[tuple[Scenario, float]]:
    """What varied is measured twice more: its draws cannot be pinned, or it is a race of its own."""
    return [
        (scenario, measured[scenario.name][0].conditions.horizon)
        for scenario in ready.selection.chosen
        if scenario.name in measured and contradictions(*(recorded([one]) for one in measured[scenario.name])).facts
    ]


def _write(
    ready: Ready, measured: Mapping[str, list[Measurement]], plan: Plan
) -> tuple[dict[str, str | None], list[str]]:
    """Write one subject's baseline: the files that it takes (None: removed), and one line for each."""
    name = ready.subject.name
    base = read_baseline(plan.baselines, name)
    laid = laid_for(ready, base, read_coming(plan.baselines, name)) if base is not None else None
    baseline = record(
        laid,
        subject=name,
        runtime=ready.environment.runtime,
        packages=ready.packages,
        settings=ready.healthy.settings,
        fault_keys=ready.healthy.fault_keys,
        measured=measured,
        known={*SCENARIOS, *(scenario.name for scenario in plan.own)},
    )
    path = f"{plan.shown_baselines}/{name}.json"
    wrote = write_baseline(plan.baselines, baseline)
    held = laid.held if laid is not None else ()
    remove_coming(plan.baselines, name, held)
    folded = [f"{plan.shown_baselines}/coming/{name}@{fingerprint}.json" for fingerprint in held]
    lines = [f"{path} {'written' if wrote else 'is as it was'}", *(f"{each} folded in" for each in folded)]
    return {path: lay_out(baseline), **dict.fromkeys(folded)}, lines
