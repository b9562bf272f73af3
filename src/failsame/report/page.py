"""A report arranged for reading: what the templates show, in their order, without how they show it."""

from dataclasses import dataclass

from failsame.advisories import Advisory
from failsame.pins.model import Change
from failsame.report.choices import Choices, causes, choices, known, record, reproduce
from failsame.report.escape import short
from failsame.report.gantt import gantt
from failsame.report.model import LeftOut, Report, ScenarioReport, SubjectReport
from failsame.report.phrases import Phrase, horizon_words
from failsame.report.rows import Row, every_call, rows, service_of, when
from failsame.report.seen import compared
from failsame.report.verdicts import Headline, headline

_LISTED = frozenset({"measure", "record"})
"""Commands that compare nothing."""
_SHOWN_ROWS = 8
_SHOWN_SENTENCES = 4
_SHOWN_NOTES = 10


@dataclass(frozen=True)
class Line:
    """One scenario of the folded part: what its calls do."""

    name: str
    when: str
    does: Phrase


@dataclass(frozen=True)
class Unmeasured:
    """A scenario that could not be measured."""

    name: str
    when: str
    why: str


@dataclass(frozen=True)
class Left:
    """Scenarios left out for one reason."""

    why: str
    scenarios: tuple[str, ...]


@dataclass(frozen=True)
class Section:
    """One subject."""

    subject: SubjectReport
    service: str
    causes: tuple[Change, ...]
    known: tuple[Advisory, ...]
    rows: tuple[Row, ...]
    more: tuple[Row, ...]
    told: tuple[Row, ...]
    """The rows that are said in a sentence where everybody reads it."""
    told_more: tuple[Row, ...]
    unmeasured: tuple[Unmeasured, ...]
    new: tuple[str, ...]
    """Scenarios that are not recorded yet."""
    lines: tuple[Line, ...]
    left_out: tuple[Left, ...]
    watched: tuple[str, ...]
    """How long calls were watched, one entry per clock and horizon that differ."""
    notes: tuple[str, ...]


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
    """All subjects."""
    unchanged: int
    left_out: int
    choices: Choices | None
    only_indirect: bool
    """Packages changed, and none that the project itself requires."""
    reproduce: str | None
    picture: str | None
    picture_of: Named | None
    record: str | None
    """The command that records what has no baseline."""
    whole: bool
    """Whether there is more to say than one line."""
    listed: bool
    """Whether this is no comparison, so that every scenario is listed with what it does."""
    clock: str


def page(report: Report) -> Page:
    """Arrange a report."""
    sections = tuple(_section(report, subject) for subject in report.subjects)
    shown = tuple(section for section in sections if section.subject.verdict != "same")
    drifted = [section for section in sections if section.rows]
    head = headline(report)
    comparing = report.command == "check"
    strongest = _strongest(drifted)
    picture = None if strongest is None else gantt(strongest.row.drifted, strongest.scenario.horizon)
    return Page(
        report=report,
        headline=head,
        sections=shown,
        folded=sections,
        unchanged=sum(len(section.lines) for section in sections),
        left_out=sum(len(subject.left_out) for subject in report.subjects),
        choices=choices(report, [section.subject for section in drifted]) if drifted and comparing else None,
        only_indirect=bool(report.changes) and all(change.direct is False for change in report.changes),
        reproduce=reproduce(report, strongest.subject, strongest.scenario.name) if strongest and comparing else None,
        picture=picture,
        picture_of=Named(strongest.subject.name, f"{service_of(strongest.subject.dialect)} {when(strongest.scenario)}")
        if strongest
        else None,
        record=record([subject for subject in report.subjects if subject.verdict == "new"]),
        whole=bool(report.subjects) and (head.alert is not None or not comparing),
        listed=report.command in _LISTED,
        clock="real time" if report.clock == "real" else "skipped time",
    )


@dataclass(frozen=True)
class _Strongest:
    subject: SubjectReport
    row: Row
    scenario: ScenarioReport


def _strongest(sections: list[Section]) -> _Strongest | None:
    """Find the strongest change of the report; of two that are as strong, the first subject's."""
    first = min(sections, key=lambda section: section.rows[0].rank, default=None)
    if first is None:
        return None
    row = first.rows[0]
    scenario = next(one for one in first.subject.scenarios if one.name == row.scenarios[0])
    return _Strongest(first.subject, row, scenario)


def _section(report: Report, subject: SubjectReport) -> Section:
    service = service_of(subject.dialect)
    found = rows(subject, service)
    return Section(
        subject=subject,
        service=service,
        causes=causes(subject, report.changes),
        known=known(subject),
        rows=found[:_SHOWN_ROWS],
        more=found[_SHOWN_ROWS:],
        told=tuple(row for place, row in enumerate(found) if place < _SHOWN_SENTENCES or row.ends),
        told_more=tuple(row for row in found[_SHOWN_SENTENCES:] if not row.ends),
        unmeasured=tuple(
            Unmeasured(scenario.name, when(scenario), scenario.why or "the measurements disagree")
            for scenario in subject.scenarios
            if scenario.verdict == "unmeasured"
        ),
        new=tuple(scenario.name for scenario in subject.scenarios if scenario.verdict == "new"),
        lines=tuple(
            _line(scenario)
            for scenario in subject.scenarios
            if scenario.calls and not scenario.drifts and (scenario.verdict == "same" or report.command in _LISTED)
        ),
        left_out=_left_out(subject.left_out),
        watched=tuple(dict.fromkeys(horizon_words(one.horizon, one.clock) for one in subject.scenarios if one.calls)),
        notes=_notes(subject),
    )


def _notes(subject: SubjectReport) -> tuple[str, ...]:
    """What is worth knowing and never red, each once: of the subject, its clock and its scenarios."""
    of_clock = (f"{one.clock_note} ({one.name})" for one in subject.scenarios if one.clock_note)
    of_scenarios = (f"{note} ({one.name})" for one in subject.scenarios for note in one.notes)
    found = dict.fromkeys((*subject.notes, *of_clock, *of_scenarios))
    return tuple(short(note, 200) for note in found)[:_SHOWN_NOTES]


def _line(scenario: ScenarioReport) -> Line:
    horizon = horizon_words(scenario.horizon, scenario.clock)
    return Line(
        name=scenario.name,
        when=when(scenario),
        does=every_call(compared(scenario), horizon=horizon),
    )


def _left_out(entries: tuple[LeftOut, ...]) -> tuple[Left, ...]:
    reasons: dict[str, list[str]] = {}
    for entry in entries:
        reasons.setdefault(entry.why, []).append(entry.scenario)
    return tuple(Left(why, tuple(names)) for why, names in reasons.items())


def _scenario(subject: SubjectReport, name: str) -> ScenarioReport:
    return next(scenario for scenario in subject.scenarios if scenario.name == name)
