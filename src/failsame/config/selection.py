"""Which scenarios a subject runs, and why it does not run the others."""

from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass
from typing import Literal

from failsame.config.rules import vocabulary
from failsame.errors import UsageError
from failsame.suite import CHAIN, SCENARIOS, Scenario
from failsame.suite.dialects import Dialect, fits
from failsame.words import unknown

NEEDS_SKIPPED_TIME = "needs skipped time"

_CONTROL = "healthy"


@dataclass(frozen=True, slots=True)
class Selection:
    """The scenarios to run, `healthy` first, in the order of the suite; and those left out: name -> why."""

    chosen: tuple[Scenario, ...]
    left_out: Mapping[str, str]


def check_words(words: Iterable[str], own: Collection[Scenario]) -> None:
    """Raise UsageError if a word of the command line is neither the name nor the group of a scenario."""
    known = vocabulary([scenario.name for scenario in own])
    for word in words:
        if word not in known:
            raise UsageError(unknown("scenario or group", word, known))


def select(
    wanted: Collection[str],
    *,
    own: Collection[Scenario],
    dialect: Dialect,
    endpoints: int = 1,
    clock: Literal["skip", "real"],
    horizon: float,
    named: frozenset[str] = frozenset(),
) -> Selection:
    """Choose among the suite and the `own` scenarios.

    `dialect` is that of the first endpoint, `endpoints` how many there are. `wanted` are the names and groups of the
    configuration; if there are none, all, or of several endpoints the chain group. `named` are those of the command
    line, which take the place of `wanted` and also get what real time would leave out. `horizon` is in seconds.
    """
    words = named or wanted or ((CHAIN,) if endpoints > 1 else ())
    chosen: list[Scenario] = []
    left_out: dict[str, str] = {}
    for scenario in (*SCENARIOS.values(), *own):
        is_named = not named.isdisjoint((scenario.name, scenario.group))
        is_control = scenario.name == _CONTROL
        if not is_control and words and scenario.name not in words and scenario.group not in words:
            continue
        why = fits(scenario, dialect, endpoints)
        if why is None and clock == "real" and not is_named and not is_control and _is_long(scenario, horizon):
            why = NEEDS_SKIPPED_TIME
        if why is None:
            chosen.append(scenario)
        else:
            left_out[scenario.name] = why
    return Selection(tuple(chosen), left_out)


def _is_long(scenario: Scenario, horizon: float) -> bool:
    # A script that ends at the horizon would end in a tie.
    return scenario.skipped_time_only or scenario.lasts >= horizon
