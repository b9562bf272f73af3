"""Durations as people write them."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from failsame.config.units import seconds


@pytest.mark.parametrize(
    ("written", "expected"),
    [
        ("250ms", 0.25),
        ("30s", 30),
        ("2min", 120),
        ("1h", 3600),
        ("1.5 h", 5400),
        (" 7 ", 7),
        ("0s", 0),
        (33, 33),
        (0.5, 0.5),
    ],
)
def test_units_mean_seconds(written: object, expected: float) -> None:
    """Every unit, spaces, fractions and bare numbers come out in seconds."""
    assert seconds(written) == pytest.approx(expected)


@pytest.mark.parametrize(
    "written", ["", "s", "3 days", "3d", "-3s", "3,5s", "1e3s", "٣s", "3s4", "9" * 400, True, None, [3]]
)
def test_what_is_no_duration_is_refused(written: object) -> None:
    """Words, signs, other digits and other types are refused with the units that exist."""
    with pytest.raises(ValueError, match="ms, s, min, h"):
        seconds(written)


@pytest.mark.parametrize("written", [-1, float("nan"), float("inf"), 10**400])
def test_numbers_that_are_no_time_are_refused(written: float) -> None:
    """A bare number has to be a time."""
    with pytest.raises(ValueError, match="0 or more seconds"):
        seconds(written)


@given(st.integers(0, 999_999_999), st.sampled_from(["ms", "s", "min", "h"]))
def test_a_unit_scales(number: int, unit: str) -> None:
    """A duration is its number times that of its unit."""
    assert seconds(f"{number}{unit}") == pytest.approx(number * seconds(f"1{unit}"))
