"""Upgrades as rows: which scenarios drift, in which facts, and which known change that is."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from math import inf

Fact = str | tuple[str, object, object]
"""A fact that drifts; of an exact one also the value before and after."""


@dataclass(frozen=True)
class Pair:
    """Two subjects of the project, one client before and after an upgrade."""

    old: str
    new: str
    drifts: Mapping[str, tuple[Fact, ...]] = field(default_factory=dict)
    """Scenario -> what drifts, strongest first; all others are `same`."""
    beyond: Mapping[str, float] = field(default_factory=dict)
    """Scenario -> the horizon that shows its drift; below, both are still waiting, or it is left out (inf)."""
    advisory: str | None = None
    horizons: tuple[float, float] = (0.0, inf)
    """From and below which horizon this is what shows."""

    def __str__(self) -> str:
        return f"{self.old} to {self.new}"


_FEWER: tuple[Fact, ...] = (("attempts", 5, 3), "give_up")

PAIRS = (
    Pair(
        "s3-before",
        "s3-after",
        {
            **dict.fromkeys(
                ("refused", "status-500", "status-503", "throttled", "retry-after-2", "x-amz-retry-after"), _FEWER
            ),
            "silent": _FEWER,
            "connect-blackhole": _FEWER,
        },
        beyond={"silent": 331, "connect-blackhole": 331, "half-open": inf, "quota-500": inf},
        advisory="botocore-retries-2026",
    ),
    Pair("s3-one-second-before", "s3-one-second-after", {"silent": _FEWER}, advisory="botocore-retries-2026"),
    Pair(
        "dynamodb-before",
        "dynamodb-after",
        {"status-500": (("attempts", 10, 4), "give_up")},
        advisory="botocore-retries-2026",
    ),
    Pair("kms-before", "kms-after", {"status-500": _FEWER}, advisory="botocore-retries-2026"),
    # The setting that the report names restores the old numbers; the other variable does nothing.
    Pair("s3-before", "s3-legacy-after"),
    Pair("s3-after", "s3-new-retries-off-after"),
    Pair(
        "s3-max-attempts-before",
        "s3-max-attempts-after",
        {"status-500": ("give_up",)},
        advisory="botocore-retries-2026",
    ),
    Pair(
        "requests-urllib3-1",
        "requests-urllib3-2-8",
        {"truncated-body": (("data_lost", True, False),)},
        advisory="urllib3-truncated-body",
    ),
    Pair(
        "anthropic-0-18-1",
        "anthropic-0-42-0",
        {"silent": (("still_waiting", True, False),)},
        advisory="anthropic-timeout",
        horizons=(0, 1803),
    ),
    Pair(
        "anthropic-0-18-1",
        "anthropic-0-42-0",
        {"silent": ("give_up",)},
        advisory="anthropic-timeout",
        horizons=(1900, inf),
    ),
    Pair(
        "openai-1-3-9",
        "openai-1-109-1",
        dict.fromkeys(("refused", "status-500", "status-429"), ("give_up",)),
        advisory="openai-waits",
    ),
    Pair(
        "node-timeout-before",
        "node-timeout-after",
        dict.fromkeys(("silent", "stalled-body"), (("still_waiting", False, True),)),
        advisory="smithy-request-timeout",
    ),
    Pair(
        "node-throws-before",
        "node-throws-after",
        {
            "silent": (("outcome", "TimeoutError", "TimeoutError ETIMEDOUT"),),
            "stalled-body": (("still_waiting", False, True),),
            "slow-headers": (("outcome", "ok", "TimeoutError ETIMEDOUT"), ("attempts", 1, 3), "give_up"),
        },
        advisory="smithy-request-timeout",
    ),
    # The setting that the report names restores the old numbers.
    Pair("node-throws-before", "node-watches-after"),
    Pair(
        "node-retry-after-before",
        "node-retry-after-after",
        {"retry-after-2": ("give_up",), "too-many-retry-after-2": ("give_up",)},
        advisory="smithy-retry-after",
    ),
    Pair(
        "axios-0-35-one-second",
        "axios-1-7-one-second",
        {"stalled-body": (("outcome", "AxiosError ECONNABORTED", "AxiosError ERR_BAD_RESPONSE"),)},
    ),
    Pair("axios-1-7", "axios-1-21"),
    Pair("undici-5-one-second", "undici-6-one-second", {"silent": ("give_up",)}),
    # Its parser counts its errors anew since 7, and the client no longer finds their names.
    Pair(
        "undici-6",
        "undici-7",
        {"garbage": (("outcome", "HTTPParserError HPE_INVALID_CONSTANT", "HTTPParserError"),)},
    ),
    Pair("httpx-0-27", "httpx-0-28"),
    Pair("httpx-0-23", "httpx-0-28"),
    Pair("requests-urllib3-2-0", "requests-urllib3-2-8"),
    Pair("tenacity-8", "tenacity-9"),
)
