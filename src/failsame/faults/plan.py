"""Which answer a request gets: the endpoint's fault, the number of the call, the number of the attempt."""

import os
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from failsame.suite import Answer, Close, Fault, Good, Reset, Silent

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


class Attempts:
    """The attempts of a trial's calls, over all its endpoints. After a call's last allowed one all is silence."""

    def __init__(self, counter: CallCounter, limit: int | None) -> None:
        self.call = counter
        self.over = False
        self._limit = limit
        self._made: Counter[int] = Counter()

    def count(self, call: int) -> bool:
        """Count an attempt; whether it was the call's last allowed one."""
        self._made[call] += 1
        self.over = self._made[call] == self._limit
        return self.over


class Plan:
    """The answers of one endpoint of a trial: what its fault does to the requests of a key, None for any."""

    def __init__(self, fault: Fault, fault_key: str | None, attempts: Attempts) -> None:
        self._fault = fault
        self._key = fault_key
        self._all = attempts
        self._own: Counter[int] = Counter()

    def call(self) -> int:
        """The number of the call that is being made."""
        return self._all.call()

    def decide(self, key: str, earlier: int) -> Decision:
        """Decide on a request; `earlier` faulted ones came over the same connection."""
        call = self.call()
        faulted = call >= 1 and self._key in {None, key}
        if self._all.over:
            return Decision(call, faulted, _SILENT)
        if not faulted:
            return Decision(call, faulted, _GOOD)
        self._own[call] += 1
        last = self._all.count(call)
        match self._fault.reuse:
            case "close" if earlier:
                return Decision(call, faulted, Close(), last)
            case "reset" if earlier:
                return Decision(call, faulted, Reset(), last)
            case reuse:
                return Decision(call, faulted, self._scripted(call), last, dies=reuse == "half-open")

    def _scripted(self, call: int) -> Answer:
        phases = self._fault.phases
        first = 1
        for phase in phases:
            if call < first + phase.calls:
                break
            first += phase.calls
        else:
            phase = phases[-1]
        return phase.answers[min(self._own[call], len(phase.answers)) - 1]
