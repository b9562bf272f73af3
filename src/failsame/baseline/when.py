"""When a coming file holds: bounds on the versions of packages and runtimes."""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal

from failsame.pins.versions import order

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
        found = order(version, self.version)
        return found is not None and (found >= 0 if self.sign == ">=" else found <= 0)

    def beyond(self, other: "Bound") -> int | None:
        """Whether this bound lies beyond another (1), is equal (0) or short of it (-1); None if they do not compare.

        Beyond is further along the way that the package moved: higher if it rose, lower if it fell. A revert to 1.43
        that was accepted after one to 1.44 has to win for 1.43.
        """
        found = order(self.version, other.version)
        if self.sign != other.sign or found is None:
            return None
        return found if self.sign == ">=" else -found


When = Mapping[str, Bound]
"""Name of a package or runtime -> its bound."""


def installed_with(packages: Mapping[str, str], runtime: str) -> dict[str, str]:
    """What `when` is asked about: every installed package, and the runtime (`python 3.13`), by name."""
    name, _, version = runtime.partition(" ")
    return {**packages, name: version}


def holds(when: When, installed: Mapping[str, str]) -> bool:
    """Whether every bound holds for what was installed (by name)."""
    return all(name in installed and bound.holds(installed[name]) for name, bound in when.items())


def wins(one: When, other: When) -> bool:
    """Whether a coming file wins over another that sets the same fact.

    Of the packages both name, at least one bound lies beyond the other's, and none short of it.
    """
    orders = [one[name].beyond(other[name]) for name in one.keys() & other.keys()]
    known = [each for each in orders if each is not None]
    return any(each > 0 for each in known) and all(each >= 0 for each in known)


def rose(before: str | None, after: str) -> bool | None:
    """Whether an upgrade raised a version (True, also one that came), lowered it, or neither (None)."""
    if before is None:
        return True
    found = order(after, before)
    return None if not found else found > 0
