"""What failsame and the fault server say to each other, and the journal that comes back.

One JSON object a line over the server's standard input and output. Times are seconds of CLOCK_MONOTONIC, as the
server's process reads it: the trial's clock.
"""

from collections.abc import Mapping
from typing import Annotated, Literal

from pydantic import Field, TypeAdapter

from failsame.model import Model
from failsame.observation import MAIN
from failsame.suite import Fault, GoodAnswer
from failsame.suite.model import WELL


class EndpointSpec(Model):
    """One endpoint of a trial: its dialect, what it does, and the key of the requests that it does it to.

    `fault_key` is `METHOD /path` as `request_key` makes it; None breaks every request (`serve`, and `healthy`, which
    does not know the key yet and has no fault).
    """

    name: str = MAIN
    dialect: str = "http"
    good: GoodAnswer | None = None
    tls: bool = False
    hosts: tuple[str, ...] = ()
    """Host names, beside 127.0.0.1, that its certificate has to be good for."""
    fault: Fault = WELL
    fault_key: str | None = None


class OpenTrial(Model):
    """Open fresh ports and a fresh journal for one trial."""

    do: Literal["open"] = "open"
    trial: int
    endpoints: tuple[EndpointSpec, ...]
    counter: str
    """Path of a 4-byte file, little-endian: the number of the call that is being made, from 1; 0 before the first.
    The probe writes it before each call, the server reads it at each request: no message, so no race."""
    attempt_limit: int = 200
    port: int = 0
    """The first endpoint's port, the next endpoint has the next; 0 takes any that are free."""


class CloseTrial(Model):
    """Close the trial's ports and connections and hand over its journal."""

    do: Literal["close"] = "close"
    trial: int


Command = Annotated[OpenTrial | CloseTrial, Field(discriminator="do")]
COMMANDS: TypeAdapter[OpenTrial | CloseTrial] = TypeAdapter(Command)


class Started(Model):
    """The server runs: its first line. `authority` is the path of the certificate (PEM) that signs all of its own."""

    said: Literal["started"] = "started"
    authority: str


class Opened(Model):
    """The trial's endpoints: name -> URL, with a literal 127.0.0.1."""

    said: Literal["opened"] = "opened"
    trial: int
    urls: Mapping[str, str]
    host_ports: Mapping[str, Mapping[str, int]] = Field(default_factory=dict)
    """Endpoint name -> {"http": port, "https": port}, for host names hard-coded in the code."""


class LimitReached(Model):
    """A call made its last allowed attempt; from now on the server is silent."""

    said: Literal["limit"] = "limit"
    trial: int
    call: int


class Refused(Model):
    """A command that could not be carried out, in one line: no free port, no space left."""

    said: Literal["refused"] = "refused"
    trial: int
    why: str


class ConnectionEntry(Model):
    """One TCP connection, as the server saw it."""

    endpoint: str
    number: int
    """From 1 within the trial, in the order of accepting."""
    accepted: float
    ended: float | None = None
    """When the client's FIN or RST was seen, or the server sent an RST; None if the client had not closed it when the
    trial was closed."""
    client_port: int
    dead: float | None = None
    """When the connection became half-open."""
    used_dead: bool = False
    """The client sent on it after that: its unacknowledged bytes stand in the kernel's socket table."""


class RequestEntry(Model):
    """One request head, and what became of it."""

    endpoint: str
    connection: int
    call: int
    """The number of the call then being made; 0 before the first."""
    key: str
    at: float
    """When the end of its head was received."""
    faulted: bool
    """Whether the fault was meant for it (its key is the fault's)."""
    answer: str
    """What was done with it, for the report: `503`, `silent`, `reset`, `200, half a body, then FIN`, …"""
    answer_began: float | None = None
    end: float | None = None
    """When the last byte of the answer was handed to the kernel, or the connection closed or reset; None if the
    answer never ended."""
    complete: bool = False
    """Whether a whole well-formed answer was sent."""
    good: bool = False
    """Whether the answer is meant to be a good one: late, broken or whole, but no error."""
    headers: Mapping[str, str] = Field(default_factory=dict)
    """Lower-case name -> value of the headers in `KEPT_HEADERS`."""


KEPT_HEADERS = (
    "amz-sdk-invocation-id",
    "amz-sdk-request",
    "idempotency-key",
    "x-idempotency-key",
    "x-stainless-retry-count",
)
"""Request headers that carry an attempt's number or a call's identity."""


class Journal(Model):
    """Everything the server saw during one trial."""

    said: Literal["journal"] = "journal"
    trial: int
    connections: tuple[ConnectionEntry, ...]
    requests: tuple[RequestEntry, ...]
    trouble: str | None = None
    """An error of the server itself; the trial is then not a measurement."""


Reply = Annotated[Started | Opened | LimitReached | Refused | Journal, Field(discriminator="said")]
REPLIES: TypeAdapter[Started | Opened | LimitReached | Refused | Journal] = TypeAdapter(Reply)

LONGEST_LINE = 64 * 1024 * 1024
"""Bytes a command or a reply may have: a journal of 50,000 entries fits."""
