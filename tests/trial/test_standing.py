"""Trials that are not about time are run again, too, while their time does not stand."""

import asyncio
from dataclasses import dataclass

import pytest

from failsame.clock import TrialTime
from failsame.trial import run


@dataclass(frozen=True)
class Came:
    """What a trial gave, as far as anybody asks here."""

    time: TrialTime


def came_of(monkeypatch: pytest.MonkeyPatch, *times: TrialTime) -> tuple[object, int]:
    """The time of the trial that counted, of these in turn; and how many were run."""
    left = list(times)

    async def one(*_: object) -> Came:
        return Came(left.pop(0))

    monkeypatch.setattr(run, "run_trial", one)
    outcome = asyncio.run(run.standing_trial(None, None, None, None))  # type: ignore[arg-type]
    return outcome.time, len(times) - len(left)


def test_until_it_stands(monkeypatch: pytest.MonkeyPatch) -> None:
    """A thread that took no note of a jump, on a busy machine: once more, and what stands counts."""
    wrong, stands = TrialTime("a thread took no note when time was skipped"), TrialTime()
    assert came_of(monkeypatch, wrong, wrong, stands, wrong) == (stands, 3)


def test_not_where_it_never_will(monkeypatch: pytest.MonkeyPatch) -> None:
    """A client with timers of the kernel's own would have them again: the first will do."""
    never = TrialTime("a timerfd is armed", only_real=True)
    assert came_of(monkeypatch, never, never) == (never, 1)


def test_not_for_ever(monkeypatch: pytest.MonkeyPatch) -> None:
    """After a few the last counts."""
    wrong = TrialTime("time ran like real time")
    assert came_of(monkeypatch, *[wrong] * 9) == (wrong, 4)
