"""What a row is called: the scenarios it holds for, the best known first, the rest as a number."""

import re
from collections.abc import Iterable, Sequence
from typing import Final

from failsame.report.escape import short
from failsame.report.model import ScenarioReport
from failsame.suite.scenarios import SCENARIOS

_FAMILIAR: Final = (
    # The four that tell most of a client: every engineer has met them.
    "silent",
    "status-500",
    "throttled",
    "quota-500",
    "refused",
    "reset-after-request",
    "status-503",
    "connect-blackhole",
    "close-after-request",
    "status-502",
    "status-504",
    "status-429",
    "fails-once",
    "fails-twice",
    "stalled-body",
    "truncated-body",
    "reset-mid-body",
    "silent-once",
    "reset-once",
    "close-once",
    "closes-on-reuse",
    "resets-on-reuse",
    "half-open",
    "late-3s",
    "late-10s",
    "late-45s",
    "retry-after-2",
    "retry-after-30",
    "status-408",
    "tls-stall",
    "slow-headers",
    "drip-body",
    "retry-after-date",
    "retry-after-huge",
    "x-amz-retry-after",
    "quota-throttled",
    "quota-refill",
    "error-in-200",
    "bad-checksum",
    "clock-skew",
    "garbage",
    "all-silent",
    "first-silent",
    "all-500",
    "first-500",
    "first-refused",
    "first-drip",
    "first-late-then-silent",
    "status-404",
    "status-403",
    "healthy",
)
_PLACE: Final = {name: place for place, name in enumerate(_FAMILIAR)}
_NAMED = 3
_ANSWERS = re.compile(r"answers (\d{3})")


def familiarity(scenario: str) -> int:
    """The place of a scenario among all, the best known first. A project's own ones are best known to its readers."""
    return _PLACE.get(scenario, len(_PLACE) if scenario in SCENARIOS else -1)


def when(scenario: ScenarioReport) -> str:
    """Complete "when the service …": in the suite's words, or in those of an own scenario."""
    known = SCENARIOS.get(scenario.name)
    return short(scenario.when or (known.when if known else f"goes through {scenario.name}"), 120)


def unnamed(words: Sequence[str]) -> int:
    """How many of these scenarios a row does not name; never a single one, which is as long as saying so."""
    rest = len(words) - _NAMED
    return rest if rest > 1 else 0


def in_cell(words: Sequence[str]) -> str:
    """Name scenarios in a table: `answers 500 or 503, refuses connections, and 9 more`."""
    rest = unnamed(words)
    return f"{', '.join(_grouped(words[:_NAMED]))}, and {rest} more" if rest else either(_grouped(words))


def in_sentence(words: Sequence[str]) -> str:
    """Name scenarios in a sentence: `answers 500 (and in 11 more scenarios)`."""
    return f"{words[0]} (and in {len(words) - 1} more scenarios)" if unnamed(words) else either(_grouped(words))


def either(words: Sequence[str]) -> str:
    """Join with commas and a last "or"."""
    return " or ".join([", ".join(words[:-1]), words[-1]] if len(words) > 1 else words)


def _grouped(words: Iterable[str]) -> list[str]:
    """Statuses as one, in the place of the first: `answers 500, 502 or 503`."""
    grouped: dict[str, list[str]] = {}
    for word in words:
        match = _ANSWERS.fullmatch(word)
        grouped.setdefault("answers" if match else word, []).append(match[1] if match else word)
    return [f"answers {either(same)}" if word == "answers" else word for word, same in grouped.items()]
