"""Numbers as far as they are known: a call that is still waiting after 33 s lasts from 33 s to nobody knows what."""

from collections.abc import Iterable
from dataclasses import dataclass
from fractions import Fraction
from math import inf, isinf

Number = Fraction | float
"""Exact; a float only where it is infinite."""

_AS_GOOD_AS_INFINITE = 10**15  # 30 million years: a rule may multiply as it likes, and no number grows out of hand


@dataclass(frozen=True, slots=True)
class Amount:
    """At least `least`, at most `most`. Both are infinite for what never ends."""

    least: Number
    most: Number

    @classmethod
    def of(cls, number: float | Fraction) -> "Amount":
        """A number that is known. A measured one is the decimal that it is written as."""
        exact = _exact(number)
        return cls(exact, exact)

    @classmethod
    def from_to(cls, least: float, most: float) -> "Amount":
        """A number between two."""
        return cls(_exact(least), _exact(most))

    @property
    def known(self) -> bool:
        """Whether it is one number, though it may be infinite."""
        return self.least == self.most

    @property
    def endless(self) -> bool:
        """Whether it is infinite for sure."""
        return self.least == inf

    def __add__(self, other: "Amount") -> "Amount":
        return Amount(_plus(self.least, other.least, -inf), _plus(self.most, other.most, inf))

    def __neg__(self) -> "Amount":
        return Amount(-self.most, -self.least)

    def __sub__(self, other: "Amount") -> "Amount":
        return self + -other

    def __mul__(self, other: "Amount") -> "Amount":
        ends = [_times(one, two) for one in (self.least, self.most) for two in (other.least, other.most)]
        return Amount(min(ends), max(ends))

    def __truediv__(self, other: "Amount") -> "Amount":
        if other.least <= 0 <= other.most or (_unbounded(self) and _unbounded(other)):
            return UNKNOWN
        return self * Amount(_inverse(other.most), _inverse(other.least))


UNKNOWN = Amount(-inf, inf)
NOTHING = Amount(Fraction(0), Fraction(0))


def smallest(amounts: Iterable[Amount]) -> Amount:
    """The smallest of several."""
    several = list(amounts)
    return Amount(min(each.least for each in several), min(each.most for each in several))


def largest(amounts: Iterable[Amount]) -> Amount:
    """The largest of several."""
    several = list(amounts)
    return Amount(max(each.least for each in several), max(each.most for each in several))


def total(amounts: Iterable[Amount]) -> Amount:
    """The sum of several."""
    return sum(amounts, start=NOTHING)


def _exact(number: float | Fraction) -> Number:
    return number if isinf(number) else Fraction(str(number))


def _settled(number: Number) -> Number:
    if -_AS_GOOD_AS_INFINITE <= number <= _AS_GOOD_AS_INFINITE:
        return number
    return inf if number > 0 else -inf


def _plus(one: Number, two: Number, of_opposites: float) -> Number:
    if isinf(one) and isinf(two) and one != two:
        return of_opposites
    return _settled(one + two)


def _times(one: Number, two: Number) -> Number:
    # Nothing for ever is nothing: an end that is infinite is one that no value reaches.
    return Fraction(0) if 0 in (one, two) else _settled(one * two)


def _inverse(number: Number) -> Number:
    # Not settled yet: what it is multiplied with may be as small.
    return Fraction(0) if isinf(number) else 1 / number


def _unbounded(amount: Amount) -> bool:
    return isinf(amount.least) or isinf(amount.most)
