"""Some facts of a call laid over all of another's, and what has to follow from them.

Whoever writes a coming file by hand writes what differs, as it would stand in a baseline: `attempts` alone, where a
client that is never answered tries once instead of three times. The two waits of before are then waits of nothing,
and no key can have been kept over a single attempt.
"""

from collections.abc import Callable, Mapping

from failsame.facts.calls import JITTERS, CallFacts
from failsame.facts.jitters import PerJitter
from failsame.facts.table import FACTS, Alternatives
from failsame.observation import Jitter

Side = Mapping[str, Alternatives]
"""The facts of a call at one jitter."""


def laid_over(facts: CallFacts, over: CallFacts) -> CallFacts:
    """Replace the facts that are in `over`; one that cannot stay beside them gets its usual value."""
    sides: dict[Jitter, Side] = {jitter: _side(_at(facts, jitter), _at(over, jitter)) for jitter in JITTERS}
    return {name: PerJitter(sides["low"][name], sides["high"][name]) for name in FACTS}


def _at(facts: CallFacts, jitter: Jitter) -> Side:
    return {name: both.at(jitter) for name, both in facts.items()}


def _side(before: Side, over: Side) -> Side:
    now = {**before, **over}
    for name, stays in _STAYS.items():
        default = FACTS[name].default
        if name not in over and default is not None and not stays(before, now):
            now[name] = default(now)
    return now


def _ends(before: Side, now: Side) -> bool:
    """A call that is cut off now, and was not, has no outcome and no time."""
    return not any(now[flag] == (True,) != before[flag] for flag in _CUT)


def _as_often(before: Side, now: Side) -> bool:
    return now["attempts"] == before["attempts"]


def _retried(before: Side, now: Side) -> bool:
    return _as_often(before, now) or any(isinstance(count, int) and count > 1 for count in now["attempts"])


def _between_attempts(before: Side, now: Side) -> bool:
    """There is one wait fewer than attempts."""
    lengths = {len(waits) for waits in now["waits"] if isinstance(waits, tuple)}
    retries = {max(count - 1, 0) for count in now["attempts"] if isinstance(count, int)}
    return _as_often(before, now) or lengths == retries


def _told_by_nothing(before: Side, now: Side) -> bool:
    """As in a baseline, starts that are not there are told by the waits."""
    return _as_often(before, now) and now["waits"] == before["waits"]


_CUT = ("still_waiting", "still_trying")

# In an order in which each rests on those before it alone.
_STAYS: Mapping[str, Callable[[Side, Side], bool]] = {
    "outcome": _ends,
    "give_up": _ends,
    "key_kept": _retried,
    "waits": _between_attempts,
    "starts": _told_by_nothing,
    "lasted": _as_often,
}
"""A fact, and whether its value of before can stay: by the facts of before, and those of now."""
