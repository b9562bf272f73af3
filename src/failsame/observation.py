"""The facts measured: what one trial saw of a client.

Exact facts are compared as they are, times within the slack of their clock. Times are seconds from the start of the
call, stored to 1 ms in skipped time and to 10 ms in real time.
"""

from collections.abc import Mapping
from typing import Literal

from pydantic import Field

from failsame.model import Model

ClockName = Literal["skip", "real"]
Jitter = Literal["low", "high"]

JITTER: dict[Jitter, float] = {"low": 0.0, "high": 0.999}
"""What the client's random draws are held at."""

ATTEMPT_LIMIT = 200
"""A call is cut off at so many attempts: `still trying`."""

ENDLESS = 3600.0
"""Seconds of skipped time after which a call that still waits counts as one that never ends."""

LONGEST_REAL = 300
"""Seconds of real time that a call is watched for at most, to see whether it still ends when its baseline did."""

MAIN = "main"
"""The endpoint of a subject that has one."""

# Outcomes that no client can give itself: the others are "ok" or `package.Class`.
NEVER_SETTLED = "never settled"
NOT_MADE = "not made"
KERNEL_GAVE_UP = "kernel gave up"

KERNEL_GIVES_UP = (127.0, 134.0)
"""Seconds after which Linux gives a SYN up that nobody answers: tcp_syn_retries in ip-sysctl."""

AT_ONCE = 0.02
"""Seconds within which the order of two requests is a scheduler's choice, and not the client's."""


class Attempt(Model):
    """One attempt. `at` is None for one that only the kernel's socket table shows (a dead connection used again)."""

    at: float | None
    end: float | None = None
    """When its answer ended; None if it never did."""
    over: float | None = None
    """When it was over: its answer had ended, or the client had left its connection; None if neither was seen before
    the call ended."""
    connection: int | None = None
    endpoint: str = MAIN
    answer: str


class Call(Model):
    """What one call did. A call that was cut off has no outcome."""

    outcome: str | None
    """`ok`; the error's top-level package and class (`botocore.ClientError`); `exit 3`, `signal SIGKILL`;
    `never settled`; `not made`; `kernel gave up`; None if cut off."""
    code: str | None = None
    attempts: int
    other_requests: Mapping[str, int] = Field(default_factory=dict)
    """Attempts of the call's other requests: `METHOD /path` -> count."""
    connections: int = 0
    give_up: float | None = None
    still_waiting: bool = False
    still_trying: bool = False
    data_lost: bool = False
    dead_connection_reused: bool = False
    key_kept: bool | None = None
    """Whether all attempts carried one idempotency key or invocation id; None if none carried any."""
    late_attempts: int = 0
    waits: tuple[float | None, ...] = ()
    """Before each retry, from the end of the answer; None where the answer never ended. One fewer than attempts."""
    starts: tuple[Attempt, ...] = ()
    endpoints: tuple[str, ...] = ()
    """Whom each attempt called, in order; empty for a subject with one endpoint."""
    attempts_after_answer: int = 0
    """Attempts, late ones too, that began after another endpoint had given a whole good answer."""
    elsewhere: tuple[str, ...] = ()
    """Where else it tried to connect; never succeeded."""

    @property
    def lasted(self) -> tuple[float | None, ...]:
        """How long each attempt was under way, of a subject with several endpoints; None where nobody saw its end."""
        ends = [(attempt.at, attempt.over) for attempt in self.starts] if self.endpoints else []
        return tuple(None if at is None or over is None else over - at for at, over in ends)


class Observation(Model):
    """What one trial measured: one subject, one scenario, one jitter."""

    subject: str
    scenario: str
    jitter: Jitter
    clock: ClockName
    horizon: float
    """Seconds a call might last; a call that had not ended by then is `still_waiting`."""
    clock_note: str | None = None
    """Why it was real time, where skipped time was wanted."""
    aligned: bool = True
    """Whether every call started 0.25 s after a whole second; if not, the slack is wider."""
    calls: tuple[Call, ...]
    side_calls: tuple[str, ...] = ()
    """Keys of requests that are no call's: before the first call."""
    notes: tuple[str, ...] = ()
