"""What a measurement changes in a baseline: the facts that contradict it, and those that hang on them."""

from collections.abc import Sequence

from failsame.drift import STANDS_FOR, Contradictions
from failsame.facts import FACTS, JITTERS, CallFacts, Patch, PerJitter, Recorded
from failsame.observation import Jitter


def difference(reference: Recorded, measured: Recorded, found: Sequence[Contradictions]) -> Patch:
    """The facts of `measured` that differ, by what its measurements were found to contradict."""
    calls: dict[int, dict[str, PerJitter]] = {}
    for jitter in JITTERS:
        last = min(one.last.get(jitter, 0) for one in found)
        consequences = False
        for number, (before, after) in enumerate(zip(reference.calls, measured.calls, strict=True), start=1):
            contradicted = frozenset[str]().union(*(one.facts.get((number, jitter), frozenset()) for one in found))
            if number == last:
                consequences = bool(contradicted)
            names = (
                frozenset(FACTS) if number > last and consequences else _hanging(contradicted, before, after, jitter)
            )
            differing = {name for name in names if before[name].at(jitter) != after[name].at(jitter)}
            for name in FACTS:
                # Waits bring their starts along, also where these are what they were: see `patched`.
                if name in differing or (name == "starts" and "waits" in differing):
                    facts = calls.setdefault(number, {})
                    facts[name] = _replaced(facts.get(name, before[name]), after[name], jitter)
    return Patch(measured.conditions, {number: calls[number] for number in sorted(calls)})


def _hanging(contradicted: frozenset[str], before: CallFacts, after: CallFacts, jitter: Jitter) -> frozenset[str]:
    """The contradicted facts and those that differ because of them."""
    if contradicted and any(True in facts["still_waiting"].at(jitter) for facts in (before, after)):
        # Of one of the two only a beginning is known: its facts do not mix with the other's.
        return frozenset(FACTS)
    return contradicted.union(*(STANDS_FOR.get(name, ()) for name in contradicted))


def _replaced(both: PerJitter, new: PerJitter, jitter: Jitter) -> PerJitter:
    return PerJitter(new.low, both.high) if jitter == "low" else PerJitter(both.low, new.high)
