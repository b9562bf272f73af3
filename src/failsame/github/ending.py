"""What a run leaves behind: the log, the step's summary, annotations, outputs, the report as a file."""

from collections.abc import Iterator
from contextlib import contextmanager

from failsame.errors import FailsameError
from failsame.github.job import Job
from failsame.github.runner import SUMMARY
from failsame.report import Report, markdown, terminal, write
from failsame.report.annotations import Annotation, annotations
from failsame.report.escape import message

_ROOM = 1000
"""Bytes of the summary that are left to a line or two of others."""


def tell(job: Job, report: Report) -> None:
    """Tell what a report says, and write it to the workspace for the workflow to upload."""
    told = bool(report.subjects or report.unguarded)
    job.runner.say(terminal(report) if told else report.notes[0])
    text = markdown(report, label=job.settings.accept_label, fits=SUMMARY - _ROOM) if told else report.notes[0]
    job.runner.summarize(f"### {job.settings.name}\n\n{text}")
    for annotation in annotations(report):
        job.runner.annotate(annotation)
    write(report, job.settings.workspace / job.settings.report_name)
    job.runner.output("report", job.settings.report_name)
    job.runner.output("verdict", report.verdict)
    job.runner.output("fingerprint", report.fingerprint or "")


@contextmanager
def failures_told(job: Job) -> Iterator[None]:
    """Tell what stops the run on the workflow's page, too; the verdict is then that nothing could be measured."""
    try:
        yield
    except FailsameError as error:
        lines = str(error).splitlines()
        for line in lines:
            job.runner.annotate(Annotation("error", job.settings.name, line))
        job.runner.summarize("\n\n".join([f"### {job.settings.name}", *(str(message(line)) for line in lines)]))
        job.runner.output("verdict", "unmeasured")
        raise


def remark(job: Job, text: str, *, warn: bool = False) -> None:
    """Tell something that decides nothing."""
    job.runner.annotate(Annotation("warning" if warn else "notice", job.settings.name, text))
