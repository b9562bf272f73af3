"""What a drift is."""

from typing import Literal

from pydantic import JsonValue

from failsame.model import Model

Severity = Literal["never-ends", "data-lost", "outcome", "changed", "times", "safer"]


class Drift(Model):
    """One fact that contradicts its baseline. `call` is the first of the calls it holds for, `times` their number."""

    call: int
    times: int = 1
    jitter: Literal["low", "high", "both"]
    fact: str
    before: JsonValue
    after: JsonValue
    """As a baseline writes them; at jitter low or high alone, that jitter's value."""
    also: tuple[str, ...] = ()
    """Facts that differ because this one does (more attempts, more connections); they are no drifts of their own."""
    fingerprint: str
    """8 hex digits made of suite, subject, scenario, fact, changed packages and, of exact facts, the new value."""
    severity: Severity
    cause: tuple[str, ...] = ()
    """The changed packages that can be its cause, most likely first."""
    advisory: str | None = None
    """The known silent change it is, by the id of its advisory."""
    confirmed: int = 1
    """How many measurements agree on the new value."""
