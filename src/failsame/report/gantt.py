"""The attempts of one call before and after, as a picture that GitHub draws (Mermaid).

All its words are our own: a name from elsewhere could end a line or a label.
"""

from itertools import pairwise

from failsame.report.seen import Calls, Facts

_MOST_BARS = 12
_THINNEST = 100
"""A bar is at least one so-manieth of the picture wide, or an instant answer could not be seen."""
_LONGEST = 1e9
_SECONDS_FROM = 5
"""From so many seconds on the axis counts seconds, below it milliseconds."""


def gantt(call: Calls, horizon: float) -> str | None:
    """Draw when each attempt began and how long it lasted; None where one side's attempts are not known.

    An attempt that was never answered is drawn up to the give-up or, of a call that never ended, to the horizon.
    """
    sides = [("Before", _bars(call.before, horizon)), ("After", _bars(call.after, horizon))]
    if not all(bars for _, bars in sides):
        return None
    whole = max(end for _, bars in sides for _, end in bars)
    if whole <= 0:
        return None
    lines = ["gantt", "    dateFormat x", f"    axisFormat {'%s s' if whole >= _SECONDS_FROM else '%Q ms'}"]
    for name, bars in sides:
        lines.append(f"    section {name}")
        for place, (start, end) in enumerate(bars[:_MOST_BARS], start=1):
            # `x` is milliseconds; an end may be given as a length, which every version of Mermaid reads alike.
            length = max(end - start, whole / _THINNEST, 0.001)
            tag = "active, " if name == "After" else ""
            lines.append(f"    attempt {place} :{tag}{name.lower()}{place}, {start * 1000:.0f}, {length * 1000:.0f}ms")
    return "\n".join(lines)


def _bars(facts: Facts, horizon: float) -> list[tuple[float, float]]:
    """Start and end of each attempt at jitter high, in seconds from the start of the call."""
    starts = [at for at in facts.sequence("starts", 1) if at is not None and 0 <= at < _LONGEST]
    if not starts:
        return []
    waits = facts.sequence("waits", 1)
    ends = []
    for place, (_, following) in enumerate(pairwise(starts)):
        wait = waits[place] if place < len(waits) else None
        ends.append(following - (wait or 0))
    given_up = facts.numbers("give_up")
    last = max(given_up) if given_up else min(horizon, _LONGEST) if "still-waiting" in facts.kinds() else starts[-1]
    return list(zip(starts, [*ends, last], strict=True))
