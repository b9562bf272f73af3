"""Two ends of TCP connections in their own hands: `peers.py NAME` runs one case and prints what it measured as JSON."""

import asyncio
import hashlib
import json
import os
import random
import socket
import sys
import threading
import time

IP_MINTTL = 21


def listen(backlog: int = 5) -> socket.socket:
    listener = socket.socket()
    listener.bind(("127.0.0.1", int(sys.argv[2])))
    listener.listen(backlog)
    return listener


def burn(seconds: float) -> None:
    data, start = b"x" * 3_000_000, time.thread_time()
    while time.thread_time() - start < seconds:
        hashlib.sha256(data).digest()


def ping_pong() -> dict[str, object]:
    """Round trips with a timeout of 5 s, some answered after a wait: any timeout is a jump past an answer."""
    listener = listen()
    if os.fork() == 0:
        listener.setblocking(False)

        async def answer(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
            while data := await reader.read(4):
                await asyncio.sleep(int.from_bytes(data, "big") / 1000)
                writer.write(data)
            os._exit(0)

        async def serve() -> None:
            await asyncio.start_server(answer, sock=listener)
            await asyncio.Event().wait()

        asyncio.run(serve())
    client = socket.create_connection(listener.getsockname(), timeout=5)
    client.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
    draw, early, late = random.Random(2), 0, 0.0
    for trip in range(int(sys.argv[3])):
        wait = draw.choice([50, 400, 3000, 4990]) if trip % 50 == 0 else 0
        start = time.monotonic()
        client.sendall(wait.to_bytes(4, "big"))
        try:
            client.recv(4)
        except TimeoutError:
            return {"timed out in trip": trip}
        took = time.monotonic() - start
        early += took < wait / 1000
        late = max(late, took - wait / 1000)
    return {"early": early, "late": late}


def delayed_acknowledgement() -> dict[str, object]:
    """Small writes without TCP_NODELAY: the kernel holds the second until the first is acknowledged, up to 40 ms later.

    The server answers when it has all of them.
    """
    listener = listen()
    if os.fork() == 0:
        connection, _ = listener.accept()
        while True:
            received = 0
            while received < 1100:
                data = connection.recv(4096)
                if not data:
                    os._exit(0)
                received += len(data)
            connection.sendall(b"ok")
    client = socket.create_connection(listener.getsockname(), timeout=5)
    timeouts = 0
    for _ in range(8):
        for size in (100, 500, 500):
            client.sendall(b"x" * size)
        try:
            client.recv(100)
        except TimeoutError:
            timeouts += 1
    return {"timeouts": timeouts}


def dropped_syn() -> dict[str, object]:
    """A full backlog drops a SYN; the kernel sends it again after a second of its own time. Somebody works."""
    listener = listen(0)
    filling = [socket.socket() for _ in range(3)]
    for each in filling:
        each.setblocking(False)
        each.connect_ex(listener.getsockname())
    worker = threading.Thread(target=burn, args=(0.3,))
    worker.start()

    def make_room() -> None:
        time.sleep(0.01)
        listener.accept()
        listener.accept()

    client = socket.socket()
    client.settimeout(float(sys.argv[3]))
    threading.Thread(target=make_room, daemon=True).start()
    start = time.monotonic()
    try:
        client.connect(listener.getsockname())
        result = "connected"
    except TimeoutError:
        result = "timeout"
    took = time.monotonic() - start
    worker.join()
    return {"result": result, "took": took}


def undeclared_loss() -> dict[str, object]:
    """Bytes the kernel keeps sending again: the receiver is deaf for 0.3 s, then hears the next repetition."""
    listener = listen()
    client = socket.create_connection(listener.getsockname(), timeout=60)
    server, _ = listener.accept()
    server.setsockopt(socket.IPPROTO_IP, IP_MINTTL, 255)

    def hear() -> None:
        time.sleep(0.3)
        server.setsockopt(socket.IPPROTO_IP, IP_MINTTL, 0)
        server.sendall(server.recv(10))

    threading.Thread(target=hear, daemon=True).start()
    start = time.monotonic()
    client.sendall(b"hello")
    try:
        answer = client.recv(10).decode()
    except TimeoutError:
        answer = "timeout"
    return {"answer": answer, "took": time.monotonic() - start}


def full_receiver() -> dict[str, object]:
    """The receiver does not read: the sender waits for room for as long as its timeout allows."""
    listener = listen()
    client = socket.create_connection(listener.getsockname(), timeout=60)
    _server, _ = listener.accept()
    start = time.monotonic()
    try:
        client.sendall(b"x" * 50_000_000)
        result = "sent"
    except TimeoutError:
        result = "timeout"
    return {"result": result, "took": time.monotonic() - start}


if __name__ == "__main__":
    measured = globals()[sys.argv[1]]()
    print(json.dumps(measured), flush=True)
    os._exit(0)
