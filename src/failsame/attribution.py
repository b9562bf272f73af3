"""Which upgraded package changed the behaviour.

A package that the subject never loaded is no cause, however suspicious it looks. Of those it loaded, one with an
advisory for just this fact comes first, then what the project requires itself, then the rest; of equals, one whose
version moved before one that came or went, which some other's new version brought about.
"""

from collections.abc import Collection, Iterable

from failsame.advisories import Advisory, advisories
from failsame.drift.model import Drift
from failsame.pins.model import Change


def attribute(
    drift: Drift, *, scenario: str, changes: Iterable[Change], loaded: Collection[str], runtime: str | None = None
) -> Drift:
    """Give a drift its `cause`, most likely first, and its `advisory`.

    `loaded` names the subject's deciding packages, before the upgrade and after it: one that went was loaded once.
    `runtime` is what it ran on ("python 3.13"); a change of the runtime is a Change of the package "python".
    """
    names = set(loaded)
    if runtime is not None:
        names.add(runtime.partition(" ")[0])
    known: dict[str, Advisory] = {}
    candidates = []
    for change in changes:
        if change.package not in names or change.before == change.after:
            continue
        candidates.append(change)
        for advisory in advisories().values():
            if _applies(advisory, change, names) and advisory.explains(scenario, drift.fact):
                known.setdefault(change.package, advisory)
    # `sorted` is stable: where nothing tells two apart, the lock file's order stands.
    ordered = sorted(
        candidates, key=lambda change: (change.package not in known, not change.direct, not _moved(change))
    )
    cause = tuple(dict.fromkeys(change.package for change in ordered))
    return drift.model_copy(
        update={"cause": cause, "advisory": known[cause[0]].id if cause and cause[0] in known else None}
    )


def _moved(change: Change) -> bool:
    return change.before is not None and change.after is not None


def _applies(advisory: Advisory, change: Change, names: Collection[str]) -> bool:
    return (
        (advisory.ecosystem, advisory.package) == (change.language, change.package)
        and advisory.spans(change.before, change.after)
        and all(name in names for name in advisory.under)
    )
