"""One accepted connection as bytes: plain or TLS, with control over how it ends."""

import asyncio
import contextlib
import socket
import ssl
import time
from typing import Protocol

from failsame.faults import sockets
from failsame.faults.tls import TlsSession


class Ears(Protocol):
    """Who listens to a connection."""

    def received(self, data: bytes, at: float) -> None:
        """Take bytes of plain text, received at this time."""

    def gone(self) -> None:
        """Learn that the client's FIN or RST was seen, or that the connection was reset from this side."""


class Wire(asyncio.Protocol):
    """A connection that tells its `ears` at once what it receives, and when the client is gone.

    When the client has sent its FIN, this side closes as well.
    """

    def __init__(self, sock: socket.socket, context: ssl.SSLContext | None, ears: Ears) -> None:
        self.sock = sock
        self.secure = context is not None
        self._tls = TlsSession(context) if context is not None else None
        self._ears = ears
        self._transport: asyncio.Transport | None = None
        self._finished = False
        self._drained = asyncio.Event()
        self._drained.set()

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Called by asyncio."""
        assert isinstance(transport, asyncio.Transport)
        # With no write buffer allowed, "drained" means that the kernel has every byte.
        transport.set_write_buffer_limits(high=0)
        self._transport = transport

    def data_received(self, data: bytes) -> None:
        """Called by asyncio."""
        at = time.monotonic()
        with contextlib.suppress(OSError):
            sockets.acknowledge_at_once(self.sock)
        if self._tls is not None:
            try:
                data = self._tls.receive(data)
            except ssl.SSLError:
                self._write(self._tls.outgoing())
                self.finish()
                return
            self._write(self._tls.outgoing())
        if not data:
            return
        if self._finished:
            # A socket that was closed would answer so; it is only kept half open to see the client's FIN.
            self.reset()
            return
        self._ears.received(data, at)

    def eof_received(self) -> bool:
        """Called by asyncio."""
        self._ears.gone()
        return False

    def connection_lost(self, exc: Exception | None) -> None:  # noqa: ARG002 - asyncio's signature
        """Called by asyncio."""
        self._drained.set()
        self._ears.gone()

    def pause_writing(self) -> None:
        """Called by asyncio."""
        self._drained.clear()

    def resume_writing(self) -> None:
        """Called by asyncio."""
        self._drained.set()

    def hold(self, *, held: bool) -> None:
        """Stop reading, or go on: for a client that sends more than it should before it is answered."""
        if self._transport is not None and not self._transport.is_closing():
            (self._transport.pause_reading if held else self._transport.resume_reading)()

    def put(self, data: bytes) -> None:
        """Send bytes without waiting for the kernel to take them."""
        if self._tls is not None:
            self._tls.send(data)
            data = self._tls.outgoing()
        self._write(data)

    async def send(self, data: bytes) -> None:
        """Send bytes; returns when the kernel has taken all of them."""
        self.put(data)
        await self._drained.wait()

    def finish(self) -> None:
        """Send a FIN, over TLS a close_notify before it, and wait for the client's, keeping nothing else."""
        if self._finished or self._transport is None or self._transport.is_closing():
            return
        if self._tls is not None:
            self._tls.close()
            self._write(self._tls.outgoing())
        self._finished = True
        with contextlib.suppress(OSError):  # the client has just reset it: ENOTCONN
            self._transport.write_eof()

    def reset(self) -> None:
        """Send an RST."""
        if self._transport is not None:
            with contextlib.suppress(OSError):
                sockets.reset_on_close(self.sock)
            self._transport.abort()

    def _write(self, data: bytes) -> None:
        if data and not self._finished and self._transport is not None and not self._transport.is_closing():
            self._transport.write(data)
