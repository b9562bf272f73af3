"""Connections that are dead without a sign, and whether the client used one again."""

import asyncio
import time
from collections.abc import Mapping

from failsame.faults import sockets
from failsame.faults.record import ConnectionRecord
from failsame.faults.wire import Wire

# How often and how long it is looked whether the answer is acknowledged; the kernel delays that by 40 ms, 200 at most.
_ACK_GAP, _ACK_LOOKS = 0.002, 150

# A client that closes a dead TLS connection sends a close_notify of at most 31 bytes (TLS 1.2; 24 in 1.3) before its
# FIN, which counts as one byte; over plain TCP the FIN alone. More is a request.
_CLOSING_PLAIN, _CLOSING_TLS = 1, 32


async def die(wire: Wire, record: ConnectionRecord) -> None:
    """Let a connection die once the client has acknowledged its answer; nobody listens to it any more.

    Not sooner: a kernel whose data are not acknowledged sends them again, which keeps the client's keep-alive
    content, and gives the connection up after 15 minutes.
    """
    record.dead = time.monotonic()
    for _ in range(_ACK_LOOKS):
        if not sockets.unacknowledged(wire.sock):
            break
        await asyncio.sleep(_ACK_GAP)
    sockets.vanish(wire.sock)


def see_used(wire: Wire, record: ConnectionRecord, queues: Mapping[tuple[int, int], int]) -> None:
    """See whether the client's end of a dead connection holds more unacknowledged bytes than closing it takes."""
    own_port = wire.sock.getsockname()[1]
    waiting = queues.get((record.client_port, own_port), 0)
    record.used_dead |= waiting > (_CLOSING_TLS if wire.secure else _CLOSING_PLAIN)
