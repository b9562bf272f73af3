"""TLS without a socket: bytes in, bytes out.

asyncio's own TLS transport waits for the client's close_notify before it sends a FIN, and keeps a failed handshake to
itself. A broken server decides such things.
"""

import contextlib
import ssl

_MOST = 65_536


class TlsSession:
    """The server's end of one TLS connection."""

    def __init__(self, context: ssl.SSLContext) -> None:
        self._incoming = ssl.MemoryBIO()
        self._outgoing = ssl.MemoryBIO()
        self._tls = context.wrap_bio(self._incoming, self._outgoing, server_side=True)
        self._shaken = False

    def receive(self, data: bytes) -> bytes:
        """Take what the client sent and return the plain text in it; raises ssl.SSLError if it is not TLS.

        Afterwards, also after an error, `outgoing` may have something to send.
        """
        self._incoming.write(data)
        plain = bytearray()
        with contextlib.suppress(ssl.SSLWantReadError, ssl.SSLZeroReturnError):
            if not self._shaken:
                self._tls.do_handshake()
                self._shaken = True
            while chunk := self._tls.read(_MOST):
                plain += chunk
        return bytes(plain)

    def send(self, data: bytes) -> None:
        """Encrypt plain text into `outgoing`; only after the handshake."""
        self._tls.write(data)

    def close(self) -> None:
        """Put a close_notify into `outgoing`, if there was a handshake; the client's own is not waited for."""
        if self._shaken:
            with contextlib.suppress(ssl.SSLError):
                self._tls.unwrap()

    def outgoing(self) -> bytes:
        """Take what is to be sent."""
        return self._outgoing.read()
