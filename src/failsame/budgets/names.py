"""The terms there are: what is measured, the settings that clients show, and the functions."""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import get_args

from failsame.budgets.amount import Amount, largest, smallest, total
from failsame.budgets.tree import End
from failsame.budgets.units import PLAIN, SECONDS, Dimension


@dataclass(frozen=True)
class Measure:
    """A measured term: what it counts, and its words in the documentation."""

    dimension: Dimension
    what: str


MEASURES: Mapping[str, Measure] = {
    "give_up": Measure(
        SECONDS, "how long a call lasts, from its start to its return, its error or the end of its process"
    ),
    "attempts": Measure(PLAIN, "how often a call tries"),
    "waits": Measure(SECONDS, "each wait before a retry, from the end of the answer"),
    "connections": Measure(PLAIN, "how many connections a call opens"),
}

ENDS: Mapping[End, str] = {
    "floor": "the least, over the calls of all its scenarios, with the luckiest random waits",
    "ceiling": "the most, with the unluckiest random waits",
    "max": "the same number as the ceiling, for what is counted over many scenarios",
}

SETTINGS: Mapping[str, Dimension] = {
    "connect_timeout": SECONDS,
    "read_timeout": SECONDS,
    "request_timeout": SECONDS,
    "socket_timeout": SECONDS,
    "total_timeout": SECONDS,
    "timeout": SECONDS,
    "max_attempts": PLAIN,
    "max_retries": PLAIN,
}
"""The settings that are numbers, as the probes read them off a client."""

FUNCTIONS: Mapping[str, Callable[[Iterable[Amount]], Amount]] = {"min": smallest, "max": largest, "sum": total}

RESERVED = frozenset({*MEASURES, *get_args(End), *FUNCTIONS, "settings", "in"})
"""Names that nothing can be declared under."""


def setting_named(name: str) -> str:
    """The term of a setting."""
    return f"settings.{name}"


def setting_of(term: str) -> str:
    """The setting that a term names."""
    return term.removeprefix("settings.")
