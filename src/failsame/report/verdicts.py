"""The verdict line: what happened and what it means for the merge, as tables."""

from dataclasses import dataclass
from typing import Literal

from failsame.report.budgets import room, share, tightest
from failsame.report.choices import causes
from failsame.report.counts import count
from failsame.report.durations import duration
from failsame.report.escape import short
from failsame.report.model import Report, SubjectReport, Verdict

Alert = Literal["CAUTION", "WARNING", "NOTE"]


@dataclass(frozen=True)
class Headline:
    """The first line of a report. `alert` is None where one line says it all."""

    alert: Alert | None
    claim: str
    details: str


_CLAIMS: dict[Verdict, str] = {
    "same": "Your clients fail the same.",
    "drift": "Your clients fail differently than recorded.",
    "over-budget": "A budget of yours is broken.",
    "new": "There is no baseline yet.",
    "unmeasured": "Could not measure how your clients fail.",
}
_UNTIL: dict[Verdict, str] = {
    "same": "",
    "drift": " until someone accepts it.",
    "over-budget": " until the budget is kept or changed.",
    "new": " until it is recorded.",
    "unmeasured": ": what was not measured is never green.",
}
_SAYS_SO: dict[bool, tuple[str, str]] = {
    True: ("The merge is blocked", "The mode is warn: the merge is not blocked."),
    False: ("The check fails", "The mode is warn: the check does not fail."),
}
"""Whether it is read where something is merged -> what the verdict does, and what it does not in `mode: warn`."""
_COUNTED: dict[Verdict, tuple[str, str]] = {
    "drift": ("behaves differently when its service is down", "behave differently when their service is down"),
    "over-budget": ("breaks its budget", "break their budgets"),
    "new": ("is not recorded", "are not recorded"),
    "unmeasured": ("could not be measured", "could not be measured"),
}


NOBODY = "No client was found here that failsame could ask: `failsame init` looks for one, or says how to name yours."
"""What is said where there is no subject, and none was recorded."""


def headline(report: Report, *, merging: bool = False) -> Headline:
    """Make the verdict line of a report; `merging` if it is read where the verdict holds up a merge."""
    if report.verdict == "same" and report.unguarded:
        found = _measured(report) if report.subjects else "No client is left that failsame could ask."
        return Headline("WARNING", "Less is guarded than was recorded.", f"{found} This blocks nothing.")
    if not report.subjects and report.verdict == "same":
        return Headline(None, "Nothing to measure.", NOBODY)
    if report.command in {"measure", "record"} and report.verdict != "unmeasured":
        done = "Measured" if report.command == "measure" else "Recorded"
        return Headline(None, f"{done} how your clients fail.", _measured(report))
    informed = [subject for subject in report.subjects if subject.informational and subject.verdict != "same"]
    if report.verdict == "same":
        if not informed:
            return _same(report)
        return Headline(
            "NOTE",
            _informed(report, informed),
            f"{_counts(report)} This is for information and blocks nothing: nobody has recorded it yet.",
        )
    return Headline(
        "WARNING" if report.mode == "warn" or report.verdict == "new" else "CAUTION",
        _claim(report, report.verdict),
        " ".join(filter(None, (_counts(report), _consequence(report, merging)))),
    )


def _informed(report: Report, subjects: list[SubjectReport]) -> str:
    """The strongest of what is told for information."""
    if _having(subjects, "drift"):
        return _claim(report, "drift")
    return "Not everything could be measured." if _having(subjects, "unmeasured") else _CLAIMS["new"]


def _same(report: Report) -> Headline:
    budgets = [budget for subject in report.subjects for budget in subject.budgets]
    broken = [budget for budget in budgets if budget.verdict == "broken"]
    unknown = [budget for budget in budgets if budget.verdict == "unmeasured"]
    if broken or unknown:  # of those that only should hold
        what = "is broken" if len(broken) == 1 else "are broken" if broken else "could not be judged"
        number = count(len(broken or unknown), "budget")
        claim = f"Your clients fail the same, but {number} that should be kept {what}."
        return Headline("WARNING", claim, f"{_measured(report)} This blocks nothing.")
    return Headline(None, _CLAIMS["same"], " ".join(filter(None, (_measured(report), _kept(report)))))


def _kept(report: Report) -> str:
    """Say that all budgets are kept, and how much is left of the tightest."""
    kept = sum(budget.verdict == "kept" for subject in report.subjects for budget in subject.budgets)
    tight = [budget for budget in map(tightest, report.subjects) if budget is not None]
    if not kept or not tight:
        return ""
    first = min(tight, key=share)
    room_left = f"{room(first)} ({short(first.rule)})"
    return (
        f"{count(kept, 'budget is', 'budgets are')} kept, {'with' if kept == 1 else 'the tightest with'} {room_left}."
    )


def _claim(report: Report, verdict: Verdict) -> str:
    if verdict != "drift":
        return _CLAIMS[verdict]
    drifted = [subject for subject in report.subjects if any(scenario.drifts for scenario in subject.scenarios)]
    drifts = [drift for subject in drifted for scenario in subject.scenarios for drift in scenario.drifts]
    # A call that returns as if all were well is the one that nobody notices.
    lost = any(drift.severity == "data-lost" for drift in drifts)
    if report.command == "compare":
        return "One of these clients now loses data without an error." if lost else "These clients fail differently."
    likeliest = [(subject, change) for subject in drifted for change in causes(subject, report.changes)[:1]]
    if any(change not in subject.earlier for subject, change in likeliest):
        return (
            f"This upgrade {'makes a client lose data without an error' if lost else 'changes how your clients fail'}."
        )
    if not likeliest and any(subject.edited for subject in drifted):
        what = "a client lose data without an error" if lost else "your clients fail differently"
        return f"Your own change makes {what}."
    return "A client of yours now loses data without an error." if lost else _CLAIMS["drift"]


def _consequence(report: Report, merging: bool) -> str:
    if report.command == "compare":
        return ""
    does, does_not = _SAYS_SO[merging]
    # The mode turns a red result of a comparison green, never a failure to measure.
    if report.mode == "warn" and report.verdict != "unmeasured":
        return does_not
    return f"{does}{_UNTIL[report.verdict]}"


def _counts(report: Report) -> str:
    total = len(report.subjects)
    parts = []
    for verdict, (one, many) in _COUNTED.items():
        number = len(_having(list(report.subjects), verdict))
        if number:
            who = f"{number} of {total} subjects" if total > 1 else short(report.subjects[0].name)
            parts.append(f"{who} {one if number == 1 else many}")
    return f"{'; '.join(parts)}." if parts else ""


def _having(subjects: list[SubjectReport], verdict: Verdict) -> list[SubjectReport]:
    return [subject for subject in subjects if subject.verdict == verdict]


def _measured(report: Report) -> str:
    scenarios = sum(len(subject.scenarios) for subject in report.subjects)
    clock = "real time" if report.clock == "real" else "skipped time"
    return (
        f"{count(len(report.subjects), 'subject')}, {count(scenarios, 'scenario')}, "
        f"each call watched for up to {duration(report.horizon)} of {clock}."
    )
