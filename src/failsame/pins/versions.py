"""Which of two versions is higher, for the versions of every ecosystem that is pinned.

Python's are ordered by PEP 440, npm's by Semantic Versioning 2.0. The text tells which: pins and installed versions of
Python are in normal form, which has no `-`, and one without `-` and `+` means the same in both.
"""

from packaging.specifiers import InvalidSpecifier, SpecifierSet
from packaging.version import InvalidVersion, Version
from semver import Version as Semver

from failsame.language import Language

_LONGEST = 256  # npm's own limit; Python's `int` refuses thousands of digits


def order(one: str, two: str) -> int | None:
    """1, 0 or -1; None where one of them is no version and they are not the same text."""
    if one == two:
        return 0
    if "-" in one or "-" in two:
        return Semver.parse(one).compare(two) if is_semver(one) and is_semver(two) else None
    try:
        first, second = Version(one), Version(two)
    except (InvalidVersion, ValueError):
        return None
    return (first > second) - (first < second)


def is_semver(version: str) -> bool:
    """Whether a text is a version as npm's packages have it."""
    return len(version) <= _LONGEST and Semver.is_valid(version)


def check_range(versions: str, language: Language) -> None:
    """Raise ValueError for what `within` cannot read."""
    if language == "python":
        try:
            SpecifierSet(versions)
        except InvalidSpecifier as error:
            raise ValueError(str(error)) from error
    else:
        for part in versions.split(","):
            Semver(0).match(part.strip())


def within(version: str, versions: str, language: Language) -> bool:
    """Whether a version lies in a range, comparisons between commas: `>=3.40.0,<4.0.0`; pre-releases count."""
    if language == "node":
        return is_semver(version) and all(Semver.parse(version).match(part.strip()) for part in versions.split(","))
    try:
        return SpecifierSet(versions).contains(Version(version), prereleases=True)
    except InvalidVersion:
        return False
