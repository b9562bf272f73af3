"""Rules that many projects have in common, by name: a new row is how the catalogue grows."""

from collections.abc import Mapping
from dataclasses import dataclass, field


@dataclass(frozen=True)
class Named:
    """A rule to switch on by its name. What it needs declared stands with an example, what has a default with that."""

    name: str
    rule: str
    because: str
    """Completes "it has to hold because …"."""
    why: str
    """What happens where it does not hold."""
    remedy: str
    source: str
    """Where its number, or the advice, comes from: an address."""
    needs: Mapping[str, str] = field(default_factory=dict)
    """Declared term -> an example."""
    defaults: Mapping[str, str] = field(default_factory=dict)
    """Declared term -> what it is unless the subject declares it."""


_LAMBDA = "https://docs.aws.amazon.com/lambda/latest/dg"

_SHORTER = (
    "Lower the client's timeouts or its attempts until attempts x timeout, and the waits between them, end before "
    "that; a call without any timeout needs one first."
)

_ALL = (
    Named(
        name="function-timeout",
        rule="give_up.max < function_timeout",
        because="the function must fail by itself, before the platform cuts it off",
        why="A function that reaches its timeout is ended in the middle of whatever it does: it logs no error of its "
        "own, cleans nothing up, and the time it waited is paid for.",
        remedy=_SHORTER,
        source=f"{_LAMBDA}/configuration-timeout.html",
        needs={"function_timeout": "30s"},
    ),
    Named(
        name="default-function-timeout",
        rule="give_up.max < 3s",
        because="a function whose timeout nobody set is cut off after 3 s",
        why="3 s is what AWS Lambda gives a function by default, less than a single attempt of most SDKs.",
        remedy=f"{_SHORTER} Or set the function's timeout, and use the budget function-timeout.",
        source=f"{_LAMBDA}/configuration-timeout.html",
    ),
    Named(
        name="api-gateway",
        rule="give_up.max < 29s",
        because="an API gateway answers 504 after 29 s, whatever the function behind it still does",
        why="Whoever called has an error by then, while the function works, and is paid for, until its own timeout.",
        remedy=_SHORTER,
        source="https://docs.aws.amazon.com/apigateway/latest/developerguide/api-gateway-execution-service-limits-table.html",
    ),
    Named(
        name="async-invocations",
        rule="async_invocations * attempts.max <= most_requests",
        because="Lambda calls a failing function three times when it was invoked asynchronously, and each one retries",
        why="Attempts multiply: 3 invocations of a client that tries 3 times are 9 requests to a service that is down, "
        "and 9 times the effect of a request that did arrive.",
        remedy="Lower the client's attempts, or the function's MaximumRetryAttempts and declare async_invocations.",
        source=f"{_LAMBDA}/invocation-async-error-handling.html",
        needs={"most_requests": "9"},
        defaults={"async_invocations": "3"},
    ),
    Named(
        name="sqs-visibility",
        rule="visibility_timeout >= 6 * function_timeout",
        because="a queue's visibility timeout should be six times the timeout of the function that reads it",
        why="A message is handed out again while its first delivery is still being worked on or retried.",
        remedy="Raise the queue's VisibilityTimeout, or lower the function's timeout.",
        source=f"{_LAMBDA}/services-sqs-configure.html",
        needs={"visibility_timeout": "3min", "function_timeout": "30s"},
    ),
    Named(
        name="sqs-read-timeout",
        rule="visibility_timeout > settings.read_timeout",
        because="a message must stay hidden for longer than its reader waits for the answer that brings it",
        why="A client that still waits for ReceiveMessage may have taken the messages already: if they become visible "
        "before it gives up, another consumer gets them too.",
        remedy="Raise the queue's VisibilityTimeout, or lower the client's read timeout to a little over its "
        "WaitTimeSeconds.",
        source="https://docs.aws.amazon.com/AWSSimpleQueueService/latest/SQSDeveloperGuide/"
        "working-with-visibility-timeouts.html",
        needs={"visibility_timeout": "3min"},
    ),
    Named(
        name="shared-deadline",
        rule="give_up.max + clean_up + reserve <= platform_timeout",
        because="what comes after the last failure needs time too, before the platform stops the process",
        why="Timeouts that add up to the platform's own leave no time to report the failure, to release what is held "
        "or to hand the work back.",
        remedy="Make one deadline outside of all retries and fallbacks, and give each call what is left of it.",
        source="https://sre.google/sre-book/addressing-cascading-failures/",
        needs={"clean_up": "30s", "platform_timeout": "150s"},
        defaults={"reserve": "10s"},
    ),
    Named(
        name="retry-after",
        rule="waits.floor in retry-after-2 >= 2s",
        because="a service that says when to come back should not be asked before",
        why="A retry that comes too early fails like the one before it, uses up an attempt, and keeps a service down "
        "that asks for rest. A client that does not retry keeps this budget.",
        remedy="Switch on what the client has for it (urllib3's respect_retry_after_header, a retry strategy that "
        "reads the header), or wait in your own retry loop.",
        source="https://www.rfc-editor.org/rfc/rfc9110#name-retry-after",
    ),
    Named(
        name="retry-after-in-time",
        rule="give_up.max in retry-after-huge < time_left",
        because="a service must not be able to make its caller sleep past its own deadline",
        why="A client that obeys any Retry-After sleeps for as long as a failing, or hostile, server tells it to.",
        remedy="Cap the wait: most retry strategies have a longest one. Where there is none, give up at once if the "
        "wait is longer than what is left.",
        source="https://www.rfc-editor.org/rfc/rfc9110#name-retry-after",
        needs={"time_left": "30s"},
    ),
    Named(
        name="amplification",
        rule="attempts.max * attempts_above <= most_attempts",
        because="every layer that retries multiplies the attempts of those below it",
        why="Three layers that try four times each make 64 requests of one; in an outage that is what keeps the "
        "service down.",
        remedy="Retry in one layer only, the one that knows most; set the attempts of the others to 1.",
        source="https://sre.google/sre-book/addressing-cascading-failures/",
        needs={"attempts_above": "3", "most_attempts": "9"},
    ),
    Named(
        name="connect-timeout",
        rule="settings.connect_timeout > dial_time",
        because="a connect timeout below the slowest healthy dial fails calls that would have succeeded",
        why="A dial over a distance, with a TLS handshake, or after a lost SYN (sent again after 1 s) takes longer "
        "than the timeout: healthy services look as if they were down.",
        remedy="Raise the connect timeout above the slowest dial that you measured, the 99.9th percentile for one.",
        source="https://aws.amazon.com/builders-library/timeouts-retries-and-backoff-with-jitter/",
        needs={"dial_time": "250ms"},
    ),
)

CATALOGUE: Mapping[str, Named] = {named.name: named for named in _ALL}
"""Every named rule, in the order of the documentation."""
