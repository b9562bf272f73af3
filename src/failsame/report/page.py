"""A report arranged for reading: what the templates show, in their order, without how they show it."""

from dataclasses import dataclass

from failsame.report.choices import Choices, choices, record, reproduce
from failsame.report.gantt import gantt
from failsame.report.method import clock_words
from failsame.report.model import Report, ScenarioReport, SubjectReport
from failsame.report.naming import when
from failsame.report.rows import Row, service_of
from failsame.report.section import LISTED, Section, section
from failsame.report.seen import Calls
from failsame.report.verdicts import Headline, headline


@dataclass(frozen=True)
class Named:
    """A scenario by name and in words."""

    name: str
    when: str


@dataclass(frozen=True)
class Page:
    """A whole report."""

    report: Report
    headline: Headline
    sections: tuple[Section, ...]
    """Subjects in which something is to be said, in the order of the report."""
    folded: tuple[Section, ...]
    """All subjects of which something was measured."""
    unchanged: int
    left_out: int
    choices: Choices | None
    only_indirect: bool
    """Packages changed, and none that the project itself requires."""
    reproduce: str | None
    picture: str | None
    unanswered: bool
    """Whether it shows attempts whose end is not known."""
    picture_of: Named | None
    record: str | None
    """The command that records what has no baseline."""
    green: bool
    """Whether all is the same: then it says what was compared, and no more."""
    over_budget: bool
    """Whether a budget is broken and nothing else is."""
    holdable: bool
    """Whether one of them may have been kept before, so that to hold the upgrade may keep it."""
    whole: bool
    """Whether there is more to say than one line."""
    listed: bool
    """Whether this is no comparison, so that every scenario is listed with what it does."""
    clock: str
    cut: tuple[str, ...] = ()
    """What was left out so that the page fits."""


def page(report: Report, *, label: str | None = None) -> Page:
    """Arrange a report; `label` accepts what drifted, where the report is read on GitHub."""
    sections = tuple(section(report, subject) for subject in report.subjects)
    # `measure` judges no budgets.
    judged = report.command not in LISTED
    shown = tuple(one for one in sections if one.subject.verdict != "same" or (judged and one.breaks_a_budget))
    drifted = [one for one in sections if one.rows]
    head = headline(report, merging=label is not None)
    comparing = report.command == "check"
    strongest = _strongest(drifted)
    picture = None if strongest is None else gantt(strongest.row.drifted, strongest.scenario.horizon)
    return Page(
        report=report,
        headline=head,
        sections=shown,
        folded=tuple(section for section in sections if section.subject.scenarios),
        unchanged=sum(one.same for one in sections),
        left_out=sum(len(subject.left_out) for subject in report.subjects),
        choices=choices(report, [one.subject for one in drifted], label) if drifted and comparing else None,
        only_indirect=bool(report.changes) and all(change.direct is False for change in report.changes),
        reproduce=reproduce(report, strongest.subject, strongest.scenario.name) if strongest and comparing else None,
        picture=picture,
        unanswered=strongest is not None and _unanswered(strongest.row.drifted),
        picture_of=Named(strongest.subject.name, f"{service_of(strongest.subject)} {when(strongest.scenario)}")
        if strongest
        else None,
        record=record([subject for subject in report.subjects if subject.verdict == "new"]),
        green=bool(report.subjects) and head.alert is None and judged,
        over_budget=report.verdict == "over-budget",
        holdable=any(
            budget.verdict == "broken" and budget.severity == "must" and budget.before != "broken"
            for subject in report.subjects
            for budget in subject.budgets
        ),
        whole=bool(report.subjects) and (head.alert is not None or not comparing),
        listed=not judged,
        clock=clock_words(report.clock),
    )


@dataclass(frozen=True)
class _Strongest:
    subject: SubjectReport
    row: Row
    scenario: ScenarioReport


def _strongest(sections: list[Section]) -> _Strongest | None:
    """Find the strongest change of the report; of two that are as strong and as well known, the first subject's."""
    first = min(sections, key=lambda one: one.rows[0].rank, default=None)
    if first is None:
        return None
    row = first.rows[0]
    scenario = next(one for one in first.subject.scenarios if one.name == row.scenarios[0])
    return _Strongest(first.subject, row, scenario)


def _unanswered(call: Calls) -> bool:
    return any(None in facts.sequence("waits", 1) for facts in (call.before, call.after))
