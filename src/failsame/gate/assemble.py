"""What was measured and judged, as a report. Pure."""

from collections.abc import Iterable, Mapping
from types import MappingProxyType

from failsame import __version__
from failsame.budgets import Costs, Setting
from failsame.config import Subject
from failsame.drift import Judgement, overall
from failsame.errors import ExitCode, worst
from failsame.facts import Measurement, Recorded, fold, labelled, recorded, same_facts
from failsame.gate.budgets import Held
from failsame.gate.compare import Compared
from failsame.gate.figures import budget_reports, cost_reports, setting_changes, verdicts
from failsame.gate.plan import Plan
from failsame.gate.prepare import Ready, Workshop
from failsame.gate.remarks import another_request, passed_over
from failsame.observation import Call, ClockName
from failsame.pins import Change
from failsame.report.model import (
    BudgetReport,
    Command,
    FoldedCalls,
    LeftOut,
    Reference,
    Report,
    ScenarioReport,
    SubjectReport,
    Verdict,
)
from failsame.suite import SCENARIOS, SUITE, Scenario
from failsame.words import quoted

_STRONGEST: tuple[Verdict, ...] = ("drift", "over-budget", "new", "unmeasured", "same")


def strongest(verdicts: Iterable[Verdict]) -> Verdict:
    """Of several verdicts the one that decides; `same` if there are none."""
    return min(verdicts, key=_STRONGEST.index, default="same")


def scenario_report(
    scenario: Scenario, measurement: Measurement, judgement: Judgement, before: Recorded | None
) -> ScenarioReport:
    """One scenario: its calls, what it was compared with, and what contradicts that."""
    conditions = measurement.conditions
    return ScenarioReport(
        name=scenario.name,
        when=None if scenario.name in SCENARIOS else scenario.when,
        verdict=judgement.verdict,
        clock=conditions.clock,
        horizon=conditions.horizon,
        clock_note=measurement.low.clock_note or measurement.high.clock_note,
        aligned=conditions.aligned,
        calls=_folded(measurement),
        before=labelled(before) if before is not None else {},
        drifts=judgement.drifts,
        why=judgement.why,
        notes=tuple(dict.fromkeys((*measurement.low.notes, *measurement.high.notes))),
    )


def _folded(measurement: Measurement) -> tuple[FoldedCalls, ...]:
    """Equal neighbouring calls once; low and high once where they are equal."""
    conditions = measurement.conditions
    pairs = list(zip(measurement.low.calls, measurement.high.calls, strict=True))
    facts = recorded([measurement]).calls
    runs = fold(enumerate(facts, start=1), lambda one, two: same_facts(one, two, conditions))
    return tuple(_one(pairs[run.first - 1], run.last - run.first + 1, measurement) for run in runs)


def _one(pair: tuple[Call, Call], times: int, measurement: Measurement) -> FoldedCalls:
    low, high = pair
    sides = [
        recorded([Measurement(low=seen, high=seen)]).calls[0]
        for seen in (measurement.low.model_copy(update={"calls": (call,)}) for call in pair)
    ]
    if same_facts(sides[0], sides[1], measurement.conditions):
        return FoldedCalls(both=low, times=times)
    return FoldedCalls(low=low, high=high, times=times)


def failed_report(subject: Subject, why: str, *, informational: bool = False) -> SubjectReport:
    """A subject of which nothing could be measured."""
    return SubjectReport(
        name=subject.name,
        origin=subject.origin,
        language=subject.language,
        dialect=subject.dialect,
        endpoints=subject.endpoints if len(subject.endpoints) > 1 else {},
        verdict="unmeasured",
        informational=informational,
        why=why,
        lock=subject.lock.name,
    )


def subject_report(
    ready: Ready,
    compared: Compared,
    reference: Reference,
    *,
    lock: str,
    edited: tuple[str, ...] | None = None,
    earlier: tuple[Change, ...] = (),
    informational: bool = False,
    why_new: str | None = None,
    settings_before: Mapping[str, Setting] = MappingProxyType({}),
    keys_before: Mapping[str, str] = MappingProxyType({}),
    kept: Iterable[Held] = (),
    spent: Iterable[Costs] = (),
) -> SubjectReport:
    """A subject that was measured; `why_new` says what to do about one that has no baseline."""
    budgets = budget_reports(kept)
    chosen = {scenario.name: scenario for scenario in ready.selection.chosen}
    scenarios = tuple(
        scenario_report(scenario, compared.measurements[name], compared.judgements[name], compared.reference.get(name))
        for name, scenario in chosen.items()
        if name in compared.measurements
    ) + tuple(
        ScenarioReport(name=name, verdict="unmeasured", clock=_clock(compared), horizon=0, why=judgement.why)
        for name, judgement in compared.judgements.items()
        if name not in compared.measurements
    )
    # A scenario that is not recorded yet fails nothing, as long as its subject has a baseline.
    found: list[Verdict] = [each.verdict for each in scenarios if each.verdict != "new"]
    side_calls = {
        call for each in compared.measurements.values() for call in (*each.low.side_calls, *each.high.side_calls)
    }
    return SubjectReport(
        name=ready.subject.name,
        origin=ready.subject.origin,
        language=ready.subject.language,
        dialect=ready.subject.dialect,
        endpoints=ready.subject.endpoints if len(ready.subject.endpoints) > 1 else {},
        verdict="new" if why_new else strongest([*found, *verdicts(budgets)]),
        informational=informational,
        runtime=ready.environment.runtime,
        isolation="fresh" if compared.why_fresh else "fork",
        isolation_note=compared.why_fresh,
        packages=ready.packages,
        settings=ready.healthy.settings,
        setting_changes=setting_changes(settings_before, ready.healthy.settings),
        fault_keys=ready.healthy.fault_keys,
        reference=reference,
        scenarios=scenarios,
        left_out=tuple(LeftOut(scenario=name, why=why) for name, why in ready.selection.left_out.items()),
        side_calls=tuple(sorted(side_calls)),
        notes=(
            *ready.notes,
            *(
                f"nothing brought it to ask {name}: neither refused connections, 500 nor silence before it"
                for name in ready.healthy.never_called
            ),
            *another_request(keys_before, ready.healthy.fault_keys),
        ),
        budgets=budgets,
        costs=cost_reports(spent),
        why=why_new,
        lock=lock,
        edited=edited,
        earlier=earlier,
    )


def _clock(compared: Compared) -> ClockName:
    return next((each.conditions.clock for each in compared.measurements.values()), "real")


def report(
    plan: Plan, subjects: Iterable[SubjectReport], shop: Workshop, *, command: Command, notes: Iterable[str] = ()
) -> Report:
    """The whole run."""
    all_subjects = tuple(subjects)
    drifts = [d for subject in all_subjects for scenario in subject.scenarios for d in scenario.drifts]
    return Report(
        suite=SUITE,
        failsame=__version__,
        command=command,
        mode=plan.mode,
        verdict=strongest(deciding(all_subjects)),
        commit=plan.commit,
        base=plan.base,
        clock=shop.places.clock,
        horizon=shop.horizon,
        fingerprint=overall(drifts) if drifts else None,
        changes=plan.all_changes,
        subjects=all_subjects,
        notes=(
            *plan.notes,
            *([shop.note] if shop.note else []),
            *notes,
            *passed_over(all_subjects, plan.named),
        ),
    )


def deciding(subjects: tuple[SubjectReport, ...]) -> list[Verdict]:
    """The verdicts that count: those found by themselves only inform, unless nothing at all could be measured."""
    verdicts: list[Verdict] = [subject.verdict for subject in subjects if not subject.informational]
    if subjects and all(subject.verdict == "unmeasured" for subject in subjects):
        verdicts.append("unmeasured")
    return verdicts


def not_measured(done: Report) -> dict[str, str]:
    """Each subject that could not be measured, or not wholly, and why, in one line."""
    found: dict[str, str] = {}
    for subject in done.subjects:
        missing = [each for each in subject.scenarios if each.verdict == "unmeasured"]
        if subject.verdict == "unmeasured" and subject.why:
            found[subject.name] = subject.why
        elif missing:
            more = f" (and {len(missing) - 1} more)" if len(missing) > 1 else ""
            found[subject.name] = f"{missing[0].name}{more}: {missing[0].why}"
        elif unknown := [each for each in _judging(done, subject) if each.verdict == "unmeasured"]:
            found[subject.name] = f"the budget {quoted(unknown[0].rule)}: {unknown[0].why}"
    return found


def _judging(done: Report, subject: SubjectReport) -> tuple[BudgetReport, ...]:
    """The budgets that count: `measure` only tells them."""
    return () if done.command == "measure" else subject.budgets


_EXIT: Mapping[Verdict, ExitCode] = {
    "same": ExitCode.SAME,
    "drift": ExitCode.DRIFT,
    "over-budget": ExitCode.DRIFT,
    "new": ExitCode.DRIFT,
    "unmeasured": ExitCode.UNMEASURED,
}


def exit_code(done: Report) -> ExitCode:
    """What the command leaves with; `mode: warn` turns 1 into 0, never 3."""
    codes = [_EXIT[verdict] for verdict in deciding(done.subjects)]
    # A subject that drifted may also have scenarios and budgets that could not be measured.
    red = [each for each in done.subjects if not each.informational]
    unmeasured = any(s.verdict == "unmeasured" for each in red for s in each.scenarios)
    unmeasured |= any("unmeasured" in verdicts(_judging(done, each)) for each in red)
    codes += [ExitCode.UNMEASURED] if unmeasured else []
    if done.mode == "warn":
        codes = [code for code in codes if code is not ExitCode.DRIFT]
    return worst(codes)
