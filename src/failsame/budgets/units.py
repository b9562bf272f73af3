"""What numbers in a rule count: seconds are not compared with dollars, nor added to plain numbers."""

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction


@dataclass(frozen=True, slots=True)
class Dimension:
    """The powers of seconds, US dollars and gigabytes in a number. All 0: a plain number, as attempts are."""

    seconds: int = 0
    usd: int = 0
    gigabytes: int = 0

    def __mul__(self, other: "Dimension") -> "Dimension":
        return Dimension(self.seconds + other.seconds, self.usd + other.usd, self.gigabytes + other.gigabytes)

    def __truediv__(self, other: "Dimension") -> "Dimension":
        return Dimension(self.seconds - other.seconds, self.usd - other.usd, self.gigabytes - other.gigabytes)

    @property
    def unit(self) -> str:
        """The unit that numbers are written in: `s`, `USD`, `USD/GB/s`; empty for plain numbers."""
        powers = (("USD", self.usd), ("GB", self.gigabytes), ("s", self.seconds))
        above = "*".join(name for name, power in powers for _ in range(power))
        below = "".join(f"/{name}" for name, power in powers for _ in range(-power))
        return above + below if above or not below else f"1{below}"

    def __str__(self) -> str:
        return {"": "a plain number", "s": "seconds"}.get(self.unit, self.unit)


@dataclass(frozen=True, slots=True)
class Unit:
    """A unit: how many of its dimension's own it is."""

    factor: Fraction
    dimension: Dimension


@dataclass(frozen=True, slots=True)
class Quantity:
    """A number and what it counts."""

    value: Fraction
    dimension: Dimension


PLAIN = Dimension()
SECONDS = Dimension(seconds=1)
USD = Dimension(usd=1)
GIGABYTES = Dimension(gigabytes=1)

UNITS: Mapping[str, Unit] = {
    "ms": Unit(Fraction(1, 1000), SECONDS),
    "s": Unit(Fraction(1), SECONDS),
    "min": Unit(Fraction(60), SECONDS),
    "h": Unit(Fraction(3600), SECONDS),
    "request": Unit(Fraction(1), PLAIN),
    "requests": Unit(Fraction(1), PLAIN),
    "USD": Unit(Fraction(1), USD),
    # As a function's memory is sized and billed: 1,024 MB are 1 GB.
    "MB": Unit(Fraction(1, 1024), GIGABYTES),
    "GB": Unit(Fraction(1), GIGABYTES),
}
"""Every unit by its name."""
