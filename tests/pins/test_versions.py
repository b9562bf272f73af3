"""Versions in the order of their own ecosystem."""

import pytest

from failsame.pins.versions import check_range, order, within


@pytest.mark.parametrize(
    ("one", "two", "expected"),
    [
        ("3.9.0", "3.10.0", -1),
        ("3.907.0", "3.910.0", -1),
        ("20.20", "22.1", -1),
        # Python's, in normal form.
        ("1.0rc1", "1.0", -1),
        ("2.9.0.post0", "2.9.0", 1),
        ("1!1.0", "2.0", 1),
        # npm's: the list of semver.org, 11.
        ("1.0.0-alpha", "1.0.0-alpha.1", -1),
        ("1.0.0-alpha.beta", "1.0.0-beta", -1),
        ("1.0.0-beta.2", "1.0.0-beta.11", -1),
        ("1.0.0-rc.1", "1.0.0", -1),
        ("0.0.0-experimental-3d7f0d4c-20230101", "18.2.0", -1),
        # A post-release of Python is no version of npm, and the other way round.
        ("1.0.0-next.1", "1.0.post1", None),
        ("latest", "1.0.0", None),
        ("latest", "latest", 0),
        ("1." * 200 + "0-x", "1.0.0", None),
    ],
)
def test_order(one: str, two: str, expected: int | None) -> None:
    """Both ways round; None where one is no version."""
    assert order(one, two) == expected
    assert order(two, one) == (None if expected is None else -expected)


def test_numbers_of_any_length() -> None:
    """A version of thousands of digits is refused, and not an error of Python's."""
    assert order("1.0." + "9" * 5000, "1.0.0-x") is None
    assert order("1.0." + "9" * 5000, "1.0.0") in (None, 1)


def test_ranges() -> None:
    """Comparisons between commas; pre-releases lie below their release, and count."""
    assert within("3.40.0", ">=3.40.0,<4.0.0", "node")
    assert within("3.40.0-next.1", "<3.40.0", "node")
    assert not within("latest", ">=3.40.0", "node")
    assert within("1.44.8", ">=1.44", "python")
    assert not within("latest", ">=1.44", "python")
    for versions, language in ((">=3.40", "node"), ("^3.40.0", "node"), ("=>1", "python")):
        with pytest.raises(ValueError, match=r"\S"):
            check_range(versions, language)  # type: ignore[arg-type]
