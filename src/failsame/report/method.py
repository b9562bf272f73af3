"""How a subject was measured: how long its calls were watched, and what is worth knowing of its scenarios."""

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from pydantic import JsonValue

from failsame.facts.slack import UNALIGNED
from failsame.observation import ClockName
from failsame.report.durations import duration
from failsame.report.escape import short
from failsame.report.model import ScenarioReport, SubjectReport

_CLOCKS: dict[ClockName, str] = {"skip": "skipped time", "real": "real time"}
_UNALIGNED = f"calls could not start on a whole second, so that times have a slack of {duration(UNALIGNED)}"
_SAMPLED = "its times varied, since something in them could not be held: they are the least and the most that were seen"


@dataclass(frozen=True)
class Said:
    """Words, and the scenarios they hold for; none if they hold for all."""

    words: str
    scenarios: tuple[str, ...] = ()


def clock_words(clock: ClockName) -> str:
    """Name a clock in a sentence."""
    return _CLOCKS[clock]


def watched(subject: SubjectReport) -> tuple[Said, ...]:
    """How long calls were watched: first what holds for most scenarios, then the exceptions by name."""
    groups: dict[tuple[float, ClockName], list[str]] = {}
    for one in subject.scenarios:
        if one.calls:
            groups.setdefault((one.horizon, one.clock), []).append(one.name)
    if not groups:
        return ()
    most = max(groups, key=lambda group: len(groups[group]))
    first = Said(f"{duration(most[0])} of {_CLOCKS[most[1]]}")
    return first, *(
        Said(duration(horizon) if clock == most[1] else f"{duration(horizon)} of {_CLOCKS[clock]}", tuple(names))
        for (horizon, clock), names in groups.items()
        if (horizon, clock) != most
    )


def notes(subject: SubjectReport) -> tuple[Said, ...]:
    """What is worth knowing and never red, each once: of the subject, its clock and its scenarios."""
    names: dict[str, list[str]] = {note: [] for note in subject.notes}
    if not any(one.drifts for one in subject.scenarios):
        names |= {f"its setting {each.scenarios[0]} changed, {each.words}": [] for each in setting_changes(subject)}
    for one in subject.scenarios:
        for note in dict.fromkeys(_of_scenario(one)):
            names.setdefault(note, []).append(one.name)
    return tuple(Said(short(note, 200), tuple(of)) for note, of in names.items())


def setting(name: str, value: JsonValue) -> str:
    """Say a setting's value: a timeout is seconds, in every client that the probe can read."""
    if isinstance(value, bool):
        return "true" if value else "false"
    return f"{value} s" if isinstance(value, int | float) and name.endswith("timeout") else str(value)


def settings(values: Mapping[str, str | float | int | bool | None]) -> tuple[Said, ...]:
    """All settings by name, each with its value in words."""
    return tuple(Said(setting(name, values[name]), (name,)) for name in sorted(values))


def setting_changes(subject: SubjectReport) -> tuple[Said, ...]:
    """All settings that changed by name, each with both values in words."""
    return tuple(
        Said(f"{_shown(each.setting, each.before)} → {_shown(each.setting, each.after)}", (each.setting,))
        for each in subject.setting_changes
    )


def _shown(name: str, value: JsonValue) -> str:
    return "not shown" if value is None else short(setting(name, value))


def _of_scenario(one: ScenarioReport) -> Iterator[str]:
    if one.clock_note:
        yield one.clock_note
    if one.calls and not one.aligned:
        yield _UNALIGNED
    if any(map(_was_sampled, one.before.values())):
        yield _SAMPLED
    yield from one.notes


def _was_sampled(facts: Mapping[str, JsonValue]) -> bool:
    # As a baseline writes it: on its own, at one jitter, or within a list.
    return any(isinstance(value, list | dict) and '{"sampled": [' in json.dumps(value) for value in facts.values())
