"""Calls, observations and measurements, made by hand."""

from collections.abc import Sequence
from typing import Any

from failsame.facts import Measurement
from failsame.observation import NOT_MADE, Attempt, Call, Jitter, Observation

NOT_MADE_CALL = Call(outcome=NOT_MADE, attempts=0)


def call(attempts: int = 1, give_up: float | None = 0.0, **more: Any) -> Call:
    """A call whose attempts all fail at once, with `waits` between them, unless `starts` say otherwise."""
    waits = tuple(more.pop("waits", (0.0,) * (attempts - 1)))
    at, starts = 0.0, [0.0]
    for wait in waits:
        at += wait or 0.0
        starts.append(at)
    starts = list(more.pop("starts", starts[:attempts]))
    facts = {"outcome": "sdk.Error", "connections": 1, **more}
    return Call(
        attempts=attempts,
        give_up=give_up,
        waits=waits,
        starts=tuple(Attempt(at=start, answer="500") for start in starts),
        **facts,
    )


def silence(attempts: int, timeout: float, **more: Any) -> Call:
    """A call whose attempts each time out."""
    more = {"connections": attempts, "outcome": "sdk.Timeout", **more}
    starts = [number * timeout for number in range(attempts)]
    return call(attempts, attempts * timeout, waits=(None,) * (attempts - 1), starts=starts, **more)


def chain(*asked: tuple[str, float, float | None], give_up: float | None, **more: Any) -> Call:
    """A call that asked several endpoints, none of which answered: name, start and end of each attempt."""
    facts = {"outcome": "sdk.Timeout", "connections": len(asked), "still_waiting": give_up is None, **more}
    return Call(
        attempts=len(asked),
        give_up=give_up,
        waits=(None,) * (len(asked) - 1),
        starts=tuple(Attempt(at=at, over=over, endpoint=name, answer="silent") for name, at, over in asked),
        endpoints=tuple(name for name, _, _ in asked),
        **facts,
    )


def waiting(attempts: int = 1, timeout: float = 0.0, **more: Any) -> Call:
    """A call that has not ended at the horizon."""
    return silence(attempts, timeout, **more).model_copy(
        update={"outcome": None, "give_up": None, "still_waiting": True}
    )


def trying(gap: float = 0.01) -> Call:
    """A call that was cut off at 200 attempts."""
    tried = call(200, None, waits=(gap,) * 199, connections=200)
    return tried.model_copy(update={"outcome": None, "still_trying": True})


def observation(jitter: Jitter, calls: Sequence[Call], **more: Any) -> Observation:
    """An observation in skipped time, unless said otherwise."""
    facts = {"subject": "s3", "scenario": "status-500", "clock": "skip", "horizon": 3600.0, **more}
    return Observation(jitter=jitter, calls=tuple(calls), **facts)


def measured(low: Call | Sequence[Call], high: Call | Sequence[Call] | None = None, **more: Any) -> Measurement:
    """A measurement; `high` is like `low` unless given."""
    high = low if high is None else high
    lows, highs = ([one] if isinstance(one, Call) else one for one in (low, high))
    return Measurement(observation("low", lows, **more), observation("high", highs, **more))
