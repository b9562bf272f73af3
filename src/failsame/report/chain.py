"""Which of several endpoints a call asked, one after the other, and when: in words."""

from itertools import groupby, zip_longest

from failsame.report.counts import count
from failsame.report.durations import between, duration
from failsame.report.escape import short
from failsame.report.seen import Facts

_AT_ONCE = 0.05
"""Below the slack of times."""
_FEW = 6


def asked(facts: Facts) -> str:
    """Name the endpoints in the order of asking: `primary from 0 to 60 s, then fallback from 60 to 180 s`.

    At jitter high; nothing for a subject with one endpoint.
    """
    lists = [value for value in facts.values.get("endpoints", ((), ()))[1] if isinstance(value, list)]
    names = lists[0] if lists else []
    attempts = list(zip_longest(names, facts.sequence("starts", 1), facts.sequence("lasted", 1)))[: len(names)]
    turns = [(str(name), list(turn)) for name, turn in groupby(attempts, key=lambda attempt: attempt[0])]
    said = [
        " ".join(filter(None, (short(name), _times(len(turn)), _when([(at, lasted) for _, at, lasted in turn]))))
        for name, turn in turns
    ]
    more = [f"and {count(len(said) - _FEW, 'more turn')}"] if len(said) > _FEW + 1 else []
    return ", then ".join([*said[:_FEW], *more] if more else said)


def _times(attempts: int) -> str:
    return "" if attempts == 1 else f"{attempts:,} times"


def _when(turn: list[tuple[float | None, float | None]]) -> str:
    """From the start of the first attempt to the end of the last."""
    (first, _), (last, lasted) = turn[0], turn[-1]
    if first is None or last is None:
        return ""
    if lasted is None:
        return f"from {duration(first)} on"
    end = last + lasted
    if end - first >= _AT_ONCE:
        return f"from {between([first, end])}"
    return f"at {duration(first)}" if first >= _AT_ONCE else ""
