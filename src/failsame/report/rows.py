"""The rows of a subject's table: what drifted, in words, strongest first, equal rows as one."""

import re
from collections.abc import Iterable
from dataclasses import dataclass

from pydantic import JsonValue

from failsame.drift.model import Severity
from failsame.report.escape import short
from failsame.report.model import ScenarioReport, SubjectReport
from failsame.report.phrases import DETAILS, Phrase, Piece, details, ending, horizon_words, phrase, runs, sequence
from failsame.report.seen import FLAGS, Calls, Facts, Sides, compared
from failsame.report.sentences import Clauses, clauses, sentence
from failsame.suite.dialects.registry import DIALECTS
from failsame.suite.scenarios import SCENARIOS

_STRENGTH: tuple[Severity, ...] = ("never-ends", "data-lost", "outcome", "changed", "times", "safer")
_ANSWERS = re.compile(r"answers (\d{3})")
_FEW_CALLS = 3


@dataclass(frozen=True)
class Row:
    """One row: the scenarios it holds for, and its words."""

    scenarios: tuple[str, ...]
    when: str
    before: Phrase
    after: Phrase
    sentence: str
    ends: str | None
    """`Riskier` or `Safer`, said only of a call that now ends or no longer ends, and of lost data."""
    rank: tuple[int, bool]
    """The smaller, the stronger."""
    drifted: Calls
    """The first call that drifted, for the picture of its attempts."""


@dataclass(frozen=True)
class _Told:
    """What drifted in one scenario, in words."""

    before: Phrase
    after: Phrase
    clauses: Clauses
    drifted: Calls


@dataclass(frozen=True)
class _Story:
    """One scenario with its words, before equal ones are merged."""

    scenario: str
    when: str
    told: _Told
    severity: Severity
    ends: str | None


def when(scenario: ScenarioReport) -> str:
    """Complete "when the service …": in the suite's words, or in those of an own scenario."""
    known = SCENARIOS.get(scenario.name)
    return short(scenario.when or (known.when if known else f"goes through {scenario.name}"), 120)


def rows(subject: SubjectReport, service: str) -> tuple[Row, ...]:
    """All rows of a subject, strongest first; `service` is what its dialect calls the other side ("S3")."""
    stories = [_story(scenario) for scenario in subject.scenarios if scenario.drifts]
    merged: dict[tuple[object, ...], list[_Story]] = {}
    for story in sorted(stories, key=_strength):
        merged.setdefault((story.told.before, story.told.after, story.told.clauses, story.ends), []).append(story)
    return tuple(_row(equal, short(subject.name), service) for equal in merged.values())


def every_call(calls: tuple[Calls, ...], *, horizon: str) -> Phrase:
    """Say what a scenario's calls do, without comparing: for what is unchanged, and for `measure`."""
    if not calls:
        return ()
    if any(call.after != calls[0].after for call in calls):
        same = _merged([call.after for call in calls])
        said = [*ending(same, now=True, changed=frozenset(), horizon=horizon), Piece(sequence(calls, now=True))]
    else:
        said = [Piece(run.text) for run in phrase(calls[0], now=True, horizon=horizon)]
        said += [Piece("in each call")] if len(calls) > 1 else []
    return runs(said, strong=False)


def _story(scenario: ScenarioReport) -> _Story:
    calls = compared(scenario)
    drifted = [call for call in calls if call.drifted]
    severities = {drift.severity for drift in scenario.drifts}
    one = len(drifted) == 1 or len(calls) <= _FEW_CALLS
    words = (_tell_one if one else _tell_many)(calls, drifted, horizon_words(scenario.horizon, scenario.clock))
    return _Story(
        scenario=scenario.name,
        when=f"{when(scenario)} (call {words.drifted.number})" if one and len(calls) > 1 else when(scenario),
        told=words,
        severity=min(severities, key=_STRENGTH.index),
        ends="Riskier" if severities & {"never-ends", "data-lost"} else "Safer" if "safer" in severities else None,
    )


def _tell_one(_: tuple[Calls, ...], drifted: list[Calls], horizon: str) -> _Told:
    """The first call that drifted stands for all: there are few, and the second of two is what the fault is about."""
    call = drifted[0]
    return _Told(
        before=phrase(call, now=False, horizon=horizon),
        after=phrase(call, now=True, horizon=horizon),
        clauses=clauses(call, horizon=horizon),
        drifted=call,
    )


def _tell_many(calls: tuple[Calls, ...], drifted: list[Calls], horizon: str) -> _Told:
    """How often each of all calls was tried, and what those that drifted have in common."""
    call = Calls(
        number=drifted[0].number,
        before=_merged([one.before for one in drifted]),
        after=_merged([one.after for one in drifted]),
        drifted=frozenset[str]().union(*(one.drifted for one in drifted)),
        changed=frozenset[str]().union(*(one.changed for one in drifted)),
    )
    tries = sequence(calls, now=False), sequence(calls, now=True)
    before, after = (
        runs(
            [
                Piece(tries[now], changed="attempts" in call.changed),
                *ending(side, now=now, changed=call.changed, horizon=horizon),
                *(Piece(DETAILS[fact](side), changed=True) for fact in details(call.drifted)),
            ],
            strong=now,
        )
        for now, side in ((False, call.before), (True, call.after))
    )
    counts = sequence(calls, now=False, noun=True), sequence(calls, now=True, noun=True)
    return _Told(before, after, clauses(call, horizon=horizon, tries=counts), call)


def _strength(story: _Story) -> tuple[int, bool]:
    # Among exact facts attempts come first; `sorted` keeps the suite's order where nothing else tells.
    return _STRENGTH.index(story.severity), "attempts" not in story.told.drifted.changed


def _row(equal: list[_Story], name: str, service: str) -> Row:
    first = equal[0]
    words = _merged_when([story.when for story in equal])
    return Row(
        scenarios=tuple(story.scenario for story in equal),
        when=words,
        before=first.told.before,
        after=first.told.after,
        sentence=sentence(service, words, name, first.told.clauses),
        rank=_strength(first),
        ends=first.ends,
        drifted=first.told.drifted,
    )


def _merged_when(words: list[str]) -> str:
    """`answers 500, 502 or 503, refuses connections or throttles`."""
    statuses = [match[1] for word in words if (match := _ANSWERS.fullmatch(word))]
    others = [word for word in words if not _ANSWERS.fullmatch(word)]
    return _or([*([f"answers {_or(statuses)}"] if statuses else []), *others])


def _or(words: list[str]) -> str:
    return " or ".join([", ".join(words[:-1]), words[-1]] if len(words) > 1 else words)


def _merged(calls: list[Facts]) -> Facts:
    """Several calls as one: all their numbers and outcomes, and of what is longer the first."""
    merged: dict[str, Sides] = dict(calls[0].values)
    for fact in ("attempts", "give_up", "connections", "late_attempts", "outcome", *FLAGS):
        sides = [one.values.get(fact, ((), ())) for one in calls]
        merged[fact] = _distinct(low for low, _ in sides), _distinct(high for _, high in sides)
    return Facts(merged, calls[0].digits)


def _distinct(values: Iterable[tuple[JsonValue, ...]]) -> tuple[JsonValue, ...]:
    plain = (value for several in values for value in several if not isinstance(value, list | dict))
    return tuple(dict.fromkeys(plain))


def service_of(dialect: str) -> str:
    """What a dialect calls the other side: `S3`; "the service" where it has no name."""
    known = DIALECTS.get(dialect)
    return known.service if known else "the service"
