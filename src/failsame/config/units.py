"""Durations as people write them: `250ms`, `30s`, `2min`, `1h`, or a bare number of seconds."""

import re

from failsame.budgets import SECONDS
from failsame.budgets import UNITS as ALL_UNITS
from failsame.words import quoted

UNITS: dict[str, float] = {name: float(unit.factor) for name, unit in ALL_UNITS.items() if unit.dimension == SECONDS}
"""Unit of time -> seconds."""

_TOO_LONG = 1_000_000_000

_DURATION = re.compile(r"\s*(?P<number>[0-9]{1,9}(?:\.[0-9]{1,9})?)\s*(?P<unit>[^\W\d_]*)\s*", re.ASCII)


def seconds(written: object) -> float:
    """Seconds that a duration stands for; ValueError, in one line, if it is none or below zero."""
    if isinstance(written, (int, float)) and not isinstance(written, bool):
        if 0 <= written < _TOO_LONG:  # neither infinity nor "not a number" is
            return float(written)
        raise ValueError(f"{quoted(written)} is no duration: write 0 or more seconds")
    match = _DURATION.fullmatch(written) if isinstance(written, str) else None
    if match is None:
        raise ValueError(f"{quoted(written)} is no duration: write a number and one of {', '.join(UNITS)}, as in 30s")
    unit = match["unit"] or "s"
    if unit not in UNITS:
        raise ValueError(f"unknown unit {quoted(unit)} in {quoted(written)}: the units are {', '.join(UNITS)}")
    return float(match["number"]) * UNITS[unit]
