"""Numbers of budgets in words."""

from typing import Literal

import pytest
from tests.report.reports import report, subject

from failsame.report.budgets import number, room, share, tightest
from failsame.report.model import BudgetReport, Figure
from failsame.report.verdicts import headline

NUMBERS: dict[tuple[float | None, float | None, str], str] = {
    (15.3, 15.3, "s"): "15.3 s",
    (180.1504, 180.1504, "s"): "180.15 s",
    (3600, 3600, "s"): "3,600 s",
    (0.0005, 0.0005, "s"): "0.001 s",
    (33, None, "s"): "at least 33 s",
    (127, 134, "s"): "127 to 134 s",
    (None, None, "s"): "without end",
    (2.516671, 2.516671, "USD"): "2.52 USD",
    (150.0003, 150.0003, "USD"): "150 USD",
    (9000, 9000, ""): "9,000",
    (0.0000166667, 0.0000166667, "USD/GB/s"): "0.0000166667 USD/GB/s",
}


@pytest.mark.parametrize("case", NUMBERS)
def test_numbers(case: tuple[float | None, float | None, str]) -> None:
    """Seconds to a thousandth, money to a cent; as far as they are known."""
    least, most, unit = case
    assert number(Figure(least=least, most=most), unit) == NUMBERS[case]
    assert number(None, "s") == "none"


def budget(
    verdict: Literal["kept", "broken", "unmeasured", "left-out"],
    least: float | None,
    most: float | None,
    right: float = 30,
) -> BudgetReport:
    return BudgetReport(
        rule=f"a < {right:g}s",
        severity="must",
        verdict=verdict,
        unit="s",
        left=None,
        right=Figure(least=right, most=right),
        room=Figure(least=least, most=most),
    )


ROOMS = {
    "14.7 s left": budget("kept", 14.7, 14.7),
    "nothing left": budget("kept", 0, 0),
    "at least 5 s left": budget("kept", 5, None),
    "no end of room": budget("kept", None, None),
    "over by 12.3 s": budget("broken", -12.3, -12.3),
    "exactly at its limit": budget("broken", 0, 0),
    "over by at least 3 s": budget("broken", None, -3),
    "over by at least 2 s": budget("broken", -9, -2),
    "over without end": budget("broken", None, None),
    "not known": budget("unmeasured", -3, 4),
}


@pytest.mark.parametrize("words", ROOMS)
def test_rooms(words: str) -> None:
    """How much is left, or by how much it is broken: of what is known between two, the side that is sure."""
    assert room(ROOMS[words]) == words


def test_the_tightest_of_several() -> None:
    """The smallest share of its limit, over all subjects; what has no number is no candidate."""
    wide, tight, endless = budget("kept", 10, 10, 20), budget("kept", 20, 20, 200), budget("kept", None, None)
    assert (share(wide), share(tight)) == (0.5, 0.1)
    assert tightest(subject("a", budgets=(wide, endless))) == wide
    assert tightest(subject("a", budgets=(endless, ROOMS["over by 12.3 s"]))) is None
    both = report("same", subject("a", budgets=(wide,)), subject("b", budgets=(tight, endless)))
    assert headline(both).details.endswith(" 3 budgets are kept, the tightest with 20 s left (a < 200s).")
    assert "budget" not in headline(report("same", subject("a", budgets=(endless,)))).details
