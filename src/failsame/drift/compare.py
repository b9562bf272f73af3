"""One call at one jitter against its baseline: which facts contradict it, and what could not be judged.

Two calls are compared up to the smaller horizon. One that was cut off there shows a beginning: its counts are lower
bounds, and what it would have done afterwards is not known.
"""

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from itertools import zip_longest
from math import inf

from failsame.facts import FACTS, Alternatives, Conditions, Counts, Names, Slack, Time, Times, Value, near
from failsame.observation import AT_ONCE, KERNEL_GAVE_UP, KERNEL_GIVES_UP

_KERNEL = Time(*KERNEL_GIVES_UP)

Side = Mapping[str, Value]


@dataclass(frozen=True)
class Compared:
    """The facts that contradict the baseline; else `reach`, the horizon without which it cannot be judged."""

    contradicted: frozenset[str] = frozenset()
    reach: float | None = None


@dataclass(frozen=True)
class _Beginning:
    """What two calls show up to the moment where the first of them was cut off."""

    until: float
    slack: Slack
    cut: Side
    longer: Side
    both_cut: bool


def compare_call(
    before: Mapping[str, Alternatives],
    after: Mapping[str, Alternatives],
    reference: Conditions,
    measured: Conditions,
) -> Compared:
    """Compare a call with its baseline, both complete."""
    slack = reference.common(measured).slack
    picked = {name: _pick(before[name], after[name], slack) for name in FACTS}
    old = {name: values[0] for name, values in picked.items()}
    new = {name: values[1] for name, values in picked.items()}
    alike = (each for each in before["endpoints"] if _called({**old, "endpoints": each}) == _called(new))
    old["endpoints"] = next(alike, old["endpoints"])
    if old["still_waiting"] and new["still_waiting"]:
        return _both_waiting(old, new, reference, measured)
    if new["still_waiting"]:
        return _no_longer_ends(old, new, reference, measured)
    if old["still_waiting"]:
        return _now_ends(old, new, reference, measured)
    return Compared(_whole(old, new, slack))


def _both_waiting(old: Side, new: Side, reference: Conditions, measured: Conditions) -> Compared:
    common = reference.common(measured)
    cut, longer = (new, old) if measured.horizon < reference.horizon else (old, new)
    both_cut = measured.horizon == reference.horizon
    beginning = _Beginning(common.horizon, common.slack, cut, longer, both_cut)
    return Compared(_begun(beginning) | _untimely(old, new, common.slack))


def _no_longer_ends(old: Side, new: Side, reference: Conditions, measured: Conditions) -> Compared:
    """Still waiting contradicts a baseline that ended well before; if it ended later, only longer waiting tells."""
    slack = reference.common(measured).slack
    ended = _end(old)
    end = reference.horizon if ended is None else ended.most
    reach = end + slack.at(end)
    if measured.horizon > reach or (ended is None and measured.horizon >= end):
        return Compared(_whole(old, new, slack))
    found = _begun(_Beginning(measured.horizon, slack, new, old, both_cut=False)) | _untimely(old, new, slack)
    return Compared(found) if found else Compared(reach=reach)


def _now_ends(old: Side, new: Side, reference: Conditions, measured: Conditions) -> Compared:
    """An end contradicts a baseline that was still waiting then; not one that was not watched for so long."""
    slack = reference.common(measured).slack
    ended = _end(new)
    if ended is None:
        contradicted = measured.horizon <= reference.horizon
    else:
        contradicted = ended.most < reference.horizon - slack.at(reference.horizon)
    if contradicted:
        return Compared(_whole(old, new, slack))
    beginning = _Beginning(reference.horizon, slack, old, new, both_cut=False)
    return Compared(_begun(beginning) | _untimely(old, new, slack))


def _end(side: Side) -> Time | None:
    """When a call ended, or was cut off at its last attempt; None where nobody saw when."""
    if side["outcome"] == KERNEL_GAVE_UP:
        return _KERNEL
    if side["still_trying"]:
        known = [start for start in _times(side["starts"]) if start is not None]
        return known[-1] if known else None
    give_up = side["give_up"]
    return give_up if isinstance(give_up, Time) else None


def _whole(old: Side, new: Side, slack: Slack) -> frozenset[str]:
    """Compare all there is of two calls: both ended, or one ended and the other surely would not."""
    found = {name for name, fact in FACTS.items() if fact.exact and old[name] != new[name]}
    if _called(old) == _called(new):
        found.discard("endpoints")
    give_ups = old["give_up"], new["give_up"]
    if old["still_waiting"] != new["still_waiting"] or not _near(*give_ups, slack):
        found.add("give_up")
    for name in ("waits", "starts"):
        # No list at all says that nothing is known.
        if old[name] and len(_times(old[name])) != len(_times(new[name])):
            found.add(name)
    return frozenset(found | _untimely(old, new, slack))


def _called(side: Side) -> list[tuple[str, ...]]:
    """Whom the attempts asked, those that were made at once in an order of their own."""
    names = side["endpoints"].items if isinstance(side["endpoints"], Names) else ()
    together: list[list[str]] = []
    first = 0.0
    for name, start in zip_longest(names, _times(side["starts"])[: len(names)]):
        if together and start is not None and start.least - first <= AT_ONCE:
            together[-1].append(name)
            continue
        together.append([name])
        first = -inf if start is None else start.least
    return [tuple(sorted(each)) for each in together]


def _called_alike(cut: Side, longer: Side) -> bool:
    """Whether both asked the same, as far as both are known."""
    names = [value.items if isinstance(value, Names) else () for value in (cut["endpoints"], longer["endpoints"])]
    if all(one == other for one, other in zip(*names, strict=False)):
        return True
    # Of those that are asked at once one may be seen before the horizon, and another after it.
    called = (map(Counter, _called(side)) for side in (cut, longer))
    return all(one <= other or other <= one for one, other in zip(*called, strict=False))


def _begun(beginning: _Beginning) -> frozenset[str]:
    """Compare counts up to where one call was cut off: there they are lower bounds of all it would do."""
    cut, longer = beginning.cut, beginning.longer
    more = _more(beginning)
    found = {"attempts"} if more is None else set()
    exactly = beginning.both_cut and more == 0
    # What an attempt about the horizon brought along, if the one that was cut off made it.
    spare = max(_count(cut["attempts"]) - _count(longer["attempts"]), 0)
    for name in ("connections", "late_attempts", "attempts_after_answer"):
        if (cut[name] != longer[name]) if exactly else (_count(cut[name]) > _count(longer[name]) + spare):
            found.add(name)
    few, many = (dict(value.items) if isinstance(value, Counts) else {} for value in _both(beginning, "other_requests"))
    if (few != many) if exactly else any(count > many.get(key, 0) + spare for key, count in few.items()):
        found.add("other_requests")
    if not _called_alike(cut, longer):
        found.add("endpoints")
    if cut["dead_connection_reused"] and not longer["dead_connection_reused"]:
        found.add("dead_connection_reused")
    kept, later = _both(beginning, "key_kept")
    # A key that was not kept stays so; one that was kept may yet be dropped, one of a single attempt is not known.
    if (kept != later) if exactly else (kept is not None and (later is None or (kept is False and later is True))):
        found.add("key_kept")
    return frozenset(found)


def _both(beginning: _Beginning, name: str) -> tuple[Value, Value]:
    return beginning.cut[name], beginning.longer[name]


def _more(beginning: _Beginning) -> int | None:
    """How many attempts one made beyond the other, all of them about the horizon or later; None if not so."""
    starts = [_times(side["starts"]) for side in (beginning.cut, beginning.longer)]
    counts = [_count(side["attempts"]) for side in (beginning.cut, beginning.longer)]
    common = min(counts)
    earliest = beginning.until - beginning.slack.at(beginning.until)
    for known, count in zip(starts, counts, strict=True):
        extra = known[common:]
        if len(extra) < count - common or any(start is None or start.most < earliest for start in extra):
            return None
    return max(counts) - common


def _untimely(old: Side, new: Side, slack: Slack) -> frozenset[str]:
    """The lists of times that contradict each other in what both of them show.

    A start follows from the one before it, the answer's time and the wait. So where the wait is known it is the wait
    that is compared: 200 starts in a row would add up the noise of 200 waits.
    """
    found = set()
    waits, starts, lasted = [(_times(old[name]), _times(new[name])) for name in ("waits", "starts", "lasted")]
    for name, both in (("waits", waits), ("lasted", lasted)):
        if any(not near(before, after, slack) for before, after in zip(*both, strict=False)):
            found.add(name)
    for index, (before, after) in enumerate(zip(*starts, strict=False)):
        told = index > 0 and all(index <= len(side) and side[index - 1] is not None for side in waits)
        if not told and not near(before, after, slack):
            found.add("starts")
    return frozenset(found)


def _pick(before: Alternatives, after: Alternatives, slack: Slack) -> tuple[Value, Value]:
    """Of alternatives, the accepted value nearest to the one seen; of several seen, one that is not accepted."""
    pairs = [(max(before, key=lambda value: _likeness(value, seen, slack)), seen) for seen in after]
    return min(pairs, key=lambda pair: _likeness(pair[0], pair[1], slack))


def _likeness(before: Value, after: Value, slack: Slack) -> tuple[bool, int]:
    if isinstance(before, tuple) and isinstance(after, tuple):
        alike = [near(one, two, slack) for one, two in zip(before, after, strict=False)]
        return len(before) == len(after) and all(alike), sum(alike)
    if isinstance(before, Time) and isinstance(after, Time):
        return near(before, after, slack), 0
    return before == after, 0


def _near(before: Value, after: Value, slack: Slack) -> bool:
    if isinstance(before, Time) and isinstance(after, Time):
        return near(before, after, slack)
    return True


def _times(value: Value) -> Times:
    return value if isinstance(value, tuple) else ()


def _count(value: Value) -> int:
    return value if isinstance(value, int) else 0
