"""Drives a fault server's process by its lines, and sockets against it, so that tests see bytes, FINs and RSTs."""

import itertools
import socket
import ssl
import struct
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Self
from urllib.parse import urlsplit

from failsame.faults.protocol import (
    REPLIES,
    CloseTrial,
    EndpointSpec,
    Journal,
    LimitReached,
    Opened,
    OpenTrial,
    Refused,
    RequestEntry,
    Started,
)
from failsame.suite import SCENARIOS, Answer, Phase, Scenario

SILENCE = 0.3
"""Seconds without a byte that count as silence: nothing else can show it."""


def scenario_of(*answers: Answer, calls: int = 1) -> Scenario:
    """An own scenario of one phase."""
    return Scenario(name="own", group="own", when="x", shows="x", phases=(Phase(calls=calls, answers=answers),))


def _faulty(scenario: Scenario, endpoints: tuple[EndpointSpec, ...]) -> tuple[EndpointSpec, ...]:
    """The endpoints, the first with the scenario's fault, and the others with that of its others."""
    first, *others = endpoints or (EndpointSpec(),)
    return (
        first.model_copy(update={"fault": scenario}),
        *(other.model_copy(update={"fault": scenario.others}) for other in others),
    )


class Driver:
    """A fault server's process."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.limits: list[LimitReached] = []
        self._numbers = itertools.count(1)

    def __enter__(self) -> Self:
        self.process = subprocess.Popen(
            [sys.executable, "-m", "failsame.faults", str(self.folder)], stdin=subprocess.PIPE, stdout=subprocess.PIPE
        )
        started = self.hear()
        assert isinstance(started, Started)
        self.authority = started.authority
        return self

    def __exit__(self, *_: object) -> None:
        assert self.process.stdin
        assert self.process.stdout
        self.process.stdin.close()
        assert self.process.wait(5) == 0
        self.process.stdout.close()

    def hear(self) -> Started | Opened | Refused | Journal | LimitReached:
        assert self.process.stdout
        return REPLIES.validate_json(self.process.stdout.readline())

    def ask(self, command: OpenTrial | CloseTrial) -> Opened | Refused | Journal:
        assert self.process.stdin
        self.process.stdin.write(command.model_dump_json().encode() + b"\n")
        self.process.stdin.flush()
        while isinstance(reply := self.hear(), LimitReached):
            self.limits.append(reply)
        assert not isinstance(reply, Started)
        return reply

    @contextmanager
    def trial(
        self,
        scenario: Scenario | str,
        *endpoints: EndpointSpec,
        call: int = 1,
        attempt_limit: int = 200,
    ) -> Iterator["Served"]:
        """Open a trial in which call `call` is being made; it is closed with the block, unless it was before."""
        number = next(self._numbers)
        counter = self.folder / f"call-{number}"
        counter.write_bytes(struct.pack("<i", call))
        opened = self.ask(
            OpenTrial(
                trial=number,
                endpoints=_faulty(SCENARIOS[scenario] if isinstance(scenario, str) else scenario, endpoints),
                counter=str(counter),
                attempt_limit=attempt_limit,
            )
        )
        assert isinstance(opened, Opened)
        served = Served(self, opened, counter)
        try:
            yield served
        finally:
            if served.journal is None:
                served.close()


class Served:
    """A trial that is open."""

    def __init__(self, driver: Driver, opened: Opened, counter: Path) -> None:
        self.driver = driver
        self.opened = opened
        self.counter = counter
        self.journal: Journal | None = None

    @property
    def port(self) -> int:
        return self.port_of("main")

    def port_of(self, endpoint: str) -> int:
        port = urlsplit(self.opened.urls[endpoint]).port
        assert port
        return port

    def call(self, number: int) -> None:
        """Say that call `number` is being made, as a probe does: in place."""
        with self.counter.open("r+b") as file:
            file.write(struct.pack("<i", number))

    def close(self) -> Journal:
        journal = self.driver.ask(CloseTrial(trial=self.opened.trial))
        assert isinstance(journal, Journal)
        assert journal.trouble is None
        self.journal = journal
        return journal

    def connect(self, endpoint: str = "main") -> "Client":
        return Client(socket.create_connection(("127.0.0.1", self.port_of(endpoint)), timeout=5))

    def connect_tls(self, name: str = "127.0.0.1", port: int | None = None) -> "Client":
        context = ssl.create_default_context(cafile=self.driver.authority)
        sock = socket.create_connection(("127.0.0.1", port or self.port), timeout=5)
        return Client(context.wrap_socket(sock, server_hostname=name, suppress_ragged_eofs=False))


class Client:
    """A client that is a bare socket."""

    def __init__(self, sock: socket.socket) -> None:
        self.sock = sock

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.sock.close()

    def send(self, data: bytes) -> Self:
        self.sock.sendall(data)
        return self

    def get(self, target: str = "/", method: str = "GET", headers: str = "") -> Self:
        return self.send(f"{method} {target} HTTP/1.1\r\nHost: x\r\n{headers}\r\n".encode())

    def answer(self, *, bodiless: bool = False) -> tuple[int, dict[str, str], bytes]:
        """Read one whole answer by its Content-Length."""
        data = bytearray()
        while b"\r\n\r\n" not in data:
            data += self._some()
        head, _, body = bytes(data).partition(b"\r\n\r\n")
        status, *lines = head.decode("latin-1").split("\r\n")
        headers = {name.lower(): value for name, value in (line.split(": ", 1) for line in lines)}
        length = 0 if bodiless else int(headers.get("content-length", 0))
        while len(body) < length:
            body += self._some()
        self._rest = body[length:]
        return int(status.split()[1]), headers, body[:length]

    def _some(self) -> bytes:
        data = self.sock.recv(65536)
        assert data, "the server closed in the middle of an answer"
        return data

    def ends(self, how: str) -> bytes:
        """Read until the connection ends in this way, `fin`, `rst` or either, or until there is `silence`."""
        data = bytearray()
        self.sock.settimeout(SILENCE if how == "silence" else 5)
        try:
            while chunk := self.sock.recv(65536):
                data += chunk
            ended = "fin"
        except TimeoutError:
            ended = "silence"
        except (ConnectionResetError, ssl.SSLEOFError):
            # Some versions of Python report an RST under TLS as an end without close_notify; the server's FIN has one.
            ended = "rst"
        assert ended in how
        return bytes(data)


def the_request(journal: Journal) -> RequestEntry:
    """The journal's only request."""
    (request,) = journal.requests
    return request
