"""What makes a drift the same drift in another run: 8 hex digits that a person's acceptance refers to."""

import hashlib
import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from pydantic import JsonValue

from failsame.drift.model import Drift
from failsame.pins.model import Change


@dataclass(frozen=True)
class Upgrade:
    """Whose drifts these are, and what moved: the suite's number, the subject, the changed packages."""

    suite: int
    subject: str
    changes: tuple[Change, ...] = ()

    @property
    def moved(self) -> list[str]:
        """`botocore 1.43.127->1.44.8`, sorted, each once: several lock files may say the same."""
        return sorted({f"{change.package} {change.before}->{change.after}" for change in self.changes})


def fingerprint(upgrade: Upgrade, scenario: str, fact: str, exact: Mapping[str, JsonValue] | None) -> str:
    """The fingerprint of one drift. `exact` is its new value; of a time there is none, since it varies in the slack."""
    made_of: list[JsonValue] = [upgrade.suite, upgrade.subject, scenario, fact, [*upgrade.moved]]
    return _digest([*made_of, dict(exact)] if exact is not None else made_of)


def overall(drifts: Iterable[Drift]) -> str:
    """One fingerprint over several drifts, in whatever order they come."""
    return _digest([*sorted({drift.fingerprint for drift in drifts})])


def _digest(value: JsonValue) -> str:
    canonical = json.dumps(value, sort_keys=True, separators=(",", ":"), ensure_ascii=True)
    return hashlib.sha256(canonical.encode()).hexdigest()[:8]
