"""A real probe, driven over its channel as the trial room drives it."""

import contextlib
import os
import select
import socket
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any, TypeVar

from failsame.model import Model
from failsame.probes import PYTHON_PROBE
from failsame.trial.channel import (
    SAID,
    CallEnded,
    CallStarted,
    Connect,
    Done,
    Exited,
    Failed,
    Go,
    Note,
    Prepare,
    Prepared,
    Ready,
    Trial,
)

Said = Prepared | Failed | Ready | CallStarted | CallEnded | Connect | Done | Exited | Note | Any

Kind = TypeVar("Kind")

PATIENCE = 30.0
"""Seconds without a word after which a test fails instead of hanging."""


class End:
    """The test's end of a channel."""

    def __init__(self, end: socket.socket) -> None:
        end.settimeout(PATIENCE)
        self.socket = end
        self._lines = end.makefile("rb")

    def send(self, message: Model, *descriptors: int) -> None:
        """Say it, with descriptors if there are any."""
        socket.send_fds(self.socket, [message.model_dump_json().encode() + b"\n"], list(descriptors))

    def receive(self) -> Said | None:
        """What the probe says next; None at the end."""
        with contextlib.suppress(ConnectionResetError):
            line = self._lines.readline()
            return SAID.validate_json(line) if line else None
        return None

    def rest(self) -> list[Said]:
        """Everything up to the end."""
        said = []
        while (message := self.receive()) is not None:
            said.append(message)
        return said

    def close(self) -> None:
        """Hang up."""
        self._lines.close()
        self.socket.close()


class Probe:
    """One probe's process."""

    def __init__(self, python: str = sys.executable, variables: Mapping[str, str] | None = None) -> None:
        ours, theirs = socket.socketpair()
        with theirs:
            self.process = subprocess.Popen(
                [python, str(PYTHON_PROBE)],
                env={"PATH": "/usr/bin:/bin", "FAILSAME_CHANNEL": str(theirs.fileno()), **(variables or {})},
                pass_fds=(theirs.fileno(),),
                stderr=subprocess.DEVNULL,
            )
        self.end = End(ours)

    def prepare(self, file: Path, *, paths: Sequence[str] = (), preload: Sequence[str] = ()) -> Said:
        """Have a subject imported."""
        self.end.send(Prepare(file=str(file), paths=tuple(paths), preload=tuple(preload)))
        return self.end.receive()

    def close(self) -> int:
        """Hang up and wait for the end."""
        self.end.close()
        return self.process.wait(PATIENCE)


@dataclass
class Result:
    """A trial's messages, and the call counter at its end."""

    said: list[Said]
    counter: int
    status: int | None

    def of(self, kind: type[Kind]) -> list[Kind]:
        """The messages of one kind."""
        return [message for message in self.said if isinstance(message, kind)]

    @property
    def outcomes(self) -> list[str]:
        """The outcome of each call."""
        return [ended.outcome for ended in self.of(CallEnded)]


@dataclass
class Service:
    """A small good server that counts."""

    url: str
    port: int
    requests: list[str] = field(default_factory=list)


@contextlib.contextmanager
def serving() -> Iterator[Service]:
    """Serve 200 to everything; a request's path says what else: /status/500."""

    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def do_GET(self) -> None:
            service.requests.append(self.path)
            status = int(self.path.rpartition("/")[2]) if self.path.startswith("/status/") else 200
            self.send_response(status)
            self.send_header("Content-Length", "4")
            self.end_headers()
            self.wfile.write(b"well")

        def log_message(self, format: str, *args: object) -> None:  # noqa: A002 -- its name there
            pass

    with ThreadingHTTPServer(("127.0.0.1", 0), Handler) as server:
        server.daemon_threads = True
        service = Service(f"http://127.0.0.1:{server.server_port}", server.server_port)
        thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01})
        thread.start()
        try:
            yield service
        finally:
            server.shutdown()
            thread.join()


def order(url: str, counter: str, **more: Any) -> Trial:
    """A trial of one call against `url`, that is not watched afterwards."""
    asked: dict[str, Any] = {"trial": 1, "endpoints": {"main": url}, "jitter": 0.0, "calls": 1, "watch": 0.0}
    return Trial(counter=counter, **{**asked, **more})


def run_trial(probe: Probe, url: str, *, fork: bool, at: float | None = None, **more: Any) -> Result:
    """Run one trial to its end; its first call starts at once unless `at` is given."""
    with tempfile.NamedTemporaryFile() as counter:
        counter.write(b"\0\0\0\0")
        counter.flush()
        trial = order(url, counter.name, **more)
        if fork:
            ours, theirs = socket.socketpair()
            with theirs:
                probe.end.send(trial, theirs.fileno())
            end = End(ours)
        else:
            end = probe.end
            end.send(trial)
        said = []
        while (message := end.receive()) is not None:
            said.append(message)
            if isinstance(message, Ready):
                end.send(Go(at=time.monotonic() + 0.01 if at is None else at))
        if fork:
            end.close()
            exited = probe.end.receive()
            assert isinstance(exited, Exited)
            status = exited.status
        else:
            status = probe.process.wait(PATIENCE)
        return Result(said, int.from_bytes(Path(counter.name).read_bytes(), "little"), status)


def alive(pid: int) -> bool:
    """Whether a process is there and no zombie."""
    try:
        state = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0]
    except OSError:
        return False
    return state not in ("Z", "X")


def gone(*pids: int) -> bool:
    """Wait until these processes are gone."""
    descriptors = []
    for pid in pids:
        with contextlib.suppress(ProcessLookupError):
            descriptors.append(os.pidfd_open(pid))
    poll = select.poll()
    for descriptor in descriptors:
        poll.register(descriptor, select.POLLIN)
    deadline = time.monotonic() + PATIENCE
    waiting = set(descriptors)
    while waiting and time.monotonic() < deadline:
        for descriptor, _ in poll.poll(int(PATIENCE * 1000)):
            poll.unregister(descriptor)
            waiting.discard(descriptor)
    for descriptor in descriptors:
        os.close(descriptor)
    return not waiting
