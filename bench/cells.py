"""The cells of bench/clock.py: what is measured, and how it has to come out."""

from dataclasses import dataclass

from failsame.observation import JITTER, Call, Jitter, Observation

_HIGH = JITTER["high"]


@dataclass(frozen=True)
class Cell:
    """A subject in a scenario at one jitter, and its last call as it has to come out."""

    subject: str
    scenario: str
    jitter: Jitter
    attempts: int
    took: float
    """Seconds from the call's start to its end: known from the client's source, not measured."""
    outcome: str

    def is_right(self, seen: Observation) -> bool:
        """Whether the call ended as it has to, after as many attempts."""
        call = last_call(seen)
        return (call.outcome, call.attempts) == (self.outcome, self.attempts)

    def __str__(self) -> str:
        return f"{self.subject}, {self.scenario}, {self.jitter}"


def last_call(seen: Observation) -> Call:
    """The call that meets the fault: half-open needs one before it, to have a connection kept."""
    return seen.calls[-1]


def _at_both(subject: str, scenario: str, attempts: int, took: tuple[float, float], outcome: str) -> tuple[Cell, Cell]:
    return (
        Cell(subject, scenario, "low", attempts, took[0], outcome),
        Cell(subject, scenario, "high", attempts, took[1], outcome),
    )


_READ, _CONNECT = "botocore.ReadTimeoutError", "botocore.ConnectTimeoutError"

CELLS = (
    *_at_both("boto3-legacy", "silent", 5, (300, 300 + 15 * _HIGH), _READ),
    *_at_both("boto3", "silent", 3, (180, 180 + 0.15 * _HIGH), _READ),
    *_at_both("boto3", "status-500", 3, (0, 0.15 * _HIGH), "botocore.ClientError"),
    *_at_both("boto3", "connect-blackhole", 3, (180, 180 + 0.15 * _HIGH), _CONNECT),
    # The kept connection is dead, the next one is good.
    *_at_both("boto3", "half-open", 2, (60, 60 + 0.05 * _HIGH), "ok"),
    # aiohttp ends beyond 5 s at whole seconds of the loop's clock, and calls start a quarter past one.
    *_at_both("aiohttp", "silent", 1, (300.75, 300.75), "builtins.TimeoutError"),
    *_at_both("aiohttp-uvloop", "silent", 1, (300.75, 300.75), "builtins.TimeoutError"),
    *_at_both("aiohttp-total-50s", "drip-body", 1, (50.75, 50.75), "builtins.TimeoutError"),
    *_at_both("httpx", "silent", 1, (5, 5), "httpx.ReadTimeout"),
    *_at_both("httpx", "at-4998", 1, (4.998, 4.998), "ok"),
    *_at_both("httpx", "at-5002", 1, (5, 5), "httpx.ReadTimeout"),
    # Waits of 0.5 and 1 s, up to a quarter less.
    *_at_both("openai", "silent", 3, (1801.5, 1801.5 - 1.5 * 0.25 * _HIGH), "openai.APITimeoutError"),
)

SHORT = 10.0
"""Seconds: what takes no longer is measured in real time, too."""

SCALED = ("boto3, silent", "boto3, status-500", "httpx, silent", "httpx, at-4998", "httpx, at-5002")
"""Cells that are measured under libfaketime, too: how their names begin."""
