"""Seconds as a person reads them.

Three significant digits at most, two decimals at most, no zeros at the end: times are good to 0.05 s and 1 % at
best, and more digits would claim more.
"""

from math import isfinite

SLACK = 0.05
"""Below the slack of times something took no time: 0.003 s against 0 s says nothing."""

_MINUTE = 60
_HOUR = 3600
_WHOLE = 100
_TENTHS = 10


def duration(seconds: float) -> str:
    """Say how long: `0.15 s`, `15 s`, `1,801 s`, `1 h`, `1 h 5 min`."""
    if not isfinite(seconds):
        return "for ever"
    if seconds < _HOUR:
        return f"{_number(seconds)} s"
    hours, minutes = divmod(round(seconds / _MINUTE), _MINUTE)
    return f"{hours:,} h {minutes} min" if minutes else f"{hours:,} h"


def between(seconds: list[float]) -> str:
    """Say from where to where: `0 to 15 s`, `30 s to 1 h`; one number if both ends read the same."""
    low, high = duration(min(seconds)), duration(max(seconds))
    if low == high:
        return high
    return f"{low.removesuffix(' s')} to {high}" if high.endswith(" s") else f"{low} to {high}"


def listed(seconds: list[float]) -> str:
    """Say several: `1, 2, 4, 8 s`."""
    words = [duration(value) for value in seconds]
    if all(word.endswith(" s") for word in words):
        return ", ".join(word.removesuffix(" s") for word in words) + " s"
    return ", ".join(words)


def _number(seconds: float) -> str:
    decimals = 2 if abs(seconds) < _TENTHS else 1 if abs(seconds) < _WHOLE else 0
    # "-0" is what a rounded -0.001 reads like.
    return f"{round(seconds, decimals) + 0.0:,.{decimals}f}".rstrip("0").rstrip(".") if decimals else f"{seconds:,.0f}"
