"""`check`: measure, and compare with the baselines."""

import asyncio
from dataclasses import dataclass

from failsame.baseline import (
    Baseline,
    Coming,
    lay,
    list_baselines,
    list_coming,
    read_baseline,
    read_coming,
    stale,
)
from failsame.config import Subject
from failsame.drift import Upgrade
from failsame.gate.assemble import report, subject_report, unready_report
from failsame.gate.compare import Compared, attributed, compare, confirmed
from failsame.gate.plan import Plan, locked
from failsame.gate.prepare import Ready, Unready, Workshop, prepare
from failsame.gate.progress import Progress
from failsame.gate.reference import Known, deciding_changes, from_before, from_files, installed_by, with_runtime
from failsame.gate.trials import measure, quiet
from failsame.gate.workshop import Timing, workshop
from failsame.report.model import Reference, Report, SubjectReport
from failsame.suite import SUITE
from failsame.trial import together


@dataclass(frozen=True)
class _Judged:
    """A subject on its way to a verdict."""

    ready: Ready
    compared: Compared
    known: Known | None
    upgrade: Upgrade
    informational: bool


@dataclass(frozen=True)
class _Files:
    """What is committed of a subject."""

    baseline: Baseline | None
    coming: dict[str, Coming]


async def run_check(plan: Plan, timing: Timing, progress: Progress) -> Report:
    """Measure every subject, and compare it with its baseline.

    A subject that was found by itself and is not recorded is compared with what it did before the upgrade, for
    information. Raises UsageError for files that cannot be read, UnmeasuredError where nothing can be measured.
    """
    files = {subject.name: _files(plan, subject) for subject in plan.subjects}
    async with workshop(plan, timing, progress) as shop:
        judged = await together(_judged(subject, files[subject.name], shop) for subject in plan.subjects)
        calm = quiet()
        subjects = await together(_final(each, shop, calm) for each in judged)
    return report(plan, subjects, shop, command="check", notes=_stale(plan))


def _files(plan: Plan, subject: Subject) -> _Files:
    return _Files(read_baseline(plan.baselines, subject.name), read_coming(plan.baselines, subject.name))


async def _judged(subject: Subject, files: _Files, shop: Workshop) -> SubjectReport | _Judged:
    """Measure a subject and judge it once."""
    informational = subject.informational and files.baseline is None
    ready = await prepare(subject, locked(subject.lock, shop.plan.folder), shop)
    if isinstance(ready, Unready):
        shop.progress.finished(subject.name, "unmeasured")
        return unready_report(ready, informational=informational)
    known: Known | None = None
    if files.baseline is not None:
        known = from_files(lay(files.baseline, files.coming, installed_by(ready)), shop.plan)
        measured = await measure(ready, shop)
    elif informational:
        measured, known = await asyncio.gather(measure(ready, shop), from_before(subject, shop))
    else:
        measured = await measure(ready, shop)
    changes = deciding_changes(
        shop.plan.changes.get(subject.lock, ()),
        now=with_runtime(ready.packages, ready.environment.runtime),
        before=known.packages if known else {},
        lock=subject.lock.name,
        language=subject.language,
    )
    upgrade = Upgrade(SUITE, subject.name, changes)
    compared = await compare(ready, measured, known.scenarios if known else {}, upgrade, shop)
    return _Judged(ready, compared, known, upgrade, informational)


async def _final(judged: SubjectReport | _Judged, shop: Workshop, calm: asyncio.Semaphore) -> SubjectReport:
    """Confirm what drifted, in quiet, once all others are through; and say what may have caused it."""
    if isinstance(judged, SubjectReport):
        return judged
    ready, known = judged.ready, judged.known
    compared = attributed(
        await confirmed(ready, judged.compared, judged.upgrade, shop, calm),
        changes=judged.upgrade.changes,
        loaded={**ready.packages, **(known.packages if known else {})},
        runtime=ready.environment.runtime,
    )
    told = subject_report(
        ready,
        compared,
        known.shown if known else Reference(),
        lock=locked(ready.subject.lock, shop.plan.folder).path,
        informational=judged.informational,
        why_new=None if known else _why_new(ready.subject, judged, shop.plan),
    )
    shop.progress.finished(ready.subject.name, told.verdict)
    return told


def _why_new(subject: Subject, judged: _Judged, plan: Plan) -> str:
    record = f"run `failsame record --subject {subject.name}` and commit {plan.shown_baselines}/{subject.name}.json"
    if judged.informational:
        return f"it has no baseline, and there is no lock file from before to compare with: {record}"
    return f"it has no baseline: {record}"


def _stale(plan: Plan) -> list[str]:
    """Committed files whose subject is gone: a warning, since a person has to remove them."""
    folder = plan.shown_baselines
    names = stale(list_baselines(plan.baselines), list_coming(plan.baselines), plan.every_name)
    return [f"{folder}/{name} is stale, its subject is gone: remove it" for name in names]
