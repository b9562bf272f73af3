"""The journal while it is being written."""

import time
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import TypeVar

from failsame.faults.protocol import ConnectionEntry, Journal, RequestEntry

_MOST = 50_000
"""Entries of a kind that one trial may have: far beyond 83 calls of 200 attempts, and no danger to memory."""


@dataclass
class ConnectionRecord:
    """A ConnectionEntry that may still change."""

    endpoint: str
    number: int
    client_port: int
    accepted: float
    ended: float | None = None
    dead: float | None = None
    used_dead: bool = False


@dataclass
class RequestRecord:
    """A RequestEntry that may still change."""

    endpoint: str
    connection: int
    call: int
    key: str
    at: float
    faulted: bool
    answer: str
    headers: dict[str, str] = field(default_factory=dict)
    answer_began: float | None = None
    end: float | None = None
    complete: bool = False
    good: bool = False
    asked: str = ""
    """Method and target as they came, for whoever watches; the journal has the key."""


_Record = TypeVar("_Record", ConnectionRecord, RequestRecord)

Notice = Callable[[ConnectionRecord | RequestRecord | str], None]
"""Told of a connection when it is accepted and when it ended, of a request when its answer is decided, and of an error
of the server itself in words."""


def _entry(record: RequestRecord) -> RequestEntry:
    return RequestEntry(**{name: value for name, value in vars(record).items() if name != "asked"})


def _unheard(_: ConnectionRecord | RequestRecord | str) -> None:
    pass


class Recorder:
    """Collects what the server sees during one trial."""

    def __init__(self, notice: Notice = _unheard) -> None:
        self.connections: list[ConnectionRecord] = []
        self.requests: list[RequestRecord] = []
        self.trouble: str | None = None
        self.notice = notice
        self._accepted = 0

    def connection(self, endpoint: str, client_port: int) -> ConnectionRecord:
        """Note a connection that was accepted just now."""
        self._accepted += 1
        record = ConnectionRecord(endpoint, self._accepted, client_port, time.monotonic())
        self._keep(self.connections, record)
        self.notice(record)
        return record

    def request(self, record: RequestRecord) -> None:
        """Note a request head."""
        self._keep(self.requests, record)

    def ended(self, record: ConnectionRecord) -> None:
        """Note that a connection has come to its end, if that is news."""
        if record.ended is None:
            record.ended = time.monotonic()
            self.notice(record)

    def failed(self, what: str) -> None:
        """Note an error of the server itself; the first one counts."""
        if self.trouble is None:
            self.trouble = what
            self.notice(what)

    def journal(self, trial: int) -> Journal:
        """Freeze what was seen."""
        return Journal(
            trial=trial,
            connections=tuple(ConnectionEntry(**vars(record)) for record in self.connections),
            requests=tuple(_entry(record) for record in self.requests),
            trouble=self.trouble,
        )

    def _keep(self, records: list[_Record], record: _Record) -> None:
        if len(records) < _MOST:
            records.append(record)
        else:
            self.failed(f"more than {_MOST} connections or requests: the client does not stop")
