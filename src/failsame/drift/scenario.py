"""A whole scenario against its baseline: every call at both jitters, as far as they can be compared."""

from collections.abc import Mapping
from dataclasses import dataclass, field

from failsame.drift.compare import Compared, compare_call
from failsame.facts import JITTERS, CallFacts, Recorded
from failsame.observation import NOT_MADE, Jitter

Place = tuple[int, Jitter]
"""A call (from 1) at one jitter."""

# A call that differs in one of these is followed by calls that were made or not made because of it.
_ENDINGS = frozenset({"still_waiting", "still_trying", "outcome"})


@dataclass(frozen=True)
class Contradictions:
    """What contradicts the baseline, and what could not be judged up to the horizon that was measured."""

    facts: Mapping[Place, frozenset[str]] = field(default_factory=dict)
    reach: Mapping[Place, float] = field(default_factory=dict)
    """The seconds a call would have to be watched for more than."""
    last: Mapping[Jitter, int] = field(default_factory=dict)
    """The last call that was compared; later ones, if any, are its consequence."""


def contradictions(reference: Recorded, measured: Recorded) -> Contradictions:
    """Compare a scenario with its baseline. Both have as many calls."""
    facts: dict[Place, frozenset[str]] = {}
    reach: dict[Place, float] = {}
    last: dict[Jitter, int] = {}
    for jitter in JITTERS:
        for number, (before, after) in enumerate(zip(reference.calls, measured.calls, strict=True), start=1):
            last[jitter] = number
            compared = _compare(before, after, jitter, reference, measured)
            if compared.contradicted:
                facts[number, jitter] = compared.contradicted
            if compared.reach is not None:
                reach[number, jitter] = compared.reach
            # After a call that was cut off, or whose end changed, the next ones are its consequence.
            following = (*reference.calls[number : number + 1], *measured.calls[number : number + 1])
            if any(_is_last(facts, jitter) for facts in (before, after)) or (
                compared.contradicted & _ENDINGS and any(_not_made(facts, jitter) for facts in following)
            ):
                break
    return Contradictions(facts, reach, last)


def _compare(before: CallFacts, after: CallFacts, jitter: Jitter, reference: Recorded, measured: Recorded) -> Compared:
    old = {name: both.at(jitter) for name, both in before.items()}
    new = {name: both.at(jitter) for name, both in after.items()}
    if (NOT_MADE,) in (old["outcome"], new["outcome"]):
        return Compared(frozenset({"outcome"}) if old["outcome"] != new["outcome"] else frozenset())
    return compare_call(old, new, reference.conditions, measured.conditions)


def _is_last(facts: CallFacts, jitter: Jitter) -> bool:
    cut = any(True in facts[name].at(jitter) for name in ("still_waiting", "still_trying"))
    return cut or _not_made(facts, jitter)


def _not_made(facts: CallFacts, jitter: Jitter) -> bool:
    return NOT_MADE in facts["outcome"].at(jitter)
