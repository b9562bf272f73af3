"""`measure`: a report, and no comparison."""

from failsame.budgets import costs
from failsame.config import Subject
from failsame.drift import Judgement, Upgrade
from failsame.gate.assemble import failed_report, report, subject_report
from failsame.gate.budgets import clients, held
from failsame.gate.compare import Compared
from failsame.gate.figures import budget_reports, cost_reports
from failsame.gate.judged import Failed, Judged
from failsame.gate.locked import locked
from failsame.gate.plan import Plan
from failsame.gate.prepare import Ready, Unready, Workshop, prepare
from failsame.gate.progress import Progress
from failsame.gate.trials import Measured, measure
from failsame.gate.workshop import Timing, workshop
from failsame.report.model import Reference, Report, SubjectReport
from failsame.suite import SUITE
from failsame.trial import together


async def run_measure(plan: Plan, timing: Timing, progress: Progress) -> Report:
    """Measure every subject once. Budgets are told with their numbers, and judge nothing."""
    async with workshop(plan, timing, progress) as shop:
        measured = await together(_measured(subject, shop) for subject in plan.subjects)
    kept, now = held(plan, measured, measured), clients(measured, plan)
    subjects = []
    for each in measured:
        name = each.subject.name
        if isinstance(each, Failed):
            subjects.append(failed_report(each.subject, each.why))
            continue
        more = {"budgets": budget_reports(kept[name]), "costs": cost_reports(costs(None, now[name]))}
        subjects.append(measured_report(each.ready, each.compared, plan).model_copy(update=more))
    return report(plan, subjects, shop, command="measure")


async def _measured(subject: Subject, shop: Workshop) -> Failed | Judged:
    ready = await prepare(subject, locked(subject.lock, shop.plan.folder), shop)
    if isinstance(ready, Unready):
        shop.progress.finished(subject.name, "unmeasured")
        return Failed(subject, ready.why, informational=False)
    compared = uncompared(await measure(ready, shop))
    shop.progress.finished(subject.name, "unmeasured" if _troubled(compared) else "measured")
    return Judged(ready, compared, known=None, upgrade=Upgrade(SUITE, subject.name), informational=False)


def _troubled(compared: Compared) -> bool:
    return any(judgement.verdict == "unmeasured" for judgement in compared.judgements.values())


def uncompared(measured: Measured) -> Compared:
    """What was measured, compared with nothing."""
    judgements = {name: Judgement("same") for name in measured.measurements} | {
        name: Judgement("unmeasured", why=why) for name, why in measured.troubles.items()
    }
    return Compared(measured.measurements, judgements, why_fresh=measured.why_fresh)


def measured_report(ready: Ready, compared: Compared, plan: Plan) -> SubjectReport:
    """A subject that was measured and not compared."""
    return subject_report(ready, compared, Reference(), lock=locked(ready.subject.lock, plan.folder).path)
