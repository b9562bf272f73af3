"""`record`: measure twice, and write the baselines."""

import asyncio
from dataclasses import dataclass

from failsame.baseline import (
    lay,
    read_baseline,
    read_coming,
    record,
    remove_coming,
    write_baseline,
)
from failsame.config import Subject
from failsame.drift import contradictions
from failsame.errors import UnmeasuredError
from failsame.facts import Measurement, recorded
from failsame.gate.assemble import report, unready_report
from failsame.gate.measure import measured_report
from failsame.gate.plan import Plan, locked
from failsame.gate.prepare import Ready, Unready, Workshop, prepare
from failsame.gate.progress import Progress
from failsame.gate.reference import installed_by, shown_folder
from failsame.gate.trials import Measured, again, measure, quiet
from failsame.gate.workshop import Timing, workshop
from failsame.report.model import Report, SubjectReport
from failsame.suite import SCENARIOS


@dataclass(frozen=True)
class Written:
    """What `record` did: the report of what it measured, and one line for each file."""

    report: Report
    files: tuple[str, ...]

    @property
    def missed(self) -> tuple[str, ...]:
        """One line for each subject that was not recorded, and why."""
        return tuple(
            f"{subject.name} was not recorded: {subject.why or _first_why(subject)}"
            for subject in self.report.subjects
            if subject.verdict == "unmeasured"
        )


def _first_why(subject: SubjectReport) -> str:
    return next(f"{each.name}: {each.why}" for each in subject.scenarios if each.verdict == "unmeasured")


async def run_record(plan: Plan, timing: Timing, progress: Progress) -> Written:
    """Measure every subject twice, and write its baseline, with the coming files folded in that hold.

    A subject that could not be measured keeps its file as it is. Raises UsageError for files that cannot be read.
    """
    for subject in plan.subjects:
        read_baseline(plan.baselines, subject.name)
        read_coming(plan.baselines, subject.name)
    async with workshop(plan, timing, progress) as shop:
        calm = quiet()
        done = await asyncio.gather(*(_recorded(subject, shop, calm) for subject in plan.subjects))
    subjects = [told for told, _ in done]
    files = tuple(line for _, lines in done for line in lines)
    return Written(
        report(plan, subjects, shop, command="record"),
        files,
    )


async def _recorded(subject: Subject, shop: Workshop, calm: asyncio.Semaphore) -> tuple[SubjectReport, tuple[str, ...]]:
    ready = await prepare(subject, locked(subject.lock, shop.plan.folder), shop)
    if isinstance(ready, Unready):
        shop.progress.finished(subject.name, "unmeasured")
        return unready_report(ready, informational=False), ()
    first, second = await asyncio.gather(measure(ready, shop), measure(ready, shop))
    measured = {
        name: [first.measurements[name], second.measurements[name]]
        for name in first.measurements
        if name in second.measurements
    }
    for name, pair in measured.items():
        pair.extend(await _more(ready, shop, name, pair, calm))
    troubles = {**first.troubles, **second.troubles}
    told = measured_report(ready, Measured(first.measurements, troubles), shop)
    lines = _write(ready, measured, shop.plan) if not troubles else ()
    shop.progress.finished(subject.name, "recorded" if not troubles else "unmeasured")
    return told, lines


async def _more(
    ready: Ready, shop: Workshop, name: str, pair: list[Measurement], calm: asyncio.Semaphore
) -> tuple[Measurement, ...]:
    """Two more measurements of what varied: its draws cannot be pinned, or it is a race of its own."""
    one, two = pair
    if not contradictions(recorded([one]), recorded([two])).facts:
        return ()
    scenario = next(each for each in ready.selection.chosen if each.name == name)
    try:
        return await again(ready, shop, scenario, one, calm)
    except UnmeasuredError:
        return ()


def _write(ready: Ready, measured: dict[str, list[Measurement]], plan: Plan) -> tuple[str, ...]:
    """Write one subject's baseline; one line for each file that changed."""
    name = ready.subject.name
    base = read_baseline(plan.baselines, name)
    laid = lay(base, read_coming(plan.baselines, name), installed_by(ready)) if base is not None else None
    baseline = record(
        laid,
        subject=name,
        runtime=ready.environment.runtime,
        packages=ready.packages,
        measured=measured,
        known={*SCENARIOS, *(scenario.name for scenario in plan.own)},
    )
    folder = shown_folder(plan)
    wrote = write_baseline(plan.baselines, baseline)
    lines = [f"{folder}/{name}.json {'written' if wrote else 'is as it was'}"]
    if laid is not None:
        remove_coming(plan.baselines, name, laid.held)
        lines += [f"{folder}/coming/{name}@{fingerprint}.json folded in" for fingerprint in laid.held]
    return tuple(lines)
