"""`check`: measure, and compare with the baselines."""

import asyncio
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from failsame.baseline import (
    Baseline,
    Coming,
    check_names,
    read_baseline,
    read_coming,
)
from failsame.budgets import Costs, costs
from failsame.config import Subject
from failsame.drift import Upgrade
from failsame.gate.assemble import failed_report, report, subject_report
from failsame.gate.budgets import Held, clients, clients_before, deciding, held, horizons
from failsame.gate.compare import attributed, compare, confirmed, watched_longer
from failsame.gate.edited import edited
from failsame.gate.judged import Failed, Judged
from failsame.gate.locked import locked
from failsame.gate.plan import Plan
from failsame.gate.prepare import Unready, Workshop, prepare
from failsame.gate.progress import Progress
from failsame.gate.reference import Known, deciding_changes, from_before, from_files, laid_for, with_runtime
from failsame.gate.remarks import not_recorded, nothing_recorded
from failsame.gate.stale import compared_with_nothing
from failsame.gate.trials import measure, quiet
from failsame.gate.unguarded import unguarded
from failsame.gate.workshop import Timing, workshop
from failsame.report.model import Reference, Report, SubjectReport
from failsame.suite import SUITE
from failsame.trial import together


@dataclass(frozen=True)
class _Files:
    """What is committed of a subject."""

    baseline: Baseline | None
    coming: dict[str, Coming]


async def run_check(plan: Plan, timing: Timing, progress: Progress) -> Report:
    """Measure every subject, and compare it with its baseline; and say whether its budgets are kept.

    A subject that was found by itself and is not recorded is compared with what it did before the upgrade, for
    information. Raises UsageError for files that cannot be read, UnmeasuredError where nothing can be measured.
    """
    check_names(plan.baselines)
    files = {subject.name: _files(plan, subject) for subject in plan.subjects}
    async with workshop(plan, timing, progress) as shop:
        judged = await together(_judged(subject, files[subject.name], shop) for subject in plan.subjects)
        longer = horizons(plan, clients(judged, plan))
        judged = await together(_longer(each, longer, shop) for each in judged)
        broken = deciding(plan, clients(judged, plan))
        calm = quiet()
        final = await together(_confirmed(each, broken, shop, calm) for each in judged)
    kept = held(plan, judged, final)
    before, now = clients_before(judged, plan), clients(judged, plan)
    subjects = []
    for each in final:
        name = each.subject.name
        subjects.append(_told(each, plan, kept[name], costs(before[name], now[name])))
    for subject in subjects:
        progress.finished(subject.name, subject.verdict)
    notes = (*compared_with_nothing(plan), *not_recorded(subjects))
    done = report(plan, subjects, shop, command="check", notes=notes)
    return done.model_copy(update={"unguarded": unguarded(plan, subjects)})


def _files(plan: Plan, subject: Subject) -> _Files:
    return _Files(read_baseline(plan.baselines, subject.name), read_coming(plan.baselines, subject.name))


async def _judged(subject: Subject, files: _Files, shop: Workshop) -> Failed | Judged:
    """Measure a subject and judge it once."""
    informational = subject.informational and files.baseline is None
    usual = files.baseline.fault_keys if files.baseline else {}
    ready = await prepare(subject, locked(subject.lock, shop.plan.folder), shop, usual)
    if isinstance(ready, Unready):
        return Failed(subject, ready.why, informational)
    known: Known | None = None
    if files.baseline is not None:
        known = from_files(laid_for(ready, files.baseline, files.coming), shop.plan)
        measured = await measure(ready, shop)
    elif informational:
        measured, known = await asyncio.gather(measure(ready, shop), from_before(ready, shop))
    else:
        measured = await measure(ready, shop)
    changes = deciding_changes(
        shop.plan.changes.get(subject.lock, ()),
        now=with_runtime(ready.packages, ready.environment.runtime),
        before=known.packages if known else {},
        language=subject.language,
    )
    upgrade = Upgrade(SUITE, subject.name, changes)
    compared = await compare(ready, measured, known.scenarios if known else {}, upgrade, shop)
    return Judged(ready, compared, known, upgrade, informational)


async def _longer(
    judged: Failed | Judged, longer: Mapping[str, Mapping[str, float]], shop: Workshop
) -> Failed | Judged:
    """Watch those calls longer that a budget asks for."""
    if isinstance(judged, Failed):
        return judged
    asked = longer.get(judged.subject.name, {})
    compared = await watched_longer(judged.ready, judged.compared, asked, judged.upgrade, shop)
    return replace(judged, compared=compared)


async def _confirmed(
    judged: Failed | Judged, broken: Mapping[str, frozenset[str]], shop: Workshop, calm: asyncio.Semaphore
) -> Failed | Judged:
    """Confirm what drifted or broke a budget, in quiet, once all others are through; and say what may be its cause."""
    if isinstance(judged, Failed):
        return judged
    ready, known = judged.ready, judged.known
    also = broken.get(judged.subject.name, frozenset())
    compared = attributed(
        await confirmed(ready, judged.compared, judged.upgrade, shop, calm=calm, also=also),
        changes=judged.upgrade.changes,
        loaded={**ready.packages, **(known.packages if known else {})},
        runtime=ready.environment.runtime,
    )
    return replace(judged, compared=compared)


def _told(judged: Failed | Judged, plan: Plan, kept: Sequence[Held], spent: Sequence[Costs]) -> SubjectReport:
    """All there is to say of a subject."""
    if isinstance(judged, Failed):
        return failed_report(judged.subject, judged.why, informational=judged.informational)
    known = judged.known
    return subject_report(
        judged.ready,
        judged.compared,
        known.shown if known else Reference(),
        lock=locked(judged.subject.lock, plan.folder).path,
        edited=edited(judged.subject, plan),
        earlier=tuple(change for change in judged.upgrade.changes if change not in plan.all_changes),
        informational=judged.informational,
        why_new=_why_new(judged, plan),
        settings_before=known.settings if known else {},
        keys_before=known.fault_keys if known else {},
        kept=kept,
        spent=spent,
    )


def _why_new(judged: Judged, plan: Plan) -> str | None:
    name = judged.subject.name
    record = f"run `failsame record --subject {name}` and commit {plan.shown_baselines}/{name}.json"
    if judged.known:
        verdicts = {name: judgement.verdict for name, judgement in judged.compared.judgements.items()}
        return f"its baseline holds nothing of what ran: {record}" if nothing_recorded(verdicts) else None
    if judged.informational:
        return f"it has no baseline, and there is no lock file from before to compare with: {record}"
    return f"it has no baseline: {record}"
