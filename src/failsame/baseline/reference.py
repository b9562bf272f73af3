"""What a measurement is compared with: the baseline, with every coming file laid over it that holds."""

from collections.abc import Mapping
from dataclasses import dataclass, field

from failsame.baseline.model import Baseline, Coming
from failsame.baseline.when import holds, wins
from failsame.facts import FACTS, JITTERS, CallFacts, Patch, PerJitter, Recorded, accepted, laid_over


@dataclass(frozen=True)
class Laid:
    """A baseline with the coming files that hold laid over it: the reference."""

    base: Baseline
    scenarios: Mapping[str, Recorded]
    held: tuple[str, ...] = ()
    """Fingerprints of the coming files that hold, sorted."""
    tied: frozenset[str] = field(default_factory=frozenset)
    """Scenarios of which two coming files set one fact, neither winning: either value is accepted."""


def lay(base: Baseline, coming: Mapping[str, Coming], installed: Mapping[str, str]) -> Laid:
    """Lay every coming file (by fingerprint) over the base that holds for what was installed (`installed_with`).

    Of two that set the same fact the one that wins counts; if neither does, either value is accepted. A file for
    another suite's scenarios never holds.
    """
    held = {
        fingerprint: coming[fingerprint]
        for fingerprint in sorted(coming)
        if coming[fingerprint].suite == base.suite and holds(coming[fingerprint].when, installed)
    }
    scenarios = dict(base.scenarios)
    tied = set()
    for name, scenario in base.scenarios.items():
        over = [(file, file.scenarios[name]) for file in held.values() if name in file.scenarios]
        if over:
            patch, tie = _merged(over)
            scenarios[name] = patched(scenario, patch)
            if tie:
                tied.add(name)
    return Laid(base, scenarios, tuple(held), frozenset(tied))


def patched(scenario: Recorded, patch: Patch) -> Recorded:
    """Lay a patch over a scenario. What holds for both is the coarser clock and the smaller horizon."""
    return Recorded(
        scenario.conditions.common(patch.conditions),
        tuple(laid_over(facts, patch.calls.get(number, {})) for number, facts in enumerate(scenario.calls, start=1)),
    )


def _merged(over: list[tuple[Coming, Patch]]) -> tuple[Patch, bool]:
    """All patches of one scenario as one, and whether any fact was tied."""
    conditions = over[0][1].conditions
    for _, patch in over:
        conditions = conditions.common(patch.conditions)
    calls: dict[int, CallFacts] = {}
    tied = False
    for number in sorted({number for _, patch in over for number in patch.calls}):
        facts: dict[str, PerJitter] = {}
        for name in FACTS:
            setting = [(file, patch.calls[number][name]) for file, patch in over if name in patch.calls.get(number, {})]
            left = [both for file, both in setting if not any(wins(other.when, file.when) for other, _ in setting)]
            if left:
                facts[name] = _either(name, left)
                tied = tied or any(both != left[0] for both in left)
        calls[number] = facts
    return Patch(conditions, calls), tied


def _either(name: str, values: list[PerJitter]) -> PerJitter:
    low, high = (accepted(FACTS[name], [value for both in values for value in both.at(jitter)]) for jitter in JITTERS)
    return PerJitter(low, high)
