"""What a measurement knows better than the baseline that it does not contradict."""

from failsame.facts import FACTS, JITTERS, Alternatives, Patch, PerJitter, Recorded, Time, Value


def firmer(reference: Recorded, measured: Recorded, *, another: bool) -> Patch:
    """The facts of `measured` that say more: times that were not known; of `another` client also what was loose.

    That one client varied is a reason to accept each value that it showed, and none to accept them of the next.
    """
    calls: dict[int, dict[str, PerJitter]] = {}
    for number, (before, after) in enumerate(zip(reference.calls, measured.calls, strict=True), start=1):
        facts = {
            name: PerJitter(*(_firmer(before[name].at(each), after[name].at(each), another) for each in JITTERS))
            for name in FACTS
        }
        differing = {name: both for name, both in facts.items() if both != before[name]}
        if "waits" in differing:  # they would bring other starts along
            differing["starts"] = facts["starts"]
        if differing:
            calls[number] = differing
    return Patch(measured.conditions, calls)


def _firmer(before: Alternatives, after: Alternatives, another: bool) -> Alternatives:
    loose = another and (len(before) > 1 or any(map(_sampled, before)))
    return after if loose or _unknown(before, after) else before


def _sampled(value: Value) -> bool:
    return any(time.width > 0 for time in _times(value))


def _times(value: Value) -> list[Time]:
    return [time for time in (value if isinstance(value, tuple) else (value,)) if isinstance(time, Time)]


def _unknown(before: Alternatives, after: Alternatives) -> bool:
    """Whether a list of times, alike in length or not known at all, has more times now."""
    if not len(before) == len(after) == 1:
        return False
    (old,), (new,) = before, after
    lists = isinstance(old, tuple) and isinstance(new, tuple) and (not old or len(old) == len(new))
    return lists and len(_times(new)) > len(_times(old))
