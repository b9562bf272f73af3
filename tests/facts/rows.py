"""Measured facts as rows: what a client does in a scenario. Sources: measured with the published packages, 2026-11."""

from dataclasses import dataclass
from math import inf

from tests.facts.waits import NONE, Waits, fixed, full_jitter, up_to_a_quarter_less

from failsame.observation import Jitter


@dataclass(frozen=True)
class Row:
    """A scenario as it has to come out: its attempts are one more than its waits, and each takes `each` seconds."""

    subject: str
    scenario: str
    outcome: str
    waits: Waits = NONE
    each: float = 0.0
    calls: range = range(1, 2)
    data_lost: bool = False

    @property
    def attempts(self) -> int:
        """Attempts of each call."""
        return 1 + len(self.waits.low)

    def starts(self, jitter: Jitter) -> list[float]:
        """When its attempts start, and at last when it gives up."""
        return self.waits.starts(jitter, self.each)

    def __str__(self) -> str:
        which = "" if len(self.calls) == 1 and self.calls[0] == 1 else f" calls {self.calls[0]}-{self.calls[-1]}"
        return f"{self.subject} {self.scenario}{which}"


LEGACY = full_jitter(1, 2, 4, 8)  # botocore before 1.44: rand(0, 1) x 2^i
STANDARD = full_jitter(0.05, 0.1)  # since 1.44: rand(0, 1) x min(0.05 x 2^i, 20)
THROTTLED = full_jitter(1, 2)  # since 1.44, of a throttling error: rand(0, 1) x min(1 x 2^i, 20)
OPENAI = up_to_a_quarter_less(0.5, 1)

_INTERNAL = "botocore.ClientError InternalError"
_REFUSED = "botocore.EndpointConnectionError"
_NEVER = "never, at any horizon"

BOTOCORE_BEFORE = (
    Row("s3-before", "refused", _REFUSED, LEGACY),
    Row("s3-before", "status-500", _INTERNAL, LEGACY),
    Row("s3-before", "status-503", "botocore.ClientError ServiceUnavailable", LEGACY),
    Row("s3-before", "throttled", "botocore.ClientError SlowDown", LEGACY),
    # Neither header was ever read.
    Row("s3-before", "retry-after-2", "botocore.ClientError ServiceUnavailable", LEGACY),
    Row("s3-before", "x-amz-retry-after", _INTERNAL, LEGACY),
    Row("s3-before", "silent", "botocore.ReadTimeoutError", LEGACY, each=60),
    Row("s3-before", "connect-blackhole", "botocore.ConnectTimeoutError", LEGACY, each=60),
    Row("s3-before", "quota-500", _INTERNAL, LEGACY, calls=range(1, 71)),
    Row("s3-one-second-before", "silent", "botocore.ReadTimeoutError", LEGACY, each=1),
    # 0.05 x 2^i without jitter.
    Row(
        "dynamodb-before",
        "status-500",
        "botocore.InternalServerError InternalServerError",
        fixed(0.05, 0.1, 0.2, 0.4, 0.8, 1.6, 3.2, 6.4, 12.8),
    ),
    Row("kms-before", "status-500", "botocore.ClientError InternalFailure", LEGACY),
    Row("s3-max-attempts-before", "status-500", _INTERNAL, full_jitter(1, 2, 4, 8, 16)),
)

BOTOCORE_AFTER = (
    Row("s3-after", "refused", _REFUSED, STANDARD),
    Row("s3-after", "status-500", _INTERNAL, STANDARD),
    Row("s3-after", "status-503", "botocore.ClientError ServiceUnavailable", STANDARD),
    Row("s3-after", "throttled", "botocore.ClientError SlowDown", THROTTLED),
    # Only AWS's own header is read: raised to 1.5 s, whatever was drawn.
    Row("s3-after", "retry-after-2", "botocore.ClientError ServiceUnavailable", STANDARD),
    Row("s3-after", "x-amz-retry-after", _INTERNAL, fixed(1.5, 1.5)),
    Row("s3-after", "silent", "botocore.ReadTimeoutError", STANDARD, each=60),
    Row("s3-after", "connect-blackhole", "botocore.ConnectTimeoutError", STANDARD, each=60),
    # A retry costs 14 of 500 tokens: 17 calls with two retries, one with one, and then none.
    Row("s3-after", "outage", _INTERNAL, STANDARD, calls=range(1, 18)),
    Row("s3-after", "outage", _INTERNAL, full_jitter(0.05), calls=range(18, 19)),
    Row("s3-after", "outage", _INTERNAL, calls=range(19, 21)),
    Row("s3-after", "quota-500", _INTERNAL, STANDARD, calls=range(1, 18)),
    Row("s3-after", "quota-500", _INTERNAL, full_jitter(0.05), calls=range(18, 19)),
    Row("s3-after", "quota-500", _INTERNAL, calls=range(19, 71)),
    Row("s3-one-second-after", "silent", "botocore.ReadTimeoutError", STANDARD, each=1),
    Row(
        "dynamodb-after",
        "status-500",
        "botocore.InternalServerError InternalServerError",
        full_jitter(0.025, 0.05, 0.1),
    ),
    Row("kms-after", "status-500", "botocore.ClientError InternalFailure", STANDARD),
    Row("s3-new-retries-off-after", "status-500", _INTERNAL, STANDARD),
    # `max_attempts` of a client's configuration counts retries.
    Row("s3-max-attempts-after", "status-500", _INTERNAL, full_jitter(0.05, 0.1, 0.2, 0.4, 0.8)),
)

LEGACY_MODE = (
    Row("s3-legacy-after", "refused", _REFUSED, LEGACY),
    Row("s3-legacy-after", "status-500", _INTERNAL, LEGACY),
    Row("s3-legacy-after", "throttled", "botocore.ClientError SlowDown", LEGACY),
)

OTHERS = (
    Row("requests-urllib3-1", "truncated-body", "ok", data_lost=True),
    Row("requests-urllib3-2-8", "truncated-body", "requests.ChunkedEncodingError"),
    # The client's timeout was not obeyed, the default of 600 s was.
    Row("anthropic-0-18-1", "silent", "anthropic.APITimeoutError", up_to_a_quarter_less(1, 2), each=600),
    Row("anthropic-0-42-0", "silent", "anthropic.APITimeoutError", OPENAI, each=1),
    Row("openai-1-3-9", "status-500", "openai.InternalServerError 500", up_to_a_quarter_less(1, 2)),
    Row("openai-1-109-1", "status-500", "openai.InternalServerError 500", OPENAI),
)

DEFAULTS_TODAY = (
    Row("openai-today", "status-500", "openai.InternalServerError 500", OPENAI),
    Row("openai-today", "connect-blackhole", "openai.APITimeoutError", OPENAI, each=5),
    Row("openai-today", "silent", "openai.APITimeoutError", OPENAI, each=600),
    Row("openai-today", "retry-after-2", "openai.InternalServerError 503", fixed(2, 2)),
    Row("anthropic-today", "status-500", "anthropic.InternalServerError 500", OPENAI),
    Row("anthropic-today", "connect-blackhole", "anthropic.APITimeoutError", OPENAI, each=5),
    Row("anthropic-today", "silent", "anthropic.APITimeoutError", OPENAI, each=600),
    Row("anthropic-today", "retry-after-2", "anthropic.ServiceUnavailableError 503", fixed(2, 2)),
    Row("httpx-0-28", "connect-blackhole", "httpx.ConnectTimeout", each=5),
    Row("httpx-0-28", "silent", "httpx.ReadTimeout", each=5),
    Row("httpx-0-28", "status-500", "httpx.HTTPStatusError 500"),
    # Beyond 5 s aiohttp ends at whole seconds of the loop's clock, and calls start a quarter past one.
    Row("aiohttp-today", "connect-blackhole", "aiohttp.ConnectionTimeoutError", each=30.75),
    Row("aiohttp-today", "silent", "builtins.TimeoutError", each=300.75),
    Row("aiohttp-today", "status-500", "aiohttp.ClientResponseError 500"),
    Row("aiohttp-today", "closes-on-reuse", "ok", calls=range(1, 2)),
    Row("aiohttp-today", "closes-on-reuse", "ok", fixed(0), calls=range(2, 3)),
    Row("requests-urllib3-2-8", "silent", _NEVER, each=inf),
    Row("requests-urllib3-2-8", "status-500", "requests.HTTPError 500"),
    Row("urllib3-today", "silent", _NEVER, each=inf),
    Row("urllib3-today", "refused", "urllib3.MaxRetryError", fixed(0, 0, 0)),
    Row("urllib3-today", "close-after-request", "urllib3.MaxRetryError", fixed(0, 0, 0)),
    Row("urllib3-today", "status-500", "builtins.RuntimeError"),
)

SMITHY = full_jitter(0.1, 0.2)  # rand(0, 1) x min(0.1 x 2^i, 20)
SMITHY_THROTTLED = full_jitter(0.5, 1)


def _held_back(*ceilings: float) -> Waits:
    """Asked to wait longer than that, the SDK waits 5 s beyond its own wait."""
    own = full_jitter(*ceilings)
    return Waits(tuple(5 + wait for wait in own.low), tuple(5 + wait for wait in own.high))


_NODE_INTERNAL = "S3ServiceException InternalError"
_NODE_SLOW_DOWN = "S3ServiceException SlowDown"
_NODE_UNAVAILABLE = "S3ServiceException ServiceUnavailable"

AWS_SDK_FOR_JAVASCRIPT = (
    Row("node-s3", "status-500", _NODE_INTERNAL, SMITHY),
    Row("node-s3", "throttled", _NODE_SLOW_DOWN, SMITHY_THROTTLED),
    Row("node-s3", "retry-after-2", _NODE_UNAVAILABLE, fixed(2, 2)),
    Row("node-s3", "retry-after-30", _NODE_UNAVAILABLE, _held_back(0.1, 0.2)),
    Row("node-s3", "slow-down-retry-after-2", _NODE_SLOW_DOWN, fixed(2, 2)),
    Row("node-s3", "slow-down-retry-after-30", _NODE_SLOW_DOWN, _held_back(0.5, 1)),
    # A retry costs 10 of 500 tokens, a throttled one 5: a success gives one back.
    Row("node-s3", "quota-500", _NODE_INTERNAL, SMITHY, calls=range(1, 26)),
    Row("node-s3", "quota-500", _NODE_INTERNAL, calls=range(26, 71)),
    Row("node-s3", "quota-throttled", _NODE_SLOW_DOWN, SMITHY_THROTTLED, calls=range(1, 51)),
    Row("node-s3", "quota-throttled", _NODE_SLOW_DOWN, calls=range(51, 71)),
    Row("node-s3", "quota-refill", _NODE_INTERNAL, SMITHY, calls=range(1, 26)),
    Row("node-s3", "quota-refill", _NODE_INTERNAL, calls=range(26, 71)),
    Row("node-s3", "quota-refill", "ok", calls=range(71, 81)),
    Row("node-s3", "quota-refill", _NODE_INTERNAL, full_jitter(0.1), calls=range(81, 82)),
    Row("node-s3", "quota-refill", _NODE_INTERNAL, calls=range(82, 84)),
    Row("node-s3-rules-of-2026", "status-500", _NODE_INTERNAL, STANDARD),
    Row("node-s3-rules-of-2026", "throttled", _NODE_SLOW_DOWN, THROTTLED),
    Row("node-s3-rules-of-2026", "quota-500", _NODE_INTERNAL, STANDARD, calls=range(1, 18)),
    Row("node-s3-rules-of-2026", "quota-500", _NODE_INTERNAL, full_jitter(0.05), calls=range(18, 19)),
    Row("node-s3-rules-of-2026", "quota-500", _NODE_INTERNAL, calls=range(19, 71)),
    Row("node-s3", "silent", _NEVER, each=inf),
    Row("node-s3-request-timeout", "silent", _NEVER, each=inf),
    Row("node-s3-throws-after-2s", "silent", "TimeoutError ETIMEDOUT", SMITHY, each=2),
    Row("node-s3-throws-after-5s", "silent", "TimeoutError ETIMEDOUT", SMITHY, each=5),
    Row("node-s3-handler-4-3", "silent", "TimeoutError", SMITHY, each=2),
    Row("node-s3-socket-timeout", "silent", "TimeoutError", SMITHY, each=2),
    Row("node-s3-socket-timeout", "drip-body", "ok", each=63),
)

NODE = (
    Row("node-timeout-before", "silent", "TimeoutError", SMITHY, each=1),
    Row("node-timeout-after", "silent", _NEVER, each=inf),
    Row("node-throws-before", "stalled-body", "Error ECONNRESET", each=1),
    Row("node-throws-after", "stalled-body", _NEVER, each=inf),
    Row("node-watches-after", "stalled-body", "Error ECONNRESET", each=1),
    Row("node-throws-before", "slow-headers", "ok", each=7),
    Row("node-throws-after", "slow-headers", "TimeoutError ETIMEDOUT", SMITHY, each=1),
    Row("node-retry-after-before", "retry-after-2", _NODE_UNAVAILABLE, SMITHY),
    Row("node-retry-after-after", "retry-after-2", _NODE_UNAVAILABLE, fixed(2, 2)),
    Row("node-retry-after-before", "too-many-retry-after-2", "S3ServiceException TooManyRequests", SMITHY_THROTTLED),
    Row("node-retry-after-after", "too-many-retry-after-2", "S3ServiceException TooManyRequests", fixed(2, 2)),
    Row("axios-0-35-one-second", "stalled-body", "AxiosError ECONNABORTED", each=1),
    Row("axios-1-7-one-second", "stalled-body", "AxiosError ERR_BAD_RESPONSE", each=1),
    # By a clock of their own half seconds; fetch's defaults are 300 s.
    Row("undici-5-one-second", "silent", "HeadersTimeoutError UND_ERR_HEADERS_TIMEOUT", each=2),
    Row("undici-6-one-second", "silent", "HeadersTimeoutError UND_ERR_HEADERS_TIMEOUT", each=1.5),
    Row("fetch", "silent", "TypeError UND_ERR_HEADERS_TIMEOUT", each=300.4),
    Row("axios-1-21", "silent", _NEVER, each=inf),
    Row("axios-1-21", "status-500", "AxiosError ERR_BAD_RESPONSE"),
    Row("undici-7", "silent", "HeadersTimeoutError UND_ERR_HEADERS_TIMEOUT", each=300.4),
    Row("undici-7", "status-500", "Error 500"),
)

ROWS = (
    *BOTOCORE_BEFORE,
    *BOTOCORE_AFTER,
    *LEGACY_MODE,
    *OTHERS,
    *DEFAULTS_TODAY,
    *AWS_SDK_FOR_JAVASCRIPT,
    *NODE,
)
