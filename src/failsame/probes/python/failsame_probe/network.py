"""Where a subject connects to: its own trial's ports are let through, everything else is refused where it is seen.

Seen are Python's audit events, so every use of `socket`, whoever makes it: http.client, urllib3, httpcore, asyncio's
own loop, trio. Not seen are libraries that make their system calls themselves: uvloop's transports, gRPC, libcurl,
database drivers in C, and child processes that are no forks. For them attempts below HTTP cannot be counted and a
connect elsewhere is not refused here; the container's network does that.
"""

from __future__ import annotations

import contextlib
import errno
import os
import socket
import sys
import threading
import weakref
from collections.abc import Callable, Mapping
from time import monotonic  # the real one, whatever the subject puts in its place
from typing import Any, NoReturn, Protocol
from urllib.parse import urlsplit

from failsame_probe.masks import one_line

_MOST_ELSEWHERE = 50
"""Connects to somewhere else that are reported in a trial."""

_INTERNET = (socket.AF_INET, socket.AF_INET6)

_LOOPBACK_NAMES = frozenset({"", "localhost", "localhost.localdomain", "ip6-localhost", "ip6-loopback"})

_STAND_IN = "127.83.0."
"""Names of `hosts` resolve into this network, one address each, and a connect to it goes to the trial's port. So it
does not matter whether a client takes the port from the look-up's answer or keeps its own, as anyio does."""


class Reports(Protocol):
    """Who is told of connects."""

    def __call__(self, said: str, **facts: Any) -> None:
        """Say it over the channel."""


class Network:
    """The process's outgoing connects, watched."""

    def __init__(self) -> None:
        self._report: Reports | None = None
        self._ports: dict[int, str] = {}
        self._stand_ins: dict[str, tuple[str, int, int]] = {}
        self._addresses: dict[str, str] = {}
        self._limit = 0
        self._call = 0
        self._connects = 0
        self._elsewhere: set[tuple[int, str]] = set()
        self._seen: weakref.WeakSet[socket.socket] = weakref.WeakSet()
        self._lock = threading.Lock()
        self._handlers: dict[str, Callable[..., None]] = {
            "socket.connect": self._connecting,
            "socket.sendto": self._sending,
            "socket.sendmsg": self._sending,
            "socket.getaddrinfo": self._looking_up,
            "socket.gethostbyname": self._looking_up,
            "socket.gethostbyaddr": self._looking_up,
        }
        os.register_at_fork(after_in_child=self._renew_lock)

    def _renew_lock(self) -> None:
        self._lock = threading.Lock()

    def install(self) -> None:
        """Watch from now on; before a trial begins every connect is refused, and none reported."""
        handlers = self._handlers

        def hook(event: str, arguments: tuple[Any, ...]) -> None:
            handler = handlers.get(event)
            if handler is not None:
                handler(*arguments)

        sys.addaudithook(hook)
        getaddrinfo, connect, connect_ex = socket.getaddrinfo, socket.socket.connect, socket.socket.connect_ex

        def mapped_getaddrinfo(host: Any, *rest: Any, **named: Any) -> Any:
            return getaddrinfo(self._addresses.get(_name(host), host), *rest, **named)

        def mapped_connect(end: socket.socket, address: Any) -> None:
            connect(end, self._leads_to(end, address))

        def mapped_connect_ex(end: socket.socket, address: Any) -> int:
            return connect_ex(end, self._leads_to(end, address))

        socket.getaddrinfo = mapped_getaddrinfo
        socket.socket.connect = mapped_connect  # type: ignore[assignment, method-assign]
        socket.socket.connect_ex = mapped_connect_ex  # type: ignore[assignment, method-assign]

    def begin(
        self, report: Reports, endpoints: Mapping[str, str], hosts: Mapping[str, tuple[str, int, int]], limit: int
    ) -> None:
        """Let the trial's ports through and report; a call's connect after the first `limit` is its last."""
        for number, (host, (endpoint, http, https)) in enumerate(hosts.items(), start=1):
            self._addresses[_name(host)] = f"{_STAND_IN}{number}"
            self._stand_ins[f"{_STAND_IN}{number}"] = (host, http, https)
            self._ports.update({http: endpoint, https: endpoint})
        self._ports.update({urlsplit(url).port or 0: name for name, url in endpoints.items()})
        self._limit = limit
        self._report = report

    def call(self, number: int) -> None:
        """Connects from now on are those of call `number`, from 1."""
        with self._lock:
            self._call, self._connects = number, 0

    def _leads_to(self, end: socket.socket, address: Any) -> Any:
        """Where a connect to `address` goes in the end; a name is looked up here, as connect(2) does it unseen."""
        if end.family not in _INTERNET or not isinstance(address, tuple) or len(address) < 2:  # noqa: PLR2004
            return address
        host, port = self._addresses.get(_name(address[0]), address[0]), address[1]
        if host not in self._stand_ins:
            self._looking_up(host, port)
            return address
        _, http, https = self._stand_ins[host]
        stands_for = {80: http, 443: https}.get(port)
        return (host, port) if stands_for is None else ("127.0.0.1", stands_for)

    def _connecting(self, end: socket.socket, address: Any) -> None:
        if end.family not in _INTERNET:
            return
        if end.type != socket.SOCK_STREAM:
            _refuse_datagram()
        host, port = address[0], address[1]
        if host in ("127.0.0.1", "localhost") and port in self._ports:
            self._own(end, port)
        else:
            known = self._stand_ins.get(host)
            self._other(f"[{host}]:{port}" if ":" in str(host) else f"{known[0] if known else host}:{port}")
            raise ConnectionRefusedError(errno.ECONNREFUSED, os.strerror(errno.ECONNREFUSED))

    def _own(self, end: socket.socket, port: int) -> None:
        with self._lock:
            # A non-blocking connect that is asked again how it went is no other one.
            if self._report is None or (end in self._seen and end.gettimeout() == 0):
                return
            self._seen.add(end)
            self._connects += 1
            limited = self._call > 0 and self._connects > self._limit
            if limited:
                self._report("limit", call=self._call)
            else:
                self._report("connect", at=monotonic(), to=f"127.0.0.1:{port}", endpoint=self._ports[port])
        if limited:
            _block()

    def _other(self, to: str) -> None:
        to = one_line(to, 100)
        with self._lock:
            key = (self._call, to)
            if self._report is None or key in self._elsewhere or len(self._elsewhere) >= _MOST_ELSEWHERE:
                return
            self._elsewhere.add(key)
            self._report("connect", at=monotonic(), to=to, endpoint=None)

    def _sending(self, end: socket.socket, address: Any) -> None:
        if address is not None and end.family in _INTERNET:
            _refuse_datagram()

    def _looking_up(self, host: Any, port: Any = None, *_: Any) -> None:
        name = _name(host)
        if name in _LOOPBACK_NAMES or _is_literal(name) or name == socket.gethostname().lower():
            return
        self._other(f"{name}:{port}" if isinstance(port, int) and port else name)
        raise socket.gaierror(socket.EAI_NONAME, "Name or service not known")


def _refuse_datagram() -> NoReturn:
    # Quietly: it is how code finds the machine's own address, and how statistics are sent.
    raise OSError(errno.ENETUNREACH, os.strerror(errno.ENETUNREACH))


def _name(host: Any) -> str:
    if isinstance(host, (bytes, bytearray)):
        host = bytes(host).decode("ascii", "replace")
    return host.rstrip(".").lower() if isinstance(host, str) else ""


def _is_literal(host: str) -> bool:
    for family in (socket.AF_INET, socket.AF_INET6):
        with contextlib.suppress(OSError, ValueError):
            socket.inet_pton(family, host.partition("%")[0])
            return True
    return False


def _block() -> NoReturn:
    """Wait until the process is killed."""
    never = threading.Lock()
    never.acquire()
    while True:
        never.acquire()
