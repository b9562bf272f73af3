"""What the trials with good answers have to show: that the subject works, and what it asks its services."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from failsame.errors import UnmeasuredError
from failsame.faults.protocol import RequestEntry
from failsame.trial.run import Outcome
from failsame.trial.target import Target


@dataclass(frozen=True)
class Healthy:
    """What the trials with good answers showed of a subject that works."""

    requests: tuple[str, ...]
    """The keys of the call's requests, sorted: a client may send several at once, in any order."""
    fault_keys: Mapping[str, str]
    """What faults hit at each endpoint, see `chosen`. One that was never called has none."""
    modules: Mapping[str, str | None]
    """Every module that was loaded, with its file."""
    settings: Mapping[str, str | float | int | bool | None]
    why_fresh: str | None
    """Why trials cannot be forked; None if they can."""
    never_called: tuple[str, ...] = ()
    """Endpoints that nothing brought the client to call."""


def asked(target: Target, outcome: Outcome) -> list[RequestEntry]:
    """The requests of the one call, which returned ok.

    Raises UnmeasuredError, with the client's own words, if it failed or sent its first endpoint nothing.
    """
    if outcome.record.failed is not None:
        raise UnmeasuredError(f"{target.name} does not work: {outcome.record.failed.what}")
    requests = of_the_call(outcome)
    elsewhere = outcome.observation.calls[0].elsewhere
    if not returned(outcome) and (requests or not elsewhere):
        # Every service that speaks no dialect answers in a way of its own.
        good = ", or say under `good:` what its service answers," if _answers_by_default(target) and requests else ""
        raise UnmeasuredError(
            f"{target.name} fails although its service is well: {words(outcome)}. "
            f"Mend {target.file.name}{good} until `failsame measure --subject {target.name} --scenario healthy` works"
        )
    if not requests:
        tried = f"; it tried to reach {', '.join(elsewhere)}, which is refused here" if elsewhere else ""
        raise UnmeasuredError(
            f"{target.name} sends its service nothing{tried}: make the client with the endpoint that client() is given"
        )
    if target.first not in first_keys(requests):
        raise UnmeasuredError(
            f"{target.name} calls {requests[0].endpoint} although {target.first} is well: "
            "list its `endpoints` in the order in which it calls them"
        )
    return requests


def _answers_by_default(target: Target) -> bool:
    return target.good is None and target.endpoints[target.first] == "http"


def of_the_call(outcome: Outcome) -> list[RequestEntry]:
    """The requests of the one call."""
    return [entry for entry in outcome.journal.requests if entry.call == 1]


def keys_of(requests: Sequence[RequestEntry]) -> tuple[str, ...]:
    """Their keys, sorted."""
    return tuple(sorted(entry.key for entry in requests))


def first_keys(requests: Sequence[RequestEntry]) -> dict[str, str]:
    """The key of the first request that each endpoint got."""
    return {entry.endpoint: entry.key for entry in reversed(requests)}


def chosen(requests: Sequence[RequestEntry], usual: Mapping[str, str]) -> dict[str, str]:
    """What faults hit at each endpoint: the request that they hit before (`usual`) if it is among these, or the first.

    Of requests sent at once another is the first each time; without the usual one a run would break another than the
    last did.
    """
    there = {(entry.endpoint, entry.key) for entry in requests}
    return first_keys(requests) | {name: key for name, key in usual.items() if (name, key) in there}


def steady(target: Target, one: Sequence[RequestEntry], other: Sequence[RequestEntry]) -> list[RequestEntry]:
    """The requests of one trial that another showed too.

    Raises UnmeasuredError if the first endpoint got none: a fault needs a request that is there each time.
    """
    there = {(entry.endpoint, entry.key) for entry in other}
    both = [entry for entry in one if (entry.endpoint, entry.key) in there]
    if target.first not in first_keys(both):
        seen = [first_keys(requests)[target.first] for requests in (one, other)]
        raise UnmeasuredError(
            f"{target.name} asks for {seen[0]} in one trial and for {seen[1]} in the next, so no fault can hit it: "
            "make the call ask for the same path each time"
        )
    return both


def returned(outcome: Outcome) -> bool:
    """Whether the one call returned ok, and all that comes after it was seen."""
    return outcome.observation.calls[0].outcome == "ok" and outcome.record.done is not None


def words(outcome: Outcome) -> str:
    """How the one call ended, in the client's own words."""
    call, ended = outcome.observation.calls[0], outcome.record.ended.get(1)
    if call.still_waiting:
        return f"still waiting after {outcome.observation.horizon:g} s"
    if ended is not None:
        text = " ".join(ended.text.split())[:200]
        return f"{ended.outcome}: {text}" if text else ended.outcome
    return call.outcome or "it was cut off"
