"""Equal neighbouring calls under one label: `call 1`, `calls 1-17`."""

import re
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from typing import Generic, TypeVar

from failsame.facts.kinds import FactError, quoted

_LABEL = re.compile(r"call ([1-9]\d{0,4})|calls ([1-9]\d{0,4})-([1-9]\d{0,4})", re.ASCII)

T = TypeVar("T")


@dataclass(frozen=True)
class Run(Generic[T]):
    """Neighbouring calls, from `first` to `last`, that share one value."""

    first: int
    last: int
    value: T

    @property
    def label(self) -> str:
        """As a baseline names them."""
        return f"call {self.first}" if self.first == self.last else f"calls {self.first}-{self.last}"


def fold(calls: Iterable[tuple[int, T]], equal: Callable[[T, T], bool]) -> Iterator[Run[T]]:
    """Fold numbered calls, in order, each compared with the first of its run: so small steps cannot add up."""
    run: Run[T] | None = None
    for number, value in calls:
        if run is not None and number == run.last + 1 and equal(run.value, value):
            run = Run(run.first, number, run.value)
            continue
        if run is not None:
            yield run
        run = Run(number, number, value)
    if run is not None:
        yield run


def numbers(label: str) -> range:
    """The calls a label names; raises FactError."""
    match = _LABEL.fullmatch(label)
    if match is None:
        raise FactError(f"{quoted(label)} is neither `call N` nor `calls N-M`")
    first, last = int(match[1] or match[2]), int(match[1] or match[3])
    if match[2] and first >= last:
        raise FactError(f"{quoted(label)} ends before it begins")
    return range(first, last + 1)
