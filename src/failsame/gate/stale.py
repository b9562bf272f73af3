"""Committed files that nothing is compared with any more."""

from collections.abc import Iterator

from failsame.baseline import list_baselines, list_coming, stale
from failsame.config import find_config
from failsame.gate.plan import Plan


def compared_with_nothing(plan: Plan) -> Iterator[str]:
    """Name them, and what to do: a warning, since a person has to remove them.

    Not where another configuration was named: one folder may hold the baselines of several.
    """
    if plan.config != find_config(plan.folder):
        return
    configured = {each.name for each in plan.every}
    for name, why in stale(list_baselines(plan.baselines), list_coming(plan.baselines), configured):
        yield f"`{plan.shown_baselines}/{name}` is stale, {why}"
