"""What a person can do now: keep the old behaviour, accept the new one, hold the upgrade; and see it for themselves."""

import shlex
from collections.abc import Iterable
from dataclasses import dataclass

from failsame.advisories import Advisory, advisories
from failsame.pins.model import Change
from failsame.report.model import Report, SubjectReport


@dataclass(frozen=True)
class Choices:
    """The three choices of a drift; nothing is hidden where nothing is known."""

    remedies: tuple[Advisory, ...]
    """Advisories with a setting that keeps the old behaviour."""
    unknown: tuple[str, ...]
    """Packages that changed something for which no setting is known; empty names none."""
    label: str | None
    """The label that accepts it, where one does."""
    record: str | None
    """The command that records what no label accepts."""
    blocking: bool
    """Whether there is anything to accept: what was found by itself blocks nothing."""
    baselines: tuple[str, ...]
    upgraded: bool
    """Whether an upgrade is the cause of anything: one that can be held."""
    pins: tuple[Change, ...]
    """What to hold, with those of its requirers that moved too: they may ask for the new version."""
    over_budget: bool
    """Whether a budget is broken, too: that stays red, whatever is accepted."""
    edited: tuple[str, ...]
    """Files whose change can be the cause where no package moved."""


def known(subject: SubjectReport) -> tuple[Advisory, ...]:
    """The known silent changes that explain a subject's drifts, the most frequent first."""
    ids = [drift.advisory for scenario in subject.scenarios for drift in scenario.drifts if drift.advisory]
    ordered = sorted(dict.fromkeys(ids), key=lambda found: -ids.count(found))
    return tuple(advisories()[found] for found in ordered if found in advisories())


def causes(subject: SubjectReport, changes: Iterable[Change]) -> tuple[Change, ...]:
    """The changes that can be the cause of a subject's drifts, the likeliest first."""
    votes: dict[str, float] = {}
    for scenario in subject.scenarios:
        for drift in scenario.drifts:
            for place, package in enumerate(drift.cause):
                votes[package] = votes.get(package, 0) + 1 / (1 + place)
    by_name = moved(subject, changes)
    ordered = sorted(votes, key=lambda package: -votes[package])
    return tuple(by_name[package] for package in ordered if package in by_name)


def moved(subject: SubjectReport, changes: Iterable[Change]) -> dict[str, Change]:
    """The changes of a subject's language by package; where several lock files moved one, that of the subject's own.

    What moved since its baseline was recorded, and not in its own lock file, moved in no other for it either.
    """
    of_language = [change for change in changes if change.language == subject.language]
    ordered = sorted(of_language, key=lambda change: change.lock == subject.lock)
    return {change.package: change for change in (*ordered, *subject.earlier)}


def brought(subject: SubjectReport, changes: Iterable[Change]) -> tuple[Change, ...]:
    """Those causes that are part of the change that is judged."""
    return tuple(change for change in causes(subject, changes) if change not in subject.earlier)


def choices(report: Report, drifted: list[SubjectReport], label: str | None) -> Choices:
    """Collect the choices over all subjects that drifted.

    A label accepts what an upgrade brings, ahead of it. Where no package moved there is nothing to be ahead of.
    """
    blocking = [subject for subject in drifted if not subject.informational]
    upgraded = [subject for subject in blocking if label is not None and brought(subject, report.changes)]
    to_record = [subject for subject in blocking or drifted if subject not in upgraded]
    found = dict.fromkeys(advisory for subject in drifted for advisory in known(subject))
    first = [change for subject in drifted for change in brought(subject, report.changes)[:1]]
    blamed = {(change.package, change.before): change for change in first}
    own = [subject for subject in drifted if not causes(subject, report.changes)]
    remedied = {advisory.package for advisory in found if advisory.remedy}
    return Choices(
        remedies=tuple(advisory for advisory in found if advisory.remedy),
        unknown=tuple(dict.fromkeys(change.package for change in first if change.package not in remedied)),
        label=label if upgraded else None,
        record=record(to_record),
        blocking=bool(blocking),
        baselines=tuple(dict.fromkeys(subject.reference.base for subject in to_record if subject.reference.base)),
        upgraded=bool(blamed),
        over_budget=any(
            budget.verdict == "broken" and budget.severity == "must"
            for subject in blocking
            for budget in subject.budgets
        ),
        pins=tuple(change for change in _held(blamed.values(), report.changes) if change.before is not None),
        edited=tuple(dict.fromkeys(path for subject in own for path in subject.edited or ())),
    )


def _held(blamed: Iterable[Change], changes: Iterable[Change]) -> Iterable[Change]:
    # A lock file's name is that of its language, too.
    by_name = {(change.lock, change.package): change for change in changes}
    requirers = ((change, *(by_name.get((change.lock, name)) for name in change.through)) for change in blamed)
    return dict.fromkeys(change for several in requirers for change in several if change is not None)


def record(subjects: list[SubjectReport]) -> str | None:
    """Build the command that records subjects; None if there are none."""
    if not subjects:
        return None
    return shlex.join(["failsame", "record", *(part for subject in subjects for part in ("--subject", subject.name))])


def reproduce(report: Report, subject: SubjectReport, scenario: str) -> str:
    """Build the one command that shows the strongest change again, on the reader's own machine."""
    words = ["failsame", "check", "--subject", subject.name, "--scenario", scenario]
    if subject.reference.measured_on is not None:
        if report.base is not None:
            words += ["--base", report.base]
        else:
            words += ["--old-lock", subject.reference.measured_on]
            words += ["--lock", subject.lock] if subject.lock is not None else []
    return shlex.join(words)
