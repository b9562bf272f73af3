"""What a report's verdict does not cover, and its reader must not miss. Pure."""

from collections.abc import Collection, Iterable, Iterator, Mapping

from failsame.report.model import Report, SubjectReport, Verdict

_SHOWN = 8

_CONTROL = "healthy"


def not_recorded(subjects: Iterable[SubjectReport]) -> Iterator[str]:
    """Name the scenarios that a baseline does not have: they fail nothing, and nothing guards them."""
    for subject in subjects:
        names = [scenario.name for scenario in subject.scenarios if scenario.verdict == "new"]
        if names and subject.verdict != "new" and not subject.informational:
            yield (
                f"{subject.name} is not compared in {_listed(names)}, not recorded yet: "
                f"run `failsame record --subject {subject.name}`"
            )


def nothing_recorded(verdicts: Mapping[str, Verdict]) -> bool:
    """Whether scenarios ran, and the baseline holds none of them but `healthy`: then nothing was compared."""
    ran = {name: verdict for name, verdict in verdicts.items() if name != _CONTROL}
    return bool(ran) and all(verdict == "new" for verdict in ran.values())


def run_no_more(subjects: Iterable[SubjectReport], recorded: Mapping[str, Collection[str]]) -> Iterator[str]:
    """Name the recorded subjects that did not run, and the recorded scenarios that one does not run any more.

    What could not be measured, or is left out for a reason that the report gives, is none of these.
    """
    ran = {subject.name: subject for subject in subjects}
    for name, scenarios in recorded.items():
        subject = ran.get(name)
        if subject is None:
            yield f"{name} is recorded, and is not asked any more"
        elif subject.scenarios:
            told = {*_measured(subject), *(left.scenario for left in subject.left_out)}
            if gone := [scenario for scenario in scenarios if scenario not in told]:
                yield f"{name} is recorded in {_listed(gone)}, and does not run that any more"


def passed_over(subjects: Iterable[SubjectReport], asked: Collection[str]) -> Iterator[str]:
    """Name the subjects that run nothing of what the command line asked for, and why."""
    for subject in subjects:
        ran = {scenario.name for scenario in subject.scenarios} - {_CONTROL}
        if asked and _CONTROL not in asked and not ran and subject.left_out:
            left = subject.left_out[0]
            yield f"{subject.name} runs nothing of what was asked for: {left.scenario} is left out ({left.why})"


def another_request(before: Mapping[str, str], now: Mapping[str, str]) -> Iterator[str]:
    """Name the endpoints at which another request is broken than in the reference, which was made no more."""
    for endpoint, key in now.items():
        if before.get(endpoint, key) != key:
            gone = f"{before[endpoint]} was broken before, which is not asked for now"
            yield f"at {endpoint} {gone}: {key} is broken instead"


def only_in_one(old: Report, new: Report) -> Iterator[str]:
    """Name what only one of two reports holds, and cannot be compared."""
    before = {subject.name: _measured(subject) for subject in old.subjects}
    after = {subject.name: _measured(subject) for subject in new.subjects}
    for one, other, which in ((before, after, "old"), (after, before, "new")):
        for name, scenarios in one.items():
            if name not in other:
                yield f"{name} is only in the {which} report"
            elif alone := [each for each in scenarios if each not in other[name]]:
                yield f"{name}: only in the {which} report are {_listed(alone)}"


def _measured(subject: SubjectReport) -> list[str]:
    return [scenario.name for scenario in subject.scenarios]


def _listed(names: list[str]) -> str:
    more = f" and {len(names) - _SHOWN} more" if len(names) > _SHOWN else ""
    return f"{', '.join(names[:_SHOWN])}{more}"
