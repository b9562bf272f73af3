"""The ports of one trial, from opening them to handing over the journal."""

import asyncio
import contextlib
import socket
import ssl
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from failsame.errors import UnmeasuredError
from failsame.faults import sockets
from failsame.faults.conversation import Conversation, Counterpart
from failsame.faults.plan import Attempts, Plan
from failsame.faults.protocol import EndpointSpec, Journal, Opened
from failsame.faults.record import Recorder
from failsame.faults.remedies import reason
from failsame.suite import Fault
from failsame.suite.dialects import dialect_of

Contexts = Callable[[tuple[str, ...]], ssl.SSLContext]
"""Host names -> a server's context with a certificate for them."""


@dataclass(frozen=True)
class _Door:
    """One listening port of an endpoint."""

    sock: socket.socket
    context: ssl.SSLContext | None
    counterpart: Counterpart
    deaf: bool
    """Whether it accepts connections and never reads from them."""


class ServedTrial:
    """A trial's endpoints, on ports of `ports`. `limit` is told the number of a call that made its last attempt."""

    def __init__(
        self,
        attempts: Attempts,
        recorder: Recorder,
        contexts: Contexts | None,
        *,
        limit: Callable[[int], None],
        ports: sockets.Ports,
    ) -> None:
        self._attempts = attempts
        self._recorder = recorder
        self._contexts = contexts
        self._limit = limit
        self._ports = ports
        self._bound: list[socket.socket] = []
        self._doors: list[_Door] = []
        self._conversations: set[Conversation] = set()
        self._opening: set[asyncio.Task[None]] = set()

    def open(self, trial: int, endpoints: Sequence[EndpointSpec], port: int) -> Opened:
        """Open every endpoint's ports; raises UnmeasuredError or UsageError, with nothing left open."""
        urls: dict[str, str] = {}
        host_ports: dict[str, dict[str, int]] = {}
        try:
            for number, spec in enumerate(endpoints):
                ports = self._open(spec, port + number if port else 0)
                scheme = "https" if spec.tls or spec.fault.connect == "tls-stall" else "http"
                urls[spec.name] = f"{scheme}://127.0.0.1:{ports[scheme]}"
                if spec.hosts:
                    host_ports[spec.name] = ports
        except BaseException:
            self._shut()
            raise
        return Opened(trial=trial, urls=urls, host_ports=host_ports)

    def _open(self, spec: EndpointSpec, port: int) -> dict[str, int]:
        """Open a port for each scheme that may be asked for; with host names in the code that is both."""
        counterpart = Counterpart(
            endpoint=spec.name,
            dialect=dialect_of(spec.dialect, spec.good),
            plan=Plan(spec.fault, spec.fault_key, self._attempts),
            recorder=self._recorder,
            limit=self._limit,
            left=self._conversations.discard,
        )
        stalls = spec.fault.connect == "tls-stall"
        first = "https" if spec.tls or stalls else "http"
        ports: dict[str, int] = {}
        for scheme in (first, *({"http", "https"} - {first} if spec.hosts else ())):
            secure = scheme == "https" and not stalls
            context = self._context(spec) if secure else None
            door = _Door(self._bind(0 if ports else port), context, counterpart, deaf=stalls)
            ports[scheme] = door.sock.getsockname()[1]
            self._listen(door, spec.fault)
        return ports

    def _context(self, spec: EndpointSpec) -> ssl.SSLContext:
        assert self._contexts is not None
        try:
            return self._contexts(spec.hosts)
        except ValueError as error:
            raise UnmeasuredError(f"no certificate for {', '.join(spec.hosts)}: {error}; correct `hosts`") from error

    def _bind(self, port: int) -> socket.socket:
        try:
            sock = sockets.bind(port, reuse=True) if port else self._ports.take()
        except OSError as error:
            which = f"port {port}" if port else "a port"
            raise UnmeasuredError(f"cannot open {which} of 127.0.0.1: {reason(error)}") from error
        self._bound.append(sock)
        return sock

    def _listen(self, door: _Door, fault: Fault) -> None:
        if fault.connect == "refused":
            return
        if fault.connect == "black-hole":
            sockets.vanish(door.sock)
        sockets.listen(door.sock)
        self._doors.append(door)
        asyncio.get_running_loop().add_reader(door.sock, self._accept, door)

    def _accept(self, door: _Door) -> None:
        while True:
            try:
                sock, (_, client_port) = door.sock.accept()
            except (BlockingIOError, ConnectionAbortedError):
                return
            except OSError as error:
                self._recorder.failed(f"cannot accept a connection: {reason(error)}")
                asyncio.get_running_loop().remove_reader(door.sock)
                return
            sock.setblocking(False)
            with contextlib.suppress(OSError):
                sockets.acknowledge_at_once(sock)
            record = self._recorder.connection(door.counterpart.endpoint, client_port)
            conversation = Conversation(door.counterpart, record, deaf=door.deaf)
            self._conversations.add(conversation)
            task = asyncio.create_task(conversation.open(sock, door.context))
            self._opening.add(task)
            task.add_done_callback(self._opening.discard)

    def close(self, trial: int) -> Journal:
        """Close ports and connections and freeze the journal, which first learns which dead ones were used."""
        if any(conversation.record.dead is not None for conversation in self._conversations):
            queues = sockets.peers_unacknowledged()
            for conversation in self._conversations:
                conversation.see_used(queues)
        journal = self._recorder.journal(trial)
        self._shut()
        return journal

    def _shut(self) -> None:
        for door in self._doors:
            asyncio.get_running_loop().remove_reader(door.sock)
        for sock in self._bound:
            sock.close()
        for conversation in tuple(self._conversations):
            conversation.abandon()
