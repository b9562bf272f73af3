"""Recording: what a baseline holds after its subject was measured again."""

from collections.abc import Collection, Mapping, Sequence

from failsame.baseline.difference import difference
from failsame.baseline.model import Baseline
from failsame.baseline.reference import Laid, patched
from failsame.budgets import Setting
from failsame.drift import contradictions
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
    that were not measured stay too, but for those that are no longer `known`: own ones that were removed.
    """
    scenarios: dict[str, Recorded] = {}
    if laid is not None and laid.base.suite == SUITE:
        scenarios = {name: scenario for name, scenario in laid.scenarios.items() if name in known}
    for name, measurements in measured.items():
        old = None if laid is not None and name in laid.tied else scenarios.get(name)
        scenarios[name] = recorded(measurements) if old is None else _renewed(old, measurements)
    return Baseline(
        subject=subject,
        suite=SUITE,
        runtime=runtime,
        packages=packages,
        settings=settings,
        fault_keys=fault_keys,
        scenarios=scenarios,
    )


def _renewed(old: Recorded, measurements: Sequence[Measurement]) -> Recorded:
    new = recorded(measurements)
    if len(new.calls) != len(old.calls) or new.conditions.better(old.conditions):
        return new
    found = [contradictions(old, recorded([measurement])) for measurement in measurements]
    if not any(one.facts for one in found):
        return old
    # Under equal conditions only what changed is replaced, so that the diff shows nothing else.
    return patched(old, difference(old, new, found)) if new.conditions == old.conditions else new
