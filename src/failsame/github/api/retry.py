"""When to ask GitHub again, and how long to wait before: a table over what it answered.

https://docs.github.com/en/rest/using-the-rest-api/best-practices-for-using-the-rest-api and
https://docs.github.com/en/rest/using-the-rest-api/rate-limits-for-the-rest-api.
"""

import random
from collections.abc import Mapping
from dataclasses import dataclass

ATTEMPTS = 5
LONGEST = 300.0
"""Seconds. A wait that would end later is not begun: a runner costs money, and a person can press a button."""

_RATE_LIMITED = frozenset({403, 429})
_PASSING = frozenset({408, 500, 502, 503, 504})
_SECONDARY = 60.0
"""Where GitHub does not say how long: "wait for at least one minute", then exponentially longer."""


@dataclass(frozen=True)
class Failed:
    """An answer that is none. `status` is None where nothing came back; header names are in lower case."""

    status: int | None
    headers: Mapping[str, str]
    message: str = ""
    sent: bool = True
    """Whether the request may have reached GitHub."""

    @property
    def rate_limited(self) -> bool:
        """Whether this is GitHub's way to say "not now", and not "not you"."""
        return self.status in _RATE_LIMITED and (
            self.status == 429  # noqa: PLR2004 - it means nothing else
            or "retry-after" in self.headers
            or self.headers.get("x-ratelimit-remaining") == "0"
            or "rate limit" in self.message.lower()
        )


def worth_it(failed: Failed, *, repeatable: bool) -> bool:
    """Whether to ask again. What is not `repeatable` is only repeated when GitHub certainly did nothing about it."""
    if failed.rate_limited or not failed.sent:
        return True
    return repeatable and (failed.status is None or failed.status in _PASSING)


def wait(failed: Failed, attempt: int, *, now: float) -> float:
    """Seconds to wait before asking again. `attempt` counts from 1, `now` is the wall clock's."""
    told = _told(failed, now)
    if told is not None:
        return told
    factor = 2.0 ** (attempt - 1)
    return _SECONDARY * factor if failed.rate_limited else factor * random.uniform(0.5, 1)


def _told(failed: Failed, now: float) -> float | None:
    """What the headers say. A Retry-After with a date is not something that GitHub sends."""
    after, reset = failed.headers.get("retry-after", ""), failed.headers.get("x-ratelimit-reset", "")
    if after.isdecimal():
        return float(after)
    if failed.headers.get("x-ratelimit-remaining") == "0" and reset.isdecimal():
        # A second more: the header has whole ones.
        return max(float(reset) - now + 1, 1.0)
    return None
