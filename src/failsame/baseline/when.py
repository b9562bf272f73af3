"""When a coming file holds: bounds on the versions of packages and runtimes."""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal

from packaging.utils import canonicalize_name
from packaging.version import InvalidVersion, Version

_BOUND = re.compile(r"(>=|<=) (\S{1,100})", re.ASCII)


@dataclass(frozen=True)
class Bound:
    """`>= version` of a package that rose, `<= version` of one that fell."""

    sign: Literal[">=", "<="]
    version: str

    @classmethod
    def read(cls, text: str) -> "Bound":
        """Read a bound as it stands in a coming file; raises ValueError."""
        match = _BOUND.fullmatch(text)
        if match is None:
            raise ValueError("a bound is `>= VERSION` or `<= VERSION`")
        return cls(">=" if match[1] == ">=" else "<=", match[2])

    def __str__(self) -> str:
        return f"{self.sign} {self.version}"

    def holds(self, version: str) -> bool:
        """Whether an installed version is within the bound."""
        order = _order(version, self.version)
        return order is not None and (order >= 0 if self.sign == ">=" else order <= 0)

    def beyond(self, other: "Bound") -> int | None:
        """Whether this bound lies beyond another (1), is equal (0) or short of it (-1); None if they do not compare.

        Beyond is further along the way that the package moved: higher if it rose, lower if it fell. A revert to 1.43
        that was accepted after one to 1.44 has to win for 1.43.
        """
        order = _order(self.version, other.version)
        if self.sign != other.sign or order is None:
            return None
        return order if self.sign == ">=" else -order


When = Mapping[str, Bound]
"""Normalised name of a package or runtime -> its bound."""


def installed_with(packages: Mapping[str, str], runtime: str) -> dict[str, str]:
    """What `when` is asked about: every installed package, and the runtime (`python 3.13`), by normalised name."""
    name, _, version = runtime.partition(" ")
    return {canonicalize_name(package): number for package, number in {**packages, name: version}.items()}


def holds(when: When, installed: Mapping[str, str]) -> bool:
    """Whether every bound holds for what was installed (by normalised name)."""
    return all(name in installed and bound.holds(installed[name]) for name, bound in when.items())


def wins(one: When, other: When) -> bool:
    """Whether a coming file wins over another that sets the same fact.

    Of the packages both name, at least one bound lies beyond the other's, and none short of it.
    """
    orders = [one[name].beyond(other[name]) for name in one.keys() & other.keys()]
    known = [order for order in orders if order is not None]
    return any(order > 0 for order in known) and all(order >= 0 for order in known)


def _order(one: str, two: str) -> int | None:
    """1, 0 or -1; None where one is no version by the packaging standard and they are not the same text."""
    if one == two:
        return 0
    try:
        first, second = Version(one), Version(two)
    except InvalidVersion:
        return None
    return (first > second) - (first < second)


def rose(before: str | None, after: str) -> bool | None:
    """Whether an upgrade raised a version (True, also one that came), lowered it, or neither (None)."""
    if before is None:
        return True
    order = _order(after, before)
    return None if not order else order > 0
