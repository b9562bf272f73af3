"""Which of several endpoints a call asked, one after the other, and when: in words."""

from collections.abc import Sequence
from itertools import groupby, zip_longest

from pydantic import JsonValue

from failsame.report.counts import count
from failsame.report.durations import SLACK, between, duration
from failsame.report.escape import short
from failsame.report.naming import either
from failsame.report.seen import Facts

_FEW = 6

_Attempt = tuple[JsonValue, float | None, float | None]
"""Whom it asked, when it began, and how long it lasted."""


def asked(facts: Facts) -> str:
    """Name the endpoints in the order of asking: `primary from 0 to 60 s, then fallback from 60 to 180 s`.

    At jitter high; without times where the order varied when it was recorded; nothing for a subject with one endpoint.
    """
    orders = [value for value in facts.values.get("endpoints", ((), ()))[1] if isinstance(value, list)]
    if len(orders) > 1:
        return either([_told([(name, None, None) for name in order]) for order in orders[:_FEW]])
    times = facts.sequence("starts", 1), facts.sequence("lasted", 1)
    return "".join(_told(list(zip_longest(order, *times))[: len(order)]) for order in orders)


def _told(attempts: Sequence[_Attempt]) -> str:
    turns = [list(turn) for _, turn in groupby(attempts, key=lambda attempt: attempt[0])]
    said = [" ".join(filter(None, (short(str(turn[0][0])), _times(len(turn)), _when(turn)))) for turn in turns]
    more = len(said) - _FEW
    return f"{', then '.join(said[:_FEW])}, and {count(more, 'more turn')}" if more > 1 else ", then ".join(said)


def _times(attempts: int) -> str:
    return "" if attempts == 1 else f"{attempts:,} times"


def _when(turn: Sequence[_Attempt]) -> str:
    """From the start of the first attempt to the end of the last."""
    (_, first, _), (_, last, lasted) = turn[0], turn[-1]
    if first is None or last is None:
        return ""
    if lasted is None:
        return f"from {duration(first)} on"
    end = last + lasted
    if end - first >= SLACK:
        return f"from {between([first, end])}"
    return f"at {duration(first)}" if first >= SLACK else ""
