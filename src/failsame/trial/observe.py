"""From what the server and the probe saw to the facts measured. Pure."""

from collections import Counter
from collections.abc import Iterable, Sequence
from itertools import pairwise

from failsame.faults.protocol import EndpointSpec, Journal
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
from failsame.text import how_ended
from failsame.trial.attempts import after_answer, attempts_of, kernel_gave_up, key_kept, late_attempts
from failsame.trial.notes import notes
from failsame.trial.record import Record
from failsame.trial.window import Seen, Window

_DIGITS: dict[ClockName, int] = {"skip": 3, "real": 2}


def observe(
    subject: str,
    scenario: Scenario,
    jitter: Jitter,
    journal: Journal,
    record: Record,
    *,
    endpoints: tuple[EndpointSpec, ...],
    beside: frozenset[str],
    clock: ClockName,
    horizon: float,
) -> Observation:
    """Assemble the facts of one trial from the server's journal and the probe's record."""
    trial = Seen(endpoints, beside, journal, record, horizon, _DIGITS[clock])
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


def hits_nothing(observation: Observation) -> bool:
    """Whether requests were made, and none was one that the scenario breaks: then nothing is known of the fault."""
    calls = observation.calls
    return any(call.other_requests for call in calls) and not any(call.attempts for call in calls)


def _call(trial: Seen, number: int) -> Call:
    record = trial.record
    if number not in record.started:
        return Call(outcome=NOT_MADE, attempts=0)
    window = Window(trial, number)
    seen = attempts_of(trial, window)
    # One more may be on its way when the call is cut off, over a connection that it keeps.
    attempts = seen[:ATTEMPT_LIMIT]
    outcome, code = _outcome(trial, window, attempts)
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
        data_lost=outcome == "ok" and bool(attempts) and not any(entry.complete for entry in window.answering),
        dead_connection_reused=any(attempt.at is None for attempt in attempts),
        key_kept=key_kept(window),
        late_attempts=late_attempts(trial, window),
        waits=_waits(attempts, trial.digits),
        starts=_rounded(attempts, trial.digits),
        endpoints=tuple(attempt.endpoint for attempt in attempts) if len(trial.endpoints) > 1 else (),
        attempts_after_answer=after_answer(attempts, window),
        elsewhere=tuple(sorted({c.to for c in record.connects if c.endpoint is None and window.holds(c.at)})),
    )


def _waits(attempts: Sequence[Attempt], digits: int) -> tuple[float | None, ...]:
    def wait(before: Attempt, after: Attempt) -> float | None:
        if before.end is None or after.at is None or after.at < before.end:
            return None
        return round(after.at - before.end, digits)

    return tuple(wait(before, after) for before, after in pairwise(attempts))


def _rounded(attempts: Iterable[Attempt], digits: int) -> tuple[Attempt, ...]:
    def near(at: float | None) -> float | None:
        return None if at is None else round(at, digits) + 0.0

    times = ("at", "end", "over")
    return tuple(a.model_copy(update={name: near(getattr(a, name)) for name in times}) for a in attempts)


def _outcome(trial: Seen, window: Window, attempts: Sequence[Attempt]) -> tuple[str | None, str | None]:
    """The outcome and its code; a call that was cut off has neither."""
    record = trial.record
    ended = window.ended
    if record.cut == "kernel" or kernel_gave_up(trial, window, attempts):
        return KERNEL_GAVE_UP, None
    if ended is not None:
        return ended.outcome, ended.code
    if window.outlived or record.cut is not None or record.status is None:
        return None, None
    return how_ended(record.status), None
