"""What the self-test runs as a participant: waits of each kind, and prints how long each took, as JSON.

The standard library only, and little of it: it is started before every run.
"""

import ctypes
import json
import os
import select
import signal
import socket
import sys
import threading
import time
from collections.abc import Callable

LONG, SHORT, NOW = map(float, sys.argv[1:])
"""Seconds: of the waits that are skipped, of those that cannot be, and what the clock under test showed before."""

IP_MINTTL = 21
"""<linux/in.h>. Loopback packets have a time to live of 64: above that the kernel drops whatever arrives."""


def took(wait: Callable[[], object]) -> float:
    """Seconds that a wait lasted, by the clock under test."""
    start = time.monotonic()
    wait()
    return time.monotonic() - start


def receive(connection: socket.socket, timeout: float) -> bytes:
    """What came within the timeout; nothing if nothing came."""
    connection.settimeout(timeout)
    try:
        return connection.recv(1)
    except TimeoutError:
        return b""


def condition() -> None:
    """pthread_cond_timedwait, which Python does not use for its own locks."""
    libc = ctypes.CDLL(None)
    waited_for, mutex = ctypes.create_string_buffer(64), ctypes.create_string_buffer(64)
    deadline = time.time() + LONG
    until = (ctypes.c_int64 * 2)(int(deadline), int(deadline % 1 * 1e9) + 1)
    libc.pthread_mutex_lock(mutex)
    while libc.pthread_cond_timedwait(waited_for, mutex, until) == 0:
        pass


def lock() -> None:
    """A lock of Python's, which is a semaphore."""
    taken = threading.Lock()
    taken.acquire()
    taken.acquire(timeout=LONG)


def connect() -> tuple[socket.socket, socket.socket]:
    """Both ends of a loopback connection."""
    with socket.create_server(("127.0.0.1", 0)) as listener:
        client = socket.create_connection(listener.getsockname())
        server, _ = listener.accept()
    return client, server


def answer() -> bool:
    """Whether another process's answer, given just before the timeout, comes before it."""
    client, server = connect()
    if os.fork() == 0:
        server.recv(1)
        time.sleep(LONG - 0.001)
        server.send(b"x")
        os._exit(0)
    client.send(b"x")
    answered = receive(client, LONG) == b"x"
    os.wait()
    return answered


def lost_bytes() -> None:
    """Bytes that the kernel will send again, by a timer of its own."""
    client, server = connect()
    server.setsockopt(socket.IPPROTO_IP, IP_MINTTL, 255)
    client.send(b"x")
    receive(client, SHORT)
    server.setsockopt(socket.IPPROTO_IP, IP_MINTTL, 0)
    server.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, b"\1\0\0\0\0\0\0\0")
    server.close()  # a reset, so that nothing of it is left
    client.close()


def main() -> None:
    """Measure, print, and leave without waiting for anything."""
    if not NOW <= time.monotonic() < NOW + LONG:
        sys.exit("this is another clock: the shim is not loaded, or cannot reach its world")
    quiet, _silent = socket.socketpair()
    waits: dict[str, Callable[[], object]] = {
        "sleep": lambda: time.sleep(LONG),
        "poll": lambda: select.poll().poll(int(LONG * 1000)),
        "socket timeout": lambda: receive(quiet, LONG),
        "semaphore": lock,
        "condition variable": condition,
        "lost bytes": lost_bytes,
        "kernel wait": lambda: signal.sigtimedwait([signal.SIGUSR1], SHORT),
    }
    answered = answer()  # before the waits in real time, which end a moment late
    measured: dict[str, float] = {name: took(wait) for name, wait in waits.items()}
    print(json.dumps({"answered": answered, "took": measured}), flush=True)  # noqa: T201 - its result
    os._exit(0)


main()
