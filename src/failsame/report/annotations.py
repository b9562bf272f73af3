"""What a report has to say about single lines of files: those of a lock file on which a package moved."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal

from failsame.report.model import Report
from failsame.report.page import page
from failsame.report.section import Section

Level = Literal["error", "warning", "notice"]


@dataclass(frozen=True)
class Annotation:
    """A remark on a line of a file (from 1), or on none; `message` and `title` are plain text on one line."""

    level: Level
    title: str
    message: str
    file: str | None = None
    line: int | None = None


def annotations(report: Report) -> tuple[Annotation, ...]:
    """One remark for each subject that is not the same, the most serious first."""
    found = [remark for section in page(report).sections for remark in _of(section, report)]
    return tuple(sorted(found, key=lambda remark: _LEVELS.index(remark.level)))


_LEVELS: tuple[Level, ...] = ("error", "warning", "notice")


def _of(section: Section, report: Report) -> Iterator[Annotation]:
    subject = section.subject
    level: Level = "notice" if subject.informational else "warning" if report.mode == "warn" else "error"
    if section.rows:
        cause = next(iter(section.causes), None)
        since = " since its baseline was recorded" if cause in subject.earlier else ""
        moved = f"{cause.package} {cause.before or 'not there'} -> {cause.after or 'gone'}{since}: " if cause else ""
        edited = next(iter(subject.edited or ()), None) if cause is None else None
        more = f" ({len(section.rows) - 1} more changes)" if len(section.rows) > 1 else ""
        yield Annotation(
            level=level,
            title=f"{subject.name} fails differently",
            message=f"{f'{edited} changed: ' if edited else moved}{section.rows[0].sentence}{more}",
            file=(cause.lock or None) if cause else edited,
            line=cause.line if cause else None,
        )
    elif subject.verdict == "new":
        yield Annotation(level, f"{subject.name} is not recorded", subject.why or "it has no baseline yet")
    if subject.verdict == "unmeasured" or section.unmeasured:
        why = subject.why or f"{section.unmeasured[0].name}: {section.unmeasured[0].why}"
        # The mode turns no failure to measure green.
        yield Annotation("notice" if subject.informational else "error", f"{subject.name} could not be measured", why)
    for line in section.budgets:
        if line.budget.verdict == "broken":
            mild: Level = level if line.budget.severity == "must" else "warning"
            yield Annotation(mild, f"{subject.name} breaks a budget", f"{line.budget.rule}: {line.room}")
