"""`compare`: two reports, the older one as the reference. Pure."""

from collections.abc import Collection, Mapping

from failsame.attribution import attribute
from failsame.drift import Upgrade, judge, overall
from failsame.errors import UsageError
from failsame.facts import Measurement, Recorded, labelled, recorded
from failsame.gate.assemble import strongest
from failsame.gate.figures import setting_changes, verdicts
from failsame.gate.remarks import another_request, only_in_one
from failsame.observation import Call, Jitter, Observation
from failsame.pins import Change
from failsame.report.model import FoldedCalls, Reference, Report, ScenarioReport, SubjectReport, Verdict


def compare_reports(old: Report, new: Report, where: str) -> Report:
    """Judge every scenario of `new` that `old` (called `where`) has too, each as it was measured.

    Raises UsageError if they are of different suites, or have no subject in common.
    """
    if old.suite != new.suite:
        raise UsageError(
            f"one report is of suite {old.suite}, the other of suite {new.suite}: measure both with one failsame"
        )
    before = {subject.name: subject for subject in old.subjects}
    subjects = tuple(_subject(before[each.name], each, where) for each in new.subjects if each.name in before)
    if not subjects:
        raise UsageError("the two reports have no subject in common: give two reports of one project")
    drifts = [drift for subject in subjects for each in subject.scenarios for drift in each.drifts]
    return new.model_copy(
        update={
            "command": "compare",
            "verdict": strongest(subject.verdict for subject in subjects),
            "base": old.commit,
            "fingerprint": overall(drifts) if drifts else None,
            "changes": tuple(
                dict.fromkeys(change for each in subjects for change in _changes(before[each.name], each))
            ),
            "subjects": subjects,
            "notes": (*new.notes, *only_in_one(old, new)),
        }
    )


def _subject(old: SubjectReport, new: SubjectReport, where: str) -> SubjectReport:
    changes = _changes(old, new)
    known = {scenario.name: scenario for scenario in old.scenarios}
    loaded = frozenset({*old.packages, *new.packages})
    scenarios = tuple(_scenario(known.get(each.name), each, new, changes, loaded) for each in new.scenarios)
    found: list[Verdict] = [scenario.verdict for scenario in scenarios if scenario.verdict != "new"]
    if "unmeasured" in (old.verdict, new.verdict) and not found:
        found = ["unmeasured"]
    verdict = strongest([*found, *verdicts(new.budgets)])
    why = new.why or (f"it could not be measured before: {old.why}" if old.why else None)
    return new.model_copy(
        update={
            "verdict": verdict,
            # Who asks to compare two reports wants to know.
            "informational": False,
            "reference": Reference(base=where),
            "scenarios": scenarios,
            "setting_changes": setting_changes(old.settings, new.settings),
            "notes": (*new.notes, *another_request(old.fault_keys, new.fault_keys)),
            "why": why if verdict == "unmeasured" else None,
        }
    )


def _scenario(
    old: ScenarioReport | None,
    new: ScenarioReport,
    subject: SubjectReport,
    changes: tuple[Change, ...],
    loaded: Collection[str],
) -> ScenarioReport:
    if new.verdict == "unmeasured" and not new.calls:
        return new
    if old is not None and old.verdict == "unmeasured":
        return new.model_copy(update={"verdict": "unmeasured", "why": f"it could not be measured before: {old.why}"})
    reference = None if old is None else recorded_in(old)
    judgement = judge(reference, _measurement(new), Upgrade(1, subject.name, changes))
    return new.model_copy(
        update={
            "verdict": judgement.verdict,
            "before": labelled(reference) if reference is not None else {},
            "drifts": tuple(
                attribute(drift, scenario=new.name, changes=changes, loaded=loaded, runtime=subject.runtime)
                for drift in judgement.drifts
            ),
            "why": judgement.why,
        }
    )


def _changes(old: SubjectReport, new: SubjectReport) -> tuple[Change, ...]:
    """What moved of the packages that either side loaded, and of the runtime."""
    before, after = _installed(old), _installed(new)
    return tuple(
        Change(
            language=new.language,
            package=name,
            before=before.get(name),
            after=after.get(name),
            lock=new.lock or "",
        )
        for name in sorted({*before, *after})
        if before.get(name) != after.get(name)
    )


def _installed(subject: SubjectReport) -> dict[str, str]:
    runtime = dict([subject.runtime.split(" ", 1)]) if subject.runtime else {}
    return {**subject.packages, **runtime}


def recorded_in(scenario: ScenarioReport) -> Recorded:
    """What a report says that a scenario showed, as it would be recorded."""
    return recorded([_measurement(scenario)])


def _measurement(scenario: ScenarioReport) -> Measurement:
    """The measurement that a report was made of; equal neighbouring calls are all as the first of them."""
    sides: Mapping[Jitter, list[Call]] = {"low": [], "high": []}
    for folded in scenario.calls:
        for jitter, calls in sides.items():
            calls.extend([_side(folded, jitter)] * folded.times)
    low, high = (
        Observation(
            subject="",
            scenario=scenario.name,
            jitter=jitter,
            clock=scenario.clock,
            horizon=scenario.horizon,
            aligned=scenario.aligned,
            calls=tuple(calls),
        )
        for jitter, calls in sides.items()
    )
    return Measurement(low=low, high=high)


def _side(folded: FoldedCalls, jitter: Jitter) -> Call:
    call = folded.both or (folded.low if jitter == "low" else folded.high)
    if call is None:
        raise UsageError("a call in the report has neither `both` nor `low` and `high`: write it again with `--report`")
    return call
