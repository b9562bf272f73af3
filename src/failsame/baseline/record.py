"""Recording: what a baseline holds after its subject was measured again."""

from collections.abc import Collection, Mapping, Sequence

from failsame.baseline.difference import difference
from failsame.baseline.firmer import firmer
from failsame.baseline.model import Baseline
from failsame.baseline.reference import Laid, patched
from failsame.budgets import Setting
from failsame.drift import Contradictions, contradictions
from failsame.facts import Measurement, Recorded, recorded
from failsame.suite import SUITE


def record(
    laid: Laid | None,
    *,
    subject: str,
    runtime: str,
    packages: Mapping[str, str],
    settings: Mapping[str, Setting],
    fault_keys: Mapping[str, str],
    measured: Mapping[str, Sequence[Measurement]],
    known: Collection[str],
) -> Baseline:
    """Make the baseline of a subject from what it was measured to do, each scenario once or several times.

    The coming files that hold (`laid.held`) are folded in; remove them once the baseline is written. A value stays
    as it is unless the new one contradicts it, or was measured in skipped time or with a longer horizon. Scenarios
    that were not measured stay too, but for those that are no longer `known`: own ones that were removed. What was
    loose of another client, several values or a range of samples, is not kept for this one.
    """
    scenarios: dict[str, Recorded] = {}
    if laid is not None and laid.base.suite == SUITE:
        scenarios = {name: scenario for name, scenario in laid.scenarios.items() if name in known}
    old = {name: scenario for name, scenario in scenarios.items() if laid is None or name not in laid.tied}
    found = {name: _found(old[name], seen) for name, seen in measured.items() if name in old}
    another = (
        laid is None
        or (laid.base.packages, laid.base.runtime, laid.base.settings) != (packages, runtime, settings)
        or any(one.facts for each in found.values() for one in each)
    )
    for name, seen in measured.items():
        new = recorded(seen)
        scenarios[name] = _renewed(old[name], new, found[name], another=another) if found.get(name) else new
    return Baseline(
        subject=subject,
        suite=SUITE,
        runtime=runtime,
        packages=packages,
        settings=settings,
        fault_keys=fault_keys,
        scenarios=scenarios,
    )


def _found(old: Recorded, measurements: Sequence[Measurement]) -> list[Contradictions]:
    """What each measurement contradicts; none where the number of calls is another."""
    new = [recorded([measurement]) for measurement in measurements]
    return [contradictions(old, each) for each in new if len(each.calls) == len(old.calls)]


def _renewed(old: Recorded, new: Recorded, found: Sequence[Contradictions], *, another: bool) -> Recorded:
    if new.conditions.better(old.conditions):
        return new
    contradicted = any(one.facts for one in found)
    if new.conditions != old.conditions:
        return new if contradicted else old
    # Under equal conditions only what changed is replaced, so that the diff shows nothing else.
    kept = patched(old, difference(old, new, found)) if contradicted else old
    return patched(kept, firmer(kept, new, another=another))
