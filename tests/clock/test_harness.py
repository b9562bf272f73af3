"""An event loop that says when it waits finds what it found before."""

import asyncio
import gc
import os
import select
import selectors
import signal
import socket
import struct
import threading
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from failsame.clock.harness import Harness, of_this_loop
from failsame.clock.native import CannotSkipError, find

READ, WRITE = selectors.EVENT_READ, selectors.EVENT_WRITE
EITHER = READ | WRITE


@pytest.fixture
def selector() -> Iterator[selectors.EpollSelector]:
    with selectors.EpollSelector() as opened:
        Harness(opened, find().harness)
        yield opened


def found(selector: selectors.EpollSelector) -> set[tuple[int, int]]:
    """What it finds at once, as descriptor and events; the same as selectors.py finds."""
    ours = {(key.fd, events) for key, events in selector.select(0)}
    assert ours == {(key.fd, events) for key, events in selectors.EpollSelector.select(selector, 0)}
    return ours


@pytest.mark.parametrize("asked", [READ, WRITE, EITHER])
def test_pipes(asked: int, selector: selectors.EpollSelector) -> None:
    """Something to read, the end, and a reader that is gone."""
    reader, writer = os.pipe()
    selector.register(reader, asked)
    assert found(selector) == set()
    os.write(writer, b"x")
    assert found(selector) == ({(reader, READ)} if asked & READ else set())
    os.close(writer)
    found(selector)
    selector.unregister(reader)
    os.close(reader)
    reader, writer = os.pipe()
    selector.register(writer, asked)
    os.close(reader)
    assert {events for _, events in found(selector)} == {asked}
    selector.unregister(writer)
    os.close(writer)


@pytest.mark.parametrize("asked", [READ, WRITE, EITHER])
@pytest.mark.parametrize("linger", [b"", struct.pack("ii", 1, 0)], ids=["end", "reset"])
def test_sockets(linger: bytes, asked: int, selector: selectors.EpollSelector) -> None:
    """Bytes, an end and a reset are found by who asked for them."""
    with socket.create_server(("127.0.0.1", 0)) as listener:
        ours = socket.create_connection(listener.getsockname())
        theirs, _ = listener.accept()
    with ours:
        selector.register(ours, asked)
        assert found(selector) == ({(ours.fileno(), WRITE)} if asked & WRITE else set())
        theirs.send(b"x")
        select.select([ours], [], [])
        assert found(selector) == {(ours.fileno(), asked)}
        if linger:
            theirs.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, linger)
        theirs.close()
        assert found(selector) == {(ours.fileno(), asked)}
        selector.unregister(ours)


def test_more_than_fit(selector: selectors.EpollSelector) -> None:
    """What does not fit into one answer is in the next."""
    pipes = [os.pipe() for _ in range(400)]
    for reader, writer in pipes:
        selector.register(reader, READ)
        os.write(writer, b"x")
    seen = {key.fd for _ in range(2) for key, _ in selector.select(0)}
    assert seen == {reader for reader, _ in pipes}
    for ends in pipes:
        for end in ends:
            os.close(end)


@pytest.mark.parametrize("seconds", [0.0001, 0.0123])
def test_a_time_is_waited_out(seconds: float, selector: selectors.EpollSelector) -> None:
    """Milliseconds are rounded up: a loop that was woken too early would turn for nothing."""
    began = time.monotonic()
    assert selector.select(seconds) == []
    assert time.monotonic() - began >= seconds


def test_a_broken_one_says_so(selector: selectors.EpollSelector) -> None:
    """An error is no empty answer: a loop would turn for ever."""
    os.close(selector.fileno())
    with pytest.raises(OSError, match="Bad file descriptor"):
        selector.select(0)


def test_an_interrupt() -> None:
    """Ctrl-C ends the wait at once."""

    async def main() -> None:
        of_this_loop(find().harness)
        asyncio.get_running_loop().call_soon(threading.Timer(0, lambda: os.kill(os.getpid(), signal.SIGINT)).start)
        await asyncio.sleep(60)

    began = time.monotonic()
    with pytest.raises(KeyboardInterrupt):
        asyncio.run(main())
    assert time.monotonic() - began < 30


def test_nothing_is_left_of_a_loop() -> None:
    """The shared memory goes with its loop."""

    async def main() -> None:
        assert of_this_loop(find().harness) is of_this_loop(find().harness)

    def opened() -> int:
        gc.collect()
        links = [link for link in Path("/proc/self/fd").iterdir() if link.is_symlink()]
        return sum("failsame-harness" in str(link.readlink()) for link in links)

    before = opened()
    for _ in range(5):
        asyncio.run(main())
    assert opened() <= before  # another test's may have gone with it


def test_a_loop_of_another_kind() -> None:
    """One that does not wait by epoll cannot say that it waits: time is not skipped, and the reason is given."""
    loop = asyncio.SelectorEventLoop(selectors.PollSelector())

    async def main() -> None:
        of_this_loop(Path("/nonexistent"))

    try:
        with pytest.raises(CannotSkipError, match="the event loop does not wait by epoll"):
            loop.run_until_complete(main())
    finally:
        loop.close()
