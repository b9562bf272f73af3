"""Clients made by hand, and budgets judged over them."""

from collections.abc import Mapping
from typing import Any

from tests.drift.making import measured

from failsame.budgets import Budget, Client, Judged, Vocabulary, Wanted, budget, declared, judge
from failsame.facts import Recorded, recorded
from failsame.observation import Call
from failsame.suite import GROUPS, SCENARIOS

SKIP: dict[str, Any] = {"clock": "skip", "horizon": 3600.0}
REAL: dict[str, Any] = {"clock": "real", "horizon": 33.0}

SCOPES = (*GROUPS, *SCENARIOS)

Both = Call | tuple[Call, Call]
"""One call, or the same at jitter low and high."""


def seen(call: Both | list[Call], **conditions: Any) -> Recorded:
    """What a baseline would hold of a scenario."""
    low, high = call if isinstance(call, tuple) else (call, call)
    return recorded([measured(low, high, **{**SKIP, **conditions})])


def client(
    scenarios: Mapping[str, Both] | None = None, declare: Mapping[str, str | float] | None = None, **more: Any
) -> Client:
    """A client in skipped time, or by the clock that `more` says."""
    conditions = {key: more.pop(key) for key in ("clock", "horizon") if key in more}
    return Client(
        declared={name: declared(name, str(value)) for name, value in (declare or {}).items()},
        scenarios={name: seen(call, **conditions) for name, call in (scenarios or {}).items()},
        **more,
    )


def wanted(rule: str, clients: Mapping[str, Client], owner: str = "s3", **more: Any) -> Budget:
    """A budget of one of these clients."""
    vocabulary = Vocabulary(clients[owner].declared, {name: each.declared for name, each in clients.items()}, SCOPES)
    return budget(Wanted(rule, **more), vocabulary)


def judged(rule: str, own: Client, others: Mapping[str, Client] | None = None, **more: Any) -> Judged:
    """What becomes of a rule of the client `own`, which is called s3."""
    clients = {"s3": own, **(others or {})}
    return judge(wanted(rule, clients, **more), "s3", clients)
