"""The attempts of one call, over all its endpoints, and what they show together. Pure."""

from collections.abc import Mapping, Sequence
from math import inf

from failsame.faults.protocol import EndpointSpec
from failsame.observation import AT_ONCE, Attempt
from failsame.trial.window import Seen, Window

_IDENTITY_HEADERS = ("amz-sdk-invocation-id", "idempotency-key", "x-idempotency-key")

# Linux gives a SYN up after 127 s, newer kernels after 134: tcp_syn_retries in ip-sysctl.
_SYN_LEAST, _SYN_MOST = 126.0, 136.0


def attempts_of(trial: Seen, window: Window) -> list[Attempt]:
    """The call's attempts in order, times relative to its start, connections numbered from 1."""
    found = [
        attempt
        for endpoint in trial.endpoints
        for attempt in (_connects if endpoint.fault.below_http else _asked)(trial, window, endpoint)
    ]
    return sorted(found, key=lambda attempt: -inf if attempt.at is None else attempt.at)


def _asked(trial: Seen, window: Window, endpoint: EndpointSpec) -> list[Attempt]:
    unseen = [
        Attempt(
            at=None, connection=window.numbering[c.number], endpoint=c.endpoint, answer="none, the connection is dead"
        )
        for c in window.dead
        if c.endpoint == endpoint.name
    ]
    left = {connection.number: connection.ended for connection in trial.journal.connections}
    seen = [
        Attempt(
            at=entry.at - window.start,
            end=window.seen(entry.end),
            over=window.seen(entry.end if entry.end is not None else left.get(entry.connection)),
            connection=window.numbering[entry.connection],
            endpoint=entry.endpoint,
            answer=entry.answer,
        )
        for entry in window.requests
        if entry.faulted and entry.endpoint == endpoint.name
    ]
    return unseen + seen


def _connects(trial: Seen, window: Window, endpoint: EndpointSpec) -> list[Attempt]:
    """Below HTTP an attempt is one connect that the probe saw, or, where it saw none, one the server accepted."""
    seen = [c.at for c in trial.record.connects if c.endpoint == endpoint.name and window.holds(c.at)]
    accepted = [c for c in trial.journal.connections if c.endpoint == endpoint.name and window.holds(c.accepted)]
    starts = seen or [c.accepted for c in accepted]
    if endpoint.fault.connect == "refused":
        overs: list[float | None] = [*starts]
    else:
        # Of a connect that was not accepted nobody sees when the client left it.
        overs = [c.ended for c in accepted] if len(accepted) == len(starts) else [None] * len(starts)
    return [
        Attempt(at=at - window.start, over=window.seen(over), endpoint=endpoint.name, answer=endpoint.fault.connect)
        for at, over in zip(starts, overs, strict=True)
    ]


def late_attempts(trial: Seen, window: Window) -> int:
    """How many attempts came after the call had ended: requests, and below HTTP connects."""
    below = {endpoint.name for endpoint in trial.endpoints if endpoint.fault.below_http}
    return len(window.late) + sum(c.endpoint in below and window.followed_by(c.at) for c in trial.record.connects)


def after_answer(attempts: Sequence[Attempt], window: Window) -> int:
    """How many attempts, late ones too, began well after another endpoint had given a whole good answer."""
    answered = [(entry.endpoint, entry.end) for entry in window.requests if entry.good and entry.complete]
    begun = [(attempt.endpoint, attempt.at + window.start) for attempt in attempts if attempt.at is not None]
    begun += [(entry.endpoint, entry.at) for entry in window.late]
    return sum(
        any(other != endpoint and end is not None and end + AT_ONCE < at for other, end in answered)
        for endpoint, at in begun
    )


def kernel_gave_up(trial: Seen, window: Window, attempts: Sequence[Attempt]) -> bool:
    """Whether a connect into a black hole lasted as long as the kernel lets it: then it, not the client, ended it."""
    holes = {endpoint.name for endpoint in trial.endpoints if endpoint.fault.connect == "black-hole"}
    if not holes or window.ended is None:
        return False
    starts = [(attempt.endpoint, attempt.at) for attempt in attempts if attempt.at is not None]
    ends = [*(at for _, at in starts[1:]), window.end - window.start]
    return any(
        endpoint in holes and _SYN_LEAST <= end - at <= _SYN_MOST
        for (endpoint, at), end in zip(starts, ends, strict=True)
    )


def key_kept(window: Window) -> bool | None:
    """Whether all attempts at an endpoint carried one key or id; None where no two of them carried any."""
    asked: dict[str, list[Mapping[str, str]]] = {}
    for entry in window.requests:
        if entry.faulted:
            asked.setdefault(entry.endpoint, []).append(entry.headers)
    carried = [
        {headers.get(name) for headers in several}
        for several in asked.values()
        if len(several) > 1
        for name in _IDENTITY_HEADERS
        if any(name in headers for headers in several)
    ]
    return all(len(values) == 1 for values in carried) if carried else None
