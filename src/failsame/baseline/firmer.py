"""What a measurement knows better than the baseline that it does not contradict."""

from failsame.facts import FACTS, JITTERS, Alternatives, Patch, PerJitter, Recorded, Value, varied


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
    return after if (another and varied(before)) or _unknown(before, after) else before


def _unknown(before: Alternatives, after: Alternatives) -> bool:
    """Whether a list of times, alike in length or not known at all, has more times now."""
    if not len(before) == len(after) == 1:
        return False
    (old,), (new,) = before, after
    lists = isinstance(old, tuple) and isinstance(new, tuple) and (not old or len(old) == len(new))
    return lists and _known(new) > _known(old)


def _known(times: Value) -> int:
    return sum(time is not None for time in times) if isinstance(times, tuple) else 0
