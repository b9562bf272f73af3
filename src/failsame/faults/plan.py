"""Which answer a request gets: the scenario, the number of the call, the number of the attempt."""

import os
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from failsame.suite import Answer, Close, Good, Reset, Scenario, Silent

CallCounter = Callable[[], int]
"""Gives the number of the call that is being made, from 1; 0 before the first."""

_GOOD, _SILENT = Good(), Silent()
_COUNTER_BYTES = 4


class FileCounter:
    """The call counter in a file that the probe writes. Raises OSError if it cannot be opened."""

    def __init__(self, path: Path) -> None:
        self._file = os.open(path, os.O_RDONLY | os.O_CLOEXEC)

    def __call__(self) -> int:
        """Read the number. It is read, not mapped: a file cut off by a subject must not be a signal to the server."""
        number = os.pread(self._file, _COUNTER_BYTES, 0)
        if len(number) != _COUNTER_BYTES:
            raise ValueError("the call counter was cut off: a subject must leave the files of others alone")
        return int.from_bytes(number, "little")

    def close(self) -> None:
        """Close the file."""
        os.close(self._file)


@dataclass(frozen=True)
class Decision:
    """What is done with one request."""

    call: int
    faulted: bool
    answer: Answer
    last: bool = False
    """The call has made its last allowed attempt."""
    dies: bool = False
    """The connection is dead without a sign once this answer is acknowledged."""


class Plan:
    """The answers of one trial, over all its endpoints. After a call's last allowed attempt all is silence."""

    def __init__(self, scenario: Scenario, counter: CallCounter, attempt_limit: int | None) -> None:
        self._scenario = scenario
        self.call = counter
        self._limit = attempt_limit
        self._attempts: Counter[int] = Counter()
        self._over = False

    def decide(self, key: str, fault_key: str | None, earlier: int) -> Decision:
        """Decide on a request; `earlier` faulted ones came over the same connection."""
        call = self.call()
        faulted = call >= 1 and fault_key in {None, key}
        if self._over:
            return Decision(call, faulted, _SILENT)
        if not faulted:
            return Decision(call, faulted, _GOOD)
        self._attempts[call] += 1
        last = self._over = self._attempts[call] == self._limit
        match self._scenario.reuse:
            case "close" if earlier:
                return Decision(call, faulted, Close(), last)
            case "reset" if earlier:
                return Decision(call, faulted, Reset(), last)
            case reuse:
                return Decision(call, faulted, self._scripted(call), last, dies=reuse == "half-open")

    def _scripted(self, call: int) -> Answer:
        phases = self._scenario.phases
        first = 1
        for phase in phases:
            if call < first + phase.calls:
                break
            first += phase.calls
        else:
            phase = phases[-1]
        return phase.answers[min(self._attempts[call], len(phase.answers)) - 1]
