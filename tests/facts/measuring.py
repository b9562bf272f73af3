"""How the facts are measured: with failsame's own code, once for all tests, by one clock."""

import asyncio
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from failsame.clock import real, skipped
from failsame.facts import Conditions
from failsame.gate import Options, Timing, locked, plan, run_measure
from failsame.gate.prepare import Ready, Workshop, prepare
from failsame.gate.workshop import workshop
from failsame.observation import Call, Jitter, Observation
from failsame.report import Report
from failsame.report.model import ScenarioReport, SubjectReport
from failsame.suite import Scenario
from failsame.trial import session

TIMING = Timing("skip")
"""The clock of all facts: a busy machine does not show in skipped time, and half-hour give-ups end in it. With
`Timing("real")` the same rows hold as far as 33 s show them, on an idle machine."""
HORIZON = {"real": real.REAL_HORIZON, "skip": skipped.HORIZON}[TIMING.clock]
"""Seconds a call may last by that clock."""


class Unwatched:
    """Nobody looks at the progress of a test."""

    def step(self, subject: str, what: str) -> None: ...
    def expect(self, subject: str, trials: int) -> None: ...
    def done(self, subject: str, trial: str) -> None: ...
    def finished(self, subject: str, verdict: str) -> None: ...


def measure_all(project: Path) -> Report:
    """What `failsame measure` makes of the project."""
    return asyncio.run(run_measure(plan(Options(folder=project)), TIMING, Unwatched()))


@dataclass(frozen=True)
class Asked:
    """A trial to run: a subject of the project, with variables of its own, through a scenario."""

    subject: str
    scenario: Scenario
    jitter: Jitter = "high"
    variables: tuple[tuple[str, str], ...] = ()


def observe(project: Path, asked: Sequence[Asked], times: int) -> list[list[Observation]]:
    """Each trial so many times, all at once, as it was seen: a report folds what is equal within the slack."""
    return asyncio.run(_observe(project, asked, times))


async def _observe(project: Path, asked: Sequence[Asked], times: int) -> list[list[Observation]]:
    names = tuple(dict.fromkeys(each.subject for each in asked))
    setups = dict.fromkeys((each.subject, each.variables) for each in asked)
    async with workshop(plan(Options(folder=project, subjects=names)), TIMING, Unwatched()) as shop:
        found = await asyncio.gather(
            *(
                _observe_one_setup(shop, [each for each in asked if (each.subject, each.variables) == setup], times)
                for setup in setups
            )
        )
    by_setup = {setup: iter(each) for setup, each in zip(setups, found, strict=True)}
    return [next(by_setup[each.subject, each.variables]) for each in asked]


async def _observe_one_setup(shop: Workshop, asked: Sequence[Asked], times: int) -> list[list[Observation]]:
    (subject,) = (each for each in shop.plan.subjects if each.name == asked[0].subject)
    subject = replace(subject, env={**subject.env, **dict(asked[0].variables)})
    ready = await prepare(subject, locked(subject.lock, shop.plan.folder), shop)
    assert isinstance(ready, Ready), ready
    wanted = [each for each in asked for _ in range(times)]
    async with session(ready.target, ready.healthy, shop.places, len(wanted)) as trials:
        seen = await asyncio.gather(*(trials.observe(each.scenario, each.jitter, shop.horizon) for each in wanted))
    return [seen[start : start + times] for start in range(0, len(seen), times)]


@dataclass(frozen=True)
class Seen:
    """One call at one jitter, and how it was measured."""

    call: Call
    conditions: Conditions

    def times_match(self, seen: float | None, expected: float) -> bool:
        """Whether a time is the expected one within the clock's slack."""
        return seen is not None and abs(seen - expected) <= self.conditions.slack.at(expected)

    def begins_before_the_horizon(self, expected: float) -> bool:
        """Whether something expected then is seen for sure."""
        return expected + self.conditions.slack.at(expected) < self.conditions.horizon


def subject_of(report: Report, name: str) -> SubjectReport:
    """The only subject of that name, which was measured."""
    (subject,) = (each for each in report.subjects if each.name == name)
    assert subject.why is None, subject.why
    return subject


def scenario_of(report: Report, subject: str, scenario: str) -> ScenarioReport | None:
    """A scenario as it was measured; None if it needs skipped time and there was none."""
    of = subject_of(report, subject)
    found = [each for each in of.scenarios if each.name == scenario]
    if not found:
        assert (report.clock, {each.scenario: each.why for each in of.left_out}[scenario]) == (
            "real",
            "needs skipped time",
        )
        return None
    assert found[0].why is None, found[0].why
    return found[0]


def sides(scenario: ScenarioReport) -> Iterator[dict[Jitter, Seen]]:
    """Every call of a scenario at both jitters."""
    conditions = Conditions(scenario.clock, scenario.horizon, scenario.aligned)
    for folded in scenario.calls:
        low, high = folded.both or folded.low, folded.both or folded.high
        assert low is not None
        assert high is not None
        for _ in range(folded.times):
            yield {"low": Seen(low, conditions), "high": Seen(high, conditions)}
