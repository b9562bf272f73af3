"""Subjects that do what a clock that skips does not expect: each meets silence with a limit of a second of its own."""

_HTTP = """\
import socket
import urllib.parse


def client(endpoint):
    return urllib.parse.urlsplit(endpoint).port


def ask(port):
    connection = socket.create_connection(("127.0.0.1", port))
    connection.sendall(b"GET /unit HTTP/1.1\\r\\nhost: a\\r\\nconnection: close\\r\\n\\r\\n")
    return connection


def answer(connection):
    with connection:
        status = connection.recv(12)
        while connection.recv(65536):
            pass
    if not status.endswith(b"200"):
        raise LookupError(status)


"""

_ALARM = """\
import signal


def ring(number, frame):
    raise TimeoutError


def call(port):
    signal.signal(signal.SIGALRM, ring)
    connection = ask(port)
    signal.{set}(signal.ITIMER_REAL, 1)
    try:
        answer(connection)
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
"""

_PLAIN = """\
def call(port):
    connection = ask(port)
    connection.settimeout(1)
    answer(connection)
"""

_CHILD = """\
import subprocess
import sys

PROGRAM = "import sys, urllib.request; urllib.request.urlopen(sys.argv[1], timeout=1).read()"


def call(port):
    child = [sys.executable, "-c", PROGRAM, f"http://127.0.0.1:{port}/unit"]
    if subprocess.run(child, stderr=subprocess.DEVNULL, %s).returncode:
        raise TimeoutError
"""

REAL = {
    "receive-timeout": (
        _HTTP
        + """\
import struct


def call(port):
    connection = ask(port)
    connection.setsockopt(socket.SOL_SOCKET, socket.SO_RCVTIMEO, struct.pack("ll", 1, 0))
    try:
        answer(connection)
    except BlockingIOError:
        raise TimeoutError from None
""",
        "has set SO_RCVTIMEO",
    ),
    "timerfd": (
        _HTTP
        + """\
import ctypes
import os
import select
import struct
import time

LIBC = ctypes.CDLL(None)


def call(port):
    connection = ask(port)
    timer = LIBC.timerfd_create(time.CLOCK_MONOTONIC, 0)
    LIBC.timerfd_settime(timer, 0, struct.pack("4q", 0, 0, 1, 0), None)
    try:
        if timer in select.select([connection, timer], [], [])[0]:
            raise TimeoutError
        answer(connection)
    finally:
        os.close(timer)
""",
        "a timer in the kernel",
    ),
    "interval-timer": (_HTTP + _ALARM.replace("{set}", "setitimer"), "a timer in the kernel"),
    "alarm": (_HTTP + _ALARM.replace("{set}(signal.ITIMER_REAL, 1)", "alarm(1)"), "a timer in the kernel"),
    "stripped-child": (_HTTP + _CHILD % "env={}", "has no shim"),
}
"""Subject -> its source, and words of the reason for which it is measured in real time."""

SKIPPED = {
    "threads": _HTTP
    + """\
import threading
import time


def call(port):
    ended = []

    def work():
        connection = ask(port)
        connection.settimeout(1)
        try:
            answer(connection)
        except TimeoutError:
            ended.append("timeout")

    threads = [threading.Thread(target=time.sleep, args=(wait / 10,)) for wait in range(8)]
    threads.append(threading.Thread(target=work))
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    if ended:
        raise TimeoutError
""",
    "child": _HTTP + _CHILD % "env=None",
    "no-signals": _HTTP
    + """\
import signal

for number in signal.valid_signals() - {signal.SIGKILL, signal.SIGSTOP}:
    signal.signal(number, signal.SIG_IGN)
signal.pthread_sigmask(signal.SIG_BLOCK, signal.valid_signals())


"""
    + _PLAIN,
    "worker": _HTTP
    + """\
import hashlib
import time


def call(port):
    start = time.process_time()
    while time.process_time() - start < 1:
        hashlib.sha256(b"x" * 1000).digest()
    connection = ask(port)
    connection.settimeout(1)
    answer(connection)
""",
}
"""Subject -> its source: measured in skipped time. The last one works for a second, which takes no time."""

GEVENT = "from gevent import monkey\n\nmonkey.patch_all()\n\n" + _HTTP + _PLAIN

UVLOOP = """\
import asyncio

import aiohttp
import uvloop

asyncio.set_event_loop_policy(uvloop.EventLoopPolicy())


async def client(endpoint):
    limit = aiohttp.ClientTimeout(total=1)
    async with aiohttp.ClientSession(endpoint, timeout=limit) as session:
        yield session


async def call(session):
    async with session.get("/items/1") as response:
        response.raise_for_status()
        return await response.read()
"""

SPINNER = (
    _HTTP
    + """\
import time


def call(port):
    connection, start = ask(port), time.monotonic()
    connection.setblocking(False)
    while time.monotonic() - start < 1:
        try:
            connection.recv(1, socket.MSG_PEEK)
        except BlockingIOError:
            continue
        connection.setblocking(True)
        return answer(connection)
    raise TimeoutError
"""
)
"""Reads the clock until a second is over: skipped, and in real time on a machine that takes too long for it."""
