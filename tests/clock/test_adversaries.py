"""Subjects that do what a clock that skips does not expect come out right: skipped, or in real time with the reason."""

import asyncio
from collections.abc import Mapping
from pathlib import Path

import pytest
from tests.clock.adversaries import GEVENT, REAL, SKIPPED, SPINNER, UVLOOP
from tests.facts.measuring import Unwatched, scenario_of

from failsame.gate import Options, Timing, plan, run_measure
from failsame.report import Report

pytestmark = pytest.mark.install

ROOT = Path(__file__).parents[2]
LATE = 3.0
"""Seconds by which a call may end late in real time on a busy machine; one of them starts an interpreter meanwhile."""
EXACT = 0.002
"""The same in skipped time: event loops count milliseconds."""


def measured(folder: Path, subjects: Mapping[str, str], locks: Mapping[str, Path]) -> Report:
    """What `measure --scenario silent` says of these subjects, each with its lock file."""
    lines = ["version: 1", "subjects:"]
    for name, source in subjects.items():
        (folder / f"{name}.py").write_text(source)
        lock = folder / f"{name}.txt"
        lock.write_text(locks[name].read_text() if name in locks else "six==1.17.0\n")
        lines.append(f"  - {{name: {name}, file: {name}.py, lock: {lock.name}}}")
    (folder / "failsame.yml").write_text("\n".join(lines) + "\n")
    planned = plan(Options(folder=folder, scenarios=frozenset({"silent"})))
    return asyncio.run(run_measure(planned, Timing("auto"), Unwatched()))


@pytest.fixture(scope="module")
def report(tmp_path_factory: pytest.TempPathFactory) -> Report:
    """All of them, measured at once."""
    real = {name: source for name, (source, _) in REAL.items()}
    return measured(
        tmp_path_factory.mktemp("adversaries"),
        {**real, **SKIPPED, "on-gevent": GEVENT, "on-uvloop": UVLOOP, "spinner": SPINNER},
        {
            "on-gevent": Path(__file__).parent / "locks/gevent.txt",
            "on-uvloop": ROOT / "bench/clock_subjects/uvloop.txt",
        },
    )


def one_attempt_of_a_second(report: Report, name: str, late: float) -> None:
    """Silence ended by a limit of one second, after one attempt."""
    scenario = scenario_of(report, name, "silent")
    assert scenario is not None
    (calls,) = scenario.calls
    for call in (calls.both,) if calls.both else (calls.low, calls.high):
        assert call is not None
        assert (call.outcome, call.attempts) == ("builtins.TimeoutError", 1)
        assert call.give_up is not None
        assert 1 <= call.give_up <= 1 + late


@pytest.mark.parametrize("name", REAL)
def test_what_cannot_be_skipped_is_measured_in_real_time(report: Report, name: str) -> None:
    """A timer in the kernel, a child without a shim: right, and the report says why."""
    one_attempt_of_a_second(report, name, LATE)
    scenario = scenario_of(report, name, "silent")
    assert scenario is not None
    assert (scenario.clock, scenario.clock_note is not None) == ("real", True)
    assert REAL[name][1] in str(scenario.clock_note)


@pytest.mark.parametrize("name", [*SKIPPED, "on-uvloop", "on-gevent"])
def test_what_is_understood_is_skipped(report: Report, name: str) -> None:
    """Threads, child processes, ignored signals, other event loops: exact, in skipped time."""
    scenario = scenario_of(report, name, "silent")
    assert scenario is not None
    assert (scenario.clock, scenario.clock_note) == ("skip", None)
    one_attempt_of_a_second(report, name, EXACT)


def test_spinning_for_a_second(report: Report) -> None:
    """A loop that does nothing but read the clock gets through its second, by either clock."""
    scenario = scenario_of(report, "spinner", "silent")
    assert scenario is not None
    assert (scenario.clock == "real") == (scenario.clock_note is not None)
    one_attempt_of_a_second(report, "spinner", EXACT if scenario.clock == "skip" else LATE)
