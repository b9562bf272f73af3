"""What the kernel can be made to do with a TCP socket, without any privilege.

A black hole and a connection that is dead without a sign both rest on IP_MINTTL (ip(7)): the kernel drops, without a
word, every arriving segment whose TTL is below the socket's minimum. Segments on the loopback carry the default TTL
of 64, so with a minimum of 255 a listener never sees a SYN, and a connection neither hears nor acknowledges.
"""

import errno
import fcntl
import itertools
import os
import socket
import struct
import termios
from pathlib import Path

_LOOPBACK = "127.0.0.1"
_BACKLOG = 512
_IP_MINTTL = 21  # linux/in.h; the socket module has no name for it
_SO_LINGER_RESET = struct.pack("ii", 1, 0)

_SOCKET_TABLES = (Path("/proc/net/tcp"), Path("/proc/net/tcp6"))


def bind(port: int, *, reuse: bool = False) -> socket.socket:
    """Reserve a port of 127.0.0.1, 0 for any; connects to it are refused until it listens. Raises OSError.

    `reuse` takes one that connections from before still have: not if it is to be free, since two sockets that both
    allow reuse may be given the same port.
    """
    sock = socket.socket(socket.AF_INET, socket.SOCK_STREAM | socket.SOCK_NONBLOCK)
    try:
        if reuse:
            sock.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        sock.bind((_LOOPBACK, port))
    except OSError:
        sock.close()
        raise
    return sock


class Ports:
    """Ports that nobody uses; of a range only, where a client can connect to no other."""

    def __init__(self, among: range | None = None) -> None:
        self._among = among
        # In turn, so that a port comes again as late as can be: what is left of its connections takes a while to go.
        self._turn = itertools.cycle(among or ())

    def take(self) -> socket.socket:
        """Reserve one. Raises OSError if all are taken."""
        if self._among is None:
            return bind(0)
        for port in itertools.islice(self._turn, len(self._among)):
            try:
                return bind(port)
            except OSError as error:
                if error.errno != errno.EADDRINUSE:
                    raise
        raise OSError(errno.EADDRINUSE, os.strerror(errno.EADDRINUSE))


def listen(sock: socket.socket) -> None:
    """Let a reserved port accept connections; they inherit TCP_NODELAY."""
    sock.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
    sock.listen(_BACKLOG)


def vanish(sock: socket.socket) -> None:
    """Drop every segment that arrives from now on: nothing is acknowledged, refused or reset any more."""
    sock.setsockopt(socket.IPPROTO_IP, _IP_MINTTL, 255)


def acknowledge_at_once(sock: socket.socket) -> None:
    """Acknowledge without the delay of up to 40 ms. The kernel forgets it, so it is asked after each receive."""
    sock.setsockopt(socket.IPPROTO_TCP, socket.TCP_QUICKACK, 1)


def reset_on_close(sock: socket.socket) -> None:
    """Let the close that follows send a reset (RST) instead of a FIN."""
    sock.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, _SO_LINGER_RESET)


def unacknowledged(sock: socket.socket) -> int:
    """Count the bytes that were sent, or are to be, and that the peer has not acknowledged (SIOCOUTQ of tcp(7))."""
    answer = fcntl.ioctl(sock.fileno(), termios.TIOCOUTQ, bytes(4))
    return int.from_bytes(answer, "little")


def peers_unacknowledged() -> dict[tuple[int, int], int]:
    """Read the kernel's socket tables: (own port, peer's port) of every TCP socket -> its unacknowledged bytes.

    A FIN counts as one byte. The sockets of processes that are gone stand there as well, until they are acknowledged
    or the kernel gives them up.
    """
    found: dict[tuple[int, int], int] = {}
    for table in _SOCKET_TABLES:
        if not table.exists():  # no IPv6
            continue
        for line in table.read_text().splitlines()[1:]:
            _, local, remote, _, queues, *_ = line.split()
            ports = int(local.rpartition(":")[2], 16), int(remote.rpartition(":")[2], 16)
            found[ports] = max(found.get(ports, 0), int(queues.partition(":")[0], 16))
    return found
