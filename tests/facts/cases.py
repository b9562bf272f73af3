"""The standard retry mode, case by case, as two AWS teams tabulated it.

The facts are those of aws-sdk-go-v2 (aws/retry/retry2026_test.go) and botocore
(tests/unit/retries/test_standard_retry_v2_1.py). What they say of tokens left shows in the attempts that follow.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from math import inf

from tests.facts.waits import HIGH

from failsame.suite import Answer, Failure, Good, Phase, Scenario

_XML = "<Error><Code>Throttling</Code><Message>Rate exceeded</Message></Error>"
_JSON = '{"__type": "Throttling", "message": "Rate exceeded"}'

OK = Good()
INTERNAL = Failure(status=500)
BAD_GATEWAY = Failure(status=502)
NOT_FOUND = Failure(status=404)


def told_to_wait(header: str) -> Failure:
    """500 with AWS's own header, in milliseconds."""
    return Failure(status=500, headers={"x-amz-retry-after": header})


@dataclass(frozen=True)
class Call:
    """One call: the answers to its attempts, and how long the client waits after each but the last."""

    answers: Sequence[Answer]
    waits: Sequence[float] = ()
    before_error: float = 0.0
    """Seconds that it waits before it gives up: a long poll without a token for a retry."""

    @property
    def succeeds(self) -> bool:
        """Whether its last answer is good."""
        return isinstance(self.answers[-1], Good)


def drawn(*ceilings: float) -> tuple[float, ...]:
    """Waits at jitter high."""
    return tuple(HIGH * ceiling for ceiling in ceilings)


@dataclass(frozen=True)
class Case:
    """One case of the tables."""

    name: str
    calls: Sequence[Call]
    service: str = "s3"
    tokens: int | None = None
    max_attempts: int | None = None
    max_backoff: float | None = None

    @property
    def scenario(self) -> Scenario:
        """The case as a scenario; every answer has its attempt, and the last one is for ever."""
        return Scenario(
            name=self.name.replace(" ", "-"),
            group="own",
            when=self.name,
            shows="a case of the standard retry mode",
            phases=tuple(Phase(answers=tuple(call.answers)) for call in self.calls),
        )

    @property
    def variables(self) -> tuple[tuple[str, str], ...]:
        """What the subject is told of the case."""
        given = {
            "CASE_TOKENS": self.tokens,
            "CASE_MAX_ATTEMPTS": self.max_attempts,
            "CASE_MAX_BACKOFF": self.max_backoff,
        }
        return tuple((name, str(value)) for name, value in given.items() if value is not None)

    @property
    def lasts(self) -> float:
        """Seconds of its longest call."""
        return max(sum(call.waits) + call.before_error for call in self.calls)

    def __str__(self) -> str:
        return self.name


_THROTTLED = Failure(status=400, body=_XML)
_POLL_THROTTLED = Failure(status=400, body=_JSON)

CASES = (
    Case("retry eventually succeeds", [Call([INTERNAL, INTERNAL, OK], drawn(0.05, 0.1))]),
    Case("fail due to max attempts reached", [Call([BAD_GATEWAY] * 3, drawn(0.05, 0.1))]),
    Case("quota reached after a single retry", [Call([INTERNAL] * 2, drawn(0.05))], tokens=14),
    Case("no retries at all if quota is 0", [Call([INTERNAL])], tokens=0),
    Case("exponential backoff", [Call([INTERNAL] * 5, drawn(0.05, 0.1, 0.2, 0.4))], max_attempts=5),
    Case("max backoff", [Call([INTERNAL] * 5, drawn(0.05, 0.1, 0.2, 0.2))], max_attempts=5, max_backoff=0.2),
    Case("quota exhausted", [Call([INTERNAL, BAD_GATEWAY], drawn(0.05))], max_attempts=5, tokens=20),
    Case(
        "quota recovered by successes",
        [
            Call([INTERNAL, BAD_GATEWAY, OK], drawn(0.05, 0.1)),
            Call([INTERNAL, OK], drawn(0.05)),
        ],
        max_attempts=5,
        tokens=30,
    ),
    Case("throttling waits longer", [Call([_THROTTLED, OK], drawn(1))]),
    Case("dynamodb", [Call([INTERNAL] * 4, drawn(0.025, 0.05, 0.1))], service="dynamodb"),
    Case("long poll waits without quota", [Call([INTERNAL], before_error=HIGH * 0.05)], service="sqs", tokens=0),
    # The other SDKs wait 0.05 s here; botocore draws this wait, too, by the scale of the error.
    Case(
        "throttled long poll waits without quota",
        [Call([_POLL_THROTTLED], before_error=HIGH)],
        service="sqs",
        tokens=0,
    ),
    Case(
        "long poll at max attempts does not wait",
        [Call([INTERNAL] * 2, drawn(0.05))],
        service="sqs",
        max_attempts=2,
    ),
    Case(
        "long poll that succeeds does not wait",
        [Call([INTERNAL, OK], drawn(0.05))],
        service="sqs",
        max_attempts=2,
    ),
    Case("long poll that is not retried does not wait", [Call([NOT_FOUND])], service="sqs", max_attempts=2),
    Case("retry-after is honoured", [Call([told_to_wait("1500"), OK], (1.5,))]),
    Case("retry-after is at least the drawn wait", [Call([told_to_wait("0"), OK], drawn(0.05))]),
    Case("retry-after is at most 5 s more", [Call([told_to_wait("10000"), OK], (5 + HIGH * 0.05,))]),
    Case("retry-after that is no number", [Call([told_to_wait("invalid"), OK], drawn(0.05))]),
    # botocore's own: the doubling up to the cap of 20 s.
    Case(
        "ten attempts",
        [Call([INTERNAL] * 10, drawn(0.05, 0.1, 0.2, 0.4, 0.8, 1.6, 3.2, 6.4, 12.8))],
        max_attempts=10,
    ),
    Case(
        "twelve attempts",
        [Call([INTERNAL] * 12, drawn(0.05, 0.1, 0.2, 0.4, 0.8, 1.6, 3.2, 6.4, 12.8, 20, 20))],
        max_attempts=12,
    ),
)


def that_end_before(horizon: float = inf) -> tuple[Case, ...]:
    """The cases of which a clock with this horizon sees the end."""
    return tuple(case for case in CASES if case.lasts < horizon)
