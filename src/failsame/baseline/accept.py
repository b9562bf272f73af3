"""Accepting: the behaviour that an upgrade brings, written down ahead of it."""

from collections.abc import Iterable, Mapping

from failsame.baseline.difference import difference
from failsame.baseline.model import Coming
from failsame.baseline.reference import Laid
from failsame.baseline.when import Bound, When, rose
from failsame.drift import Drift, contradictions, overall
from failsame.errors import UsageError
from failsame.facts import Recorded
from failsame.pins.model import Change


def accept(
    laid: Laid,
    *,
    packages: Mapping[str, str],
    runtime: str,
    changes: Iterable[Change],
    measured: Mapping[str, Recorded],
    drifts: Iterable[Drift],
) -> tuple[str, Coming]:
    """Make the coming file of one subject, and its fingerprint, from a report's drifts.

    `packages` (distribution -> version) and `runtime` are what decided the behaviour that was measured, `changes`
    what the upgrade moved (the runtime among it, as the package of its name), `measured` the scenarios that drifted.
    Raises UsageError where no deciding package moved: then nothing tells when the new behaviour begins.
    """
    base = laid.base
    when = moved(changes, {*packages, runtime.partition(" ")[0]})
    if not when:
        raise UsageError(
            f"{base.subject}: no package that decides its behaviour moved, so nothing would tell when the new one "
            f"begins: change the baseline itself, failsame record --subject {base.subject}"
        )
    patches = {
        name: difference(laid.scenarios[name], scenario, [contradictions(laid.scenarios[name], scenario)])
        for name, scenario in measured.items()
        if name in laid.scenarios
    }
    return overall(drifts), Coming(
        suite=base.suite,
        subject=base.subject,
        when=when,
        scenarios={name: patch for name, patch in patches.items() if patch.calls},
    )


def moved(changes: Iterable[Change], deciding: Iterable[str]) -> When:
    """`>= new` for each deciding package that rose or came, `<= new` for each that fell. One that went has no bound."""
    names = frozenset(deciding)
    when: dict[str, Bound] = {}
    for change in changes:
        if change.package not in names or change.after is None:
            continue
        up = rose(change.before, change.after)
        if up is not None:
            when[change.package] = Bound(">=" if up else "<=", change.after)
    return when
