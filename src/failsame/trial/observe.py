"""From what the server and the probe saw to the facts measured. Pure."""

import signal
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import pairwise

from failsame.faults.protocol import Journal, RequestEntry
from failsame.observation import (
    ATTEMPT_LIMIT,
    KERNEL_GAVE_UP,
    NEVER_SETTLED,
    NOT_MADE,
    Attempt,
    Call,
    ClockName,
    Jitter,
    Observation,
)
from failsame.suite import Scenario
from failsame.trial.notes import notes
from failsame.trial.record import Record

_DIGITS: dict[ClockName, int] = {"skip": 3, "real": 2}

_IDENTITY_HEADERS = ("amz-sdk-invocation-id", "idempotency-key", "x-idempotency-key")

# Linux gives a SYN up after 127 s, newer kernels after 134: tcp_syn_retries in ip-sysctl.
_SYN_LEAST, _SYN_MOST = 126.0, 136.0

# The server stamps the end of an answer after sending it; the client may have read it, and ended its call, before that.
_STAMPED = 0.02


@dataclass(frozen=True)
class _Trial:
    """Everything seen of one trial."""

    scenario: Scenario
    journal: Journal
    record: Record
    horizon: float
    digits: int


class _Window:
    """One call that was made: its time, from its start to its end or to where it was cut off, and its requests."""

    def __init__(self, trial: _Trial, number: int) -> None:
        self.number = number
        self.start = trial.record.started[number].at
        ended = trial.record.ended.get(number)
        last = self.start + trial.horizon
        self.outlived = ended.at > last if ended else trial.record.cut == "horizon"
        self.ended = None if self.outlived else ended
        self.end = last if self.ended is None else self.ended.at
        asked = [entry for entry in trial.journal.requests if entry.call == number]
        self.requests = [entry for entry in asked if entry.at <= self.end]
        self.late = sum(entry.faulted for entry in asked if entry.at > self.end) if self.ended else 0

    def holds(self, at: float) -> bool:
        return self.start <= at <= self.end


def observe(
    subject: str,
    scenario: Scenario,
    jitter: Jitter,
    journal: Journal,
    record: Record,
    *,
    clock: ClockName,
    horizon: float,
) -> Observation:
    """Assemble the facts of one trial from the server's journal and the probe's record."""
    trial = _Trial(scenario, journal, record, horizon, _DIGITS[clock])
    return Observation(
        subject=subject,
        scenario=scenario.name,
        jitter=jitter,
        clock=clock,
        horizon=horizon,
        aligned=all(started.aligned for started in record.started.values()),
        calls=tuple(_call(trial, number) for number in range(1, scenario.calls + 1)),
        side_calls=tuple(sorted({entry.key for entry in journal.requests if entry.call == 0})),
        notes=notes(journal, record),
    )


def _call(trial: _Trial, number: int) -> Call:
    record = trial.record
    if number not in record.started:
        return Call(outcome=NOT_MADE, attempts=0)
    window = _Window(trial, number)
    seen = _connects(trial, window) if trial.scenario.below_http else _attempts(trial, window)
    # One more may be on its way when the call is cut off, over a connection that it keeps.
    attempts = seen[:ATTEMPT_LIMIT]
    outcome, code = _outcome(trial, window)
    timed = window.ended is not None and outcome not in (KERNEL_GAVE_UP, NEVER_SETTLED)
    others = Counter(entry.key for entry in window.requests if not entry.faulted)
    return Call(
        outcome=outcome,
        code=code,
        attempts=len(attempts),
        other_requests=dict(sorted(others.items())),
        connections=sum(window.holds(connection.accepted) for connection in trial.journal.connections),
        give_up=round(window.end - window.start, trial.digits) if timed else None,
        still_waiting=window.outlived,
        still_trying=record.cut == "limit" and number not in record.ended,
        data_lost=outcome == "ok" and bool(attempts) and not any(entry.complete for entry in window.requests),
        dead_connection_reused=any(attempt.at is None for attempt in attempts),
        key_kept=_key_kept(window),
        late_attempts=window.late,
        waits=_waits(attempts, trial.digits),
        starts=_rounded(attempts, trial.digits),
        elsewhere=tuple(sorted({c.to for c in record.connects if c.endpoint is None and window.holds(c.at)})),
    )


def _attempts(trial: _Trial, window: _Window) -> list[Attempt]:
    """The call's attempts in order, times relative to its start, connections numbered from 1."""
    # Requests on a dead connection never arrive; the kernel's socket table shows that they were sent. They
    # belong to the first call that began after the connection died.
    dead = [
        connection
        for connection in trial.journal.connections
        if connection.used_dead
        and connection.dead is not None
        and _first_after(trial.record, connection.dead) == window.number
    ]
    numbering: dict[int, int] = {}
    for connection_number in [c.number for c in dead] + [entry.connection for entry in window.requests]:
        numbering.setdefault(connection_number, len(numbering) + 1)
    unseen = [
        Attempt(at=None, connection=numbering[c.number], endpoint=c.endpoint, answer="none, the connection is dead")
        for c in dead
    ]
    seen = [
        Attempt(
            at=entry.at - window.start,
            end=_ended(entry, window),
            connection=numbering[entry.connection],
            endpoint=entry.endpoint,
            answer=entry.answer,
        )
        for entry in window.requests
        if entry.faulted
    ]
    return unseen + seen


def _ended(entry: RequestEntry, window: _Window) -> float | None:
    """When an answer ended, from the start of the call; None if the call did not see its end."""
    if entry.end is None or entry.end > window.end + _STAMPED:
        return None
    return min(entry.end, window.end) - window.start


def _first_after(record: Record, at: float) -> int | None:
    later = [number for number, started in record.started.items() if started.at >= at]
    return min(later, default=None)


def _connects(trial: _Trial, window: _Window) -> list[Attempt]:
    """Below HTTP an attempt is one connect that the probe saw, or, where it saw none, one the server accepted."""
    seen = [c.at for c in trial.record.connects if c.endpoint is not None and window.holds(c.at)]
    accepted = [c.accepted for c in trial.journal.connections if window.holds(c.accepted)]
    return [Attempt(at=at - window.start, answer=trial.scenario.connect) for at in seen or accepted]


def _waits(attempts: Sequence[Attempt], digits: int) -> tuple[float | None, ...]:
    def wait(before: Attempt, after: Attempt) -> float | None:
        if before.end is None or after.at is None or after.at < before.end:
            return None
        return round(after.at - before.end, digits)

    return tuple(wait(before, after) for before, after in pairwise(attempts))


def _rounded(attempts: Iterable[Attempt], digits: int) -> tuple[Attempt, ...]:
    def near(at: float | None) -> float | None:
        return None if at is None else round(at, digits) + 0.0

    return tuple(a.model_copy(update={"at": near(a.at), "end": near(a.end)}) for a in attempts)


def _outcome(trial: _Trial, window: _Window) -> tuple[str | None, str | None]:
    """The outcome and its code; a call that was cut off has neither."""
    record = trial.record
    ended = window.ended
    if record.cut == "kernel" or _kernel_gave_up(trial, window):
        return KERNEL_GAVE_UP, None
    if ended is not None:
        return ended.outcome, ended.code
    if window.outlived or record.cut is not None or record.status is None:
        return None, None
    if record.status < 0:
        return f"signal {signal.Signals(-record.status).name}", None
    return f"exit {record.status}", None


def _kernel_gave_up(trial: _Trial, window: _Window) -> bool:
    """Whether a connect into a black hole lasted as long as the kernel lets it: then it, not the client, ended it."""
    if trial.scenario.connect != "black-hole" or window.ended is None:
        return False
    connects = [attempt.at for attempt in _connects(trial, window) if attempt.at is not None]
    return any(
        _SYN_LEAST <= after - before <= _SYN_MOST for before, after in pairwise([*connects, window.end - window.start])
    )


def _key_kept(window: _Window) -> bool | None:
    faulted = [entry for entry in window.requests if entry.faulted]
    carried = [
        {entry.headers.get(name) for entry in faulted}
        for name in _IDENTITY_HEADERS
        if any(name in entry.headers for entry in faulted)
    ]
    if len(faulted) < 2 or not carried:  # noqa: PLR2004 - one attempt has nothing to keep
        return None
    return all(len(values) == 1 for values in carried)
