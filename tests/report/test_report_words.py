"""Seconds, counts and calls in words."""

import pytest

from failsame.report.durations import between, duration, listed
from failsame.report.phrases import Piece, runs


@pytest.mark.parametrize(
    ("seconds", "words"),
    [
        (0, "0 s"),
        (-0.001, "0 s"),
        (0.004, "0 s"),
        (0.05, "0.05 s"),
        (0.15, "0.15 s"),
        (1.125, "1.12 s"),
        (3.0, "3 s"),
        (9.999, "10 s"),
        (15.0, "15 s"),
        (15.26, "15.3 s"),
        (180.04, "180 s"),
        (312.2, "312 s"),
        (1801.125, "1,801 s"),
        (3600, "1 h"),
        (3900, "1 h 5 min"),
        (86400, "24 h"),
        (float("inf"), "for ever"),
    ],
)
def test_duration(seconds: float, words: str) -> None:
    """A time has three significant digits at most, and no zeros that claim more."""
    assert duration(seconds) == words


@pytest.mark.parametrize(
    ("seconds", "words"),
    [
        ([0.0, 15.0], "0 to 15 s"),
        ([312.2, 301.0], "301 to 312 s"),
        ([180.0, 180.15], "180 s"),
        ([30.0, 3600.0], "30 s to 1 h"),
        ([3600.0, 7200.0], "1 h to 2 h"),
    ],
)
def test_between(seconds: list[float], words: str) -> None:
    """Jitter low and high are one range, lower first; ends that read the same are one number."""
    assert between(seconds) == words


def test_listed() -> None:
    """Several times share one unit where they can."""
    assert listed([1, 2, 4, 8]) == "1, 2, 4, 8 s"
    assert listed([1800, 3600]) == "1,800 s, 1 h"


def test_only_what_changed_stands_out() -> None:
    """Neighbours that changed are one bold run; a verb before them is not bold, and nothing is before the change."""
    pieces = [
        Piece("180 s", changed=True, lead="gives up after"),
        Piece("3 attempts", changed=True),
        Piece("as before"),
    ]
    after = runs(pieces, strong=True)
    assert [(run.joint, run.text, run.strong) for run in after] == [
        ("", "gives up after", False),
        (" ", "180 s, 3 attempts", True),
        (", ", "as before", False),
    ]
    assert [run.text for run in runs(pieces, strong=False)] == ["gives up after 180 s, 3 attempts, as before"]
