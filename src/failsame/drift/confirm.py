"""A drift is measured twice more; the verdict is what those two agree on, or none at all."""

from collections.abc import Mapping
from dataclasses import replace

from failsame.drift.fingerprint import Upgrade
from failsame.drift.judge import Judgement, judge
from failsame.drift.scenario import Contradictions, contradictions
from failsame.drift.shown import causes
from failsame.facts import FACTS, JITTERS, Measurement, Recorded, quoted, recorded, write_side
from failsame.observation import Jitter, Observation

Repeat = Mapping[Jitter, Observation]
"""A measurement that was repeated: at both jitters, or at the one alone that drifted."""

_MOST_NAMED = 4  # values in one line of words


def confirm(reference: Recorded, first: Measurement, repeats: tuple[Repeat, Repeat], upgrade: Upgrade) -> Judgement:
    """Give the verdict on a scenario that drifted at first.

    A jitter that was not repeated counts as it was measured at first. `confirmed` of the drifts is the number of
    measurements that agree on the new values: 3, or 2 where the first was another.
    """
    one, two = (_with(first, repeat) for repeat in repeats)
    verdicts = [judge(reference, measurement, upgrade) for measurement in (one, two)]
    if not _agree(verdicts[0], verdicts[1], one, two):
        return Judgement("unmeasured", why=_words(reference, first, one, two))
    verdict = verdicts[0]
    initial = judge(reference, first, upgrade)
    agreed = 3 if _agree(initial, verdict, first, one) else 2
    shown = initial.drifts if agreed == 3 else verdict.drifts  # noqa: PLR2004 - all of them
    return replace(
        verdict,
        drifts=tuple(drift.model_copy(update={"confirmed": agreed}) for drift in shown),
    )


def _with(first: Measurement, repeat: Repeat) -> Measurement:
    return Measurement(low=repeat.get("low", first.low), high=repeat.get("high", first.high))


def _agree(one: Judgement, two: Judgement, first: Measurement, second: Measurement) -> bool:
    """Whether two measurements say the same: with the first as the baseline, the second would be no drift."""
    if one.verdict != two.verdict:
        return False
    return one.verdict != "drift" or not _apart(first, second).facts


def _apart(one: Measurement, two: Measurement) -> Contradictions:
    return contradictions(recorded([one]), recorded([two]))


def _words(reference: Recorded, first: Measurement, one: Measurement, two: Measurement) -> str:
    sides = [recorded([measurement]) for measurement in (first, one, two)]
    found = (
        _apart(one, two).facts or contradictions(reference, sides[1]).facts or contradictions(reference, sides[2]).facts
    )
    said: dict[str, list[Jitter]] = {}
    for (call, jitter), facts in sorted(found.items(), key=lambda item: (item[0][0], JITTERS.index(item[0][1]))):
        for name in causes(facts):
            seen = [quoted(write_side(FACTS[name], side.calls[call - 1][name].at(jitter))) for side in sides]
            said.setdefault(f"{name} of call {call} was {seen[0]}, then {seen[1]}, then {seen[2]}", []).append(jitter)
    values = [words if len(at) == len(JITTERS) else f"{words} at jitter {at[0]}" for words, at in said.items()]
    more = f"; and {len(values) - _MOST_NAMED} more" if len(values) > _MOST_NAMED else ""
    return f"measured three times, and the last two do not agree: {'; '.join(values[:_MOST_NAMED])}{more}"
