"""`measure`: a report, and no comparison."""

from failsame.config import Subject
from failsame.drift import Judgement
from failsame.gate.assemble import report, subject_report, unready_report
from failsame.gate.compare import Compared
from failsame.gate.plan import Plan, locked
from failsame.gate.prepare import Ready, Unready, Workshop, prepare
from failsame.gate.progress import Progress
from failsame.gate.trials import Measured, measure
from failsame.gate.workshop import Timing, workshop
from failsame.report.model import Reference, Report, SubjectReport
from failsame.trial import together


async def run_measure(plan: Plan, timing: Timing, progress: Progress) -> Report:
    """Measure every subject once."""
    async with workshop(plan, timing, progress) as shop:
        subjects = await together(_measured(subject, shop) for subject in plan.subjects)
    return report(plan, subjects, shop, command="measure")


async def _measured(subject: Subject, shop: Workshop) -> SubjectReport:
    ready = await prepare(subject, locked(subject.lock, shop.plan.folder), shop)
    told = (
        unready_report(ready, informational=False)
        if isinstance(ready, Unready)
        else measured_report(ready, await measure(ready, shop), shop)
    )
    shop.progress.finished(subject.name, "unmeasured" if told.verdict == "unmeasured" else "measured")
    return told


def measured_report(ready: Ready, measured: Measured, shop: Workshop) -> SubjectReport:
    """A subject that was measured and not compared."""
    judgements = {name: Judgement("same") for name in measured.measurements} | {
        name: Judgement("unmeasured", why=why) for name, why in measured.troubles.items()
    }
    return subject_report(
        ready,
        Compared(measured.measurements, judgements, why_fresh=measured.why_fresh),
        Reference(),
        lock=locked(ready.subject.lock, shop.plan.folder).path,
    )
