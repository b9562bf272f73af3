"""One subject of a report, arranged for reading."""

from dataclasses import dataclass

from failsame.advisories import Advisory
from failsame.pins.model import Change
from failsame.report.budgets import BudgetLine, budget_lines, costs_words
from failsame.report.choices import causes, known
from failsame.report.method import Said, notes, setting_changes, settings, watched
from failsame.report.model import LeftOut, Report, ScenarioReport, SubjectReport, Verdict
from failsame.report.naming import when
from failsame.report.outage import shorter_outage
from failsame.report.phrases import Phrase, horizon_words
from failsame.report.rows import Row, Story, every_call, rows, service_of, stories
from failsame.report.seen import compared

LISTED = frozenset({"measure", "record"})
"""Commands that compare nothing."""

_SHOWN_ROWS = 6
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
    """What changed, equal scenarios as one, strongest first."""
    shown: int
    """How many of the rows everybody sees."""
    told: tuple[Row, ...]
    """The rows that are also said in a sentence."""
    each: tuple[Story, ...]
    """What changed, scenario by scenario; empty where the rows that are shown name them all."""
    outage: str | None
    """What it means for an outage, where the measurements say so."""
    unmeasured: tuple[Unmeasured, ...]
    new: tuple[str, ...]
    """Scenarios that are not recorded yet."""
    reference: tuple[str, ...]
    """The files that it was compared with."""
    same: int
    """How many scenarios are as they were."""
    lines: tuple[Line, ...]
    """What is listed of the others: what is not compared, and beside what changed what did not."""
    packages: tuple[tuple[str, str], ...]
    """What it loads, with its version: first what changed here."""
    left_out: tuple[Left, ...]
    watched: tuple[Said, ...]
    settings: tuple[Said, ...]
    setting_changes: tuple[Said, ...]
    """Settings that are not what they were, each with both values, beside a drift that they can be the cause of."""
    budgets: tuple[BudgetLine, ...]
    costs: tuple[str, ...]
    """What an outage costs, where that changed."""
    same_costs: tuple[str, ...]
    notes: tuple[Said, ...]

    @property
    def breaks_a_budget(self) -> bool:
        """Whether a budget needs to be talked about."""
        return any(line.wrong for line in self.budgets)


def section(report: Report, subject: SubjectReport) -> Section:
    """Arrange one subject of a report."""
    service = service_of(subject)
    each = stories(subject)
    found = rows(each, subject.name, service)
    # One row more is no longer than a line that says so.
    shown = _SHOWN_ROWS if len(found) > _SHOWN_ROWS + 1 else len(found)
    return Section(
        subject=subject,
        service=service,
        causes=causes(subject, report.changes),
        known=known(subject),
        rows=found,
        shown=shown,
        told=tuple(row for place, row in enumerate(found) if place < _SHOWN_SENTENCES or row.ends),
        each=each if len(found) > shown or any(row.unnamed for row in found) else (),
        outage=shorter_outage(subject, service) if found else None,
        unmeasured=tuple(
            Unmeasured(scenario.name, when(scenario), scenario.why or "the measurements disagree")
            for scenario in subject.scenarios
            if scenario.verdict == "unmeasured"
        ),
        new=tuple(scenario.name for scenario in subject.scenarios if scenario.verdict == "new"),
        reference=tuple(path for path in (subject.reference.base, *subject.reference.coming) if path is not None),
        same=sum(_listed(one, "same", report) for one in subject.scenarios),
        lines=tuple(
            _line(one)
            for one in subject.scenarios
            if (subject.verdict != "same" or report.command in LISTED) and _listed(one, subject.verdict, report)
        ),
        packages=_packages(subject, report),
        left_out=_left_out(subject.left_out),
        watched=watched(subject),
        settings=settings(subject.settings),
        setting_changes=setting_changes(subject) if found else (),
        budgets=budget_lines(subject, report.changes),
        costs=costs_words(subject.costs, changed=True),
        same_costs=costs_words(subject.costs, changed=False),
        notes=notes(subject)[:_SHOWN_NOTES],
    )


def _listed(scenario: ScenarioReport, verdict: Verdict, report: Report) -> bool:
    """Whether there is something to tell of a scenario that is no change; of a new subject, what it does."""
    told = scenario.verdict == "same" or report.command in LISTED or scenario.verdict == verdict == "new"
    return bool(scenario.calls) and not scenario.drifts and told


def _packages(subject: SubjectReport, report: Report) -> tuple[tuple[str, str], ...]:
    moved = {change.package for change in report.changes if change.language == subject.language}
    return tuple(sorted(subject.packages.items(), key=lambda package: (package[0] not in moved, package[0])))


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
