"""One call as the server and the probe saw it: its time, and the requests that were made in it. Pure."""

from dataclasses import dataclass
from math import inf

from failsame.faults.protocol import EndpointSpec, Journal
from failsame.trial.record import Record

# The server stamps the end of an answer after sending it; the client may have read it, and ended its call, before that.
_STAMPED = 0.02


@dataclass(frozen=True)
class Seen:
    """Everything seen of one trial."""

    endpoints: tuple[EndpointSpec, ...]
    beside: frozenset[str]
    journal: Journal
    record: Record
    horizon: float
    digits: int


class Window:
    """One call that was made: its time, from its start to its end or to where it was cut off, and its requests.

    `answering` are those that can give what the call is for: attempts, and what is asked only when they fail. `late`
    are those after its end, `next` is when the next call began, `dead` the dead connections that it used again;
    `numbering` counts connections from 1 within the call.
    """

    def __init__(self, trial: Seen, number: int) -> None:
        self.number = number
        self.start = trial.record.started[number].at
        ended = trial.record.ended.get(number)
        last = self.start + trial.horizon
        self.outlived = ended.at > last if ended else trial.record.cut == "horizon"
        self.ended = None if self.outlived else ended
        self.end = last if self.ended is None else self.ended.at
        asked = [entry for entry in trial.journal.requests if entry.call == number]
        self.requests = [entry for entry in asked if entry.at <= self.end]
        self.answering = [entry for entry in self.requests if entry.faulted or entry.key not in trial.beside]
        self.late = [entry for entry in asked if entry.faulted and entry.at > self.end] if self.ended else []
        self.next = min((begun.at for begun in trial.record.started.values() if begun.at > self.start), default=inf)
        # Requests on a dead connection never arrive; the kernel's socket table shows that they were sent. They
        # belong to the first call that began after the connection died.
        self.dead = [
            connection
            for connection in trial.journal.connections
            if connection.used_dead
            and connection.dead is not None
            and _first_after(trial.record, connection.dead) == number
        ]
        self.numbering: dict[int, int] = {}
        for used in [*(c.number for c in self.dead), *(entry.connection for entry in self.requests)]:
            self.numbering.setdefault(used, len(self.numbering) + 1)

    def holds(self, at: float) -> bool:
        """Whether this was while the call was under way."""
        return self.start <= at <= self.end

    def followed_by(self, at: float) -> bool:
        """Whether this was after the call had ended, and before the next began."""
        return self.ended is not None and self.end < at < self.next

    def seen(self, at: float | None) -> float | None:
        """A time that the call saw, from its start; None for one that came after it had ended."""
        if at is None or at > self.end + _STAMPED:
            return None
        return min(at, self.end) - self.start


def _first_after(record: Record, at: float) -> int | None:
    later = [number for number, started in record.started.items() if started.at >= at]
    return min(later, default=None)
