"""Measured facts, row by row: what real clients do, against what failsame says they do."""

import pytest
from tests.facts.measuring import Seen, scenario_of, sides
from tests.facts.rows import ROWS, Row

from failsame.observation import Jitter
from failsame.report import Report

pytestmark = pytest.mark.install


@pytest.mark.parametrize("row", ROWS, ids=str)
def test_a_client_does_what_was_measured(measured: Report, row: Row) -> None:
    """Attempts, outcome and lost data are exact, and times are those of the formula, as far as the horizon shows."""
    scenario = scenario_of(measured, row.subject, row.scenario)
    if scenario is None:
        return
    calls = list(sides(scenario))
    assert len(calls) >= row.calls[-1]
    for number in row.calls:
        for jitter, seen in calls[number - 1].items():
            starts = row.starts(jitter)
            if seen.begins_before_the_horizon(starts[-1]):
                _ended(row, jitter, seen)
            else:
                _beginning(starts, seen)


def _ended(row: Row, jitter: Jitter, seen: Seen) -> None:
    call = seen.call
    outcome = call.outcome if call.code is None else f"{call.outcome} {call.code}"
    assert (call.attempts, outcome, call.data_lost) == (row.attempts, row.outcome, row.data_lost)
    assert seen.times_match(call.give_up, row.starts(jitter)[-1]), call.give_up
    assert len(call.starts) == row.attempts
    for start, expected in zip(call.starts, row.starts(jitter), strict=False):
        assert seen.times_match(start.at, expected), (start, expected)
    if not row.each:
        for wait, expected in zip(call.waits, row.waits.at(jitter), strict=True):
            # Below HTTP nobody sees an attempt end.
            assert wait is None or seen.times_match(wait, expected), (wait, expected)


def _beginning(starts: list[float], seen: Seen) -> None:
    """It has not ended at the horizon; what began before has begun as it should."""
    call = seen.call
    assert call.still_waiting
    assert call.outcome is None
    begun = [start for start in starts[:-1] if seen.begins_before_the_horizon(start)]
    assert call.attempts == len(begun)
    for start, expected in zip(call.starts, begun, strict=True):
        assert seen.times_match(start.at, expected), (start, expected)
