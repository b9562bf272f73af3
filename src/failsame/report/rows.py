"""The rows of a subject's table: what drifted, in words, strongest first, equal rows as one."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from pydantic import JsonValue

from failsame.drift.model import Severity
from failsame.report.counts import sequence
from failsame.report.details import DETAILS, details
from failsame.report.escape import short
from failsame.report.model import ScenarioReport, SubjectReport
from failsame.report.naming import familiarity, in_cell, in_sentence, unnamed, when
from failsame.report.phrases import HOW, Phrase, Piece, apart, ending, horizon_words, phrase, phrases, runs
from failsame.report.seen import FLAGS, Calls, Facts, Sides, compared
from failsame.report.sentences import Clauses, clauses, sentence
from failsame.suite.dialects.registry import DIALECTS

_STRENGTH: tuple[Severity, ...] = ("data-lost", "never-ends", "outcome", "changed", "times", "safer")
_FEW_CALLS = 3


@dataclass(frozen=True)
class Row:
    """One row: the scenarios it holds for, and its words."""

    scenarios: tuple[str, ...]
    """The best known first."""
    when: str
    unnamed: int
    """How many of the scenarios `when` only counts."""
    before: Phrase
    after: Phrase
    sentence: str
    ends: str | None
    """`Riskier` or `Safer`, said only of a call that now ends or no longer ends, and of lost data."""
    rank: tuple[int, bool, int]
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
class Story:
    """One scenario with its words, before equal ones are merged."""

    scenario: str
    when: str
    told: _Told
    severity: Severity
    ends: str | None


def stories(subject: SubjectReport) -> tuple[Story, ...]:
    """Every scenario that drifted, one by one, in the report's order."""
    return tuple(_story(scenario) for scenario in subject.scenarios if scenario.drifts)


def rows(told: Iterable[Story], name: str, service: str) -> tuple[Row, ...]:
    """All rows of the subject `name`, strongest first; `service` is what its dialect calls the other side ("S3")."""
    merged: dict[tuple[object, ...], list[Story]] = {}
    for story in sorted(told, key=_strength):
        merged.setdefault((story.told.before, story.told.after, story.told.clauses, story.ends), []).append(story)
    return tuple(_row(equal, short(name), service) for equal in merged.values())


def every_call(calls: tuple[Calls, ...], *, horizon: str) -> Phrase:
    """Say what a scenario's calls do, without comparing: for what is unchanged, and for `measure`."""
    if not calls:
        return ()
    if any(call.after != calls[0].after for call in calls):
        same = _merged([call.after for call in calls])
        said = [*ending(same, now=True, changed=frozenset(), horizon=horizon), Piece(sequence(calls, now=True))]
    else:
        said = phrase(calls[0], horizon=horizon)
        said += [Piece("in each call")] if len(calls) > 1 else []
    return runs(said, strong=False)


def _story(scenario: ScenarioReport) -> Story:
    calls = compared(scenario)
    drifted = [call for call in calls if call.drifted]
    severities = {drift.severity for drift in scenario.drifts}
    one = len(drifted) == 1 or len(calls) <= _FEW_CALLS
    words = (_tell_one if one else _tell_many)(calls, drifted, horizon_words(scenario.horizon, scenario.clock))
    return Story(
        scenario=scenario.name,
        when=f"{when(scenario)} (call {words.drifted.number})" if one and len(calls) > 1 else when(scenario),
        told=words,
        severity=min(severities, key=_STRENGTH.index),
        ends="Riskier" if severities & {"never-ends", "data-lost"} else "Safer" if "safer" in severities else None,
    )


def _tell_one(_: tuple[Calls, ...], drifted: list[Calls], horizon: str) -> _Told:
    """The first call that drifted stands for all: there are few, and the second of two is what the fault is about."""
    call = drifted[0]
    before, after = phrases(call, horizon=horizon)
    return _Told(before, after, clauses(call, horizon=horizon), call)


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
    # A time beside so many counts makes a cell unreadable; where counts changed, the sentence says it.
    only_tries = "attempts" in call.changed and not call.changed & HOW
    before, after = (
        [
            Piece(tries[now], changed="attempts" in call.changed),
            *(() if only_tries else ending(side, now=now, changed=call.changed, horizon=horizon)),
            *(Piece(DETAILS[fact](side), changed=True) for fact in details(call.drifted)),
        ]
        for now, side in ((False, call.before), (True, call.after))
    )
    before, after = apart(call, before, after)
    counts = sequence(calls, now=False, noun=True), sequence(calls, now=True, noun=True)
    return _Told(
        runs(before, strong=False), runs(after, strong=True), clauses(call, horizon=horizon, tries=counts), call
    )


def _strength(story: Story) -> tuple[int, bool, int]:
    # Among exact facts attempts come first, among equals what every reader has met.
    return (
        _STRENGTH.index(story.severity),
        "attempts" not in story.told.drifted.changed,
        familiarity(story.scenario),
    )


def _row(equal: Sequence[Story], name: str, service: str) -> Row:
    first = equal[0]
    words = [story.when for story in equal]
    return Row(
        scenarios=tuple(story.scenario for story in equal),
        when=in_cell(words),
        unnamed=unnamed(words),
        before=first.told.before,
        after=first.told.after,
        sentence=sentence(service, in_sentence(words), name, first.told.clauses),
        rank=_strength(first),
        ends=first.ends,
        drifted=first.told.drifted,
    )


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


def service_of(subject: SubjectReport) -> str:
    """What the other side is called: `S3`; of several endpoints the first; "the service" where it has no name."""
    if subject.endpoints:
        return short(next(iter(subject.endpoints)))
    known = DIALECTS.get(subject.dialect)
    return known.service if known else "the service"
