"""The authority that signs the broken server's certificates, made once per process."""

import ssl
from functools import cache
from pathlib import Path

import trustme

_OWN_NAMES = ("127.0.0.1", "localhost")


class Authority:
    """A certificate authority of our own; `path` is its certificate, which clients are told to trust.

    Raises OSError if the file cannot be written.
    """

    def __init__(self, folder: Path) -> None:
        self._authority = trustme.CA(organization_name="failsame")
        self.path = folder / "authority.pem"
        self._authority.cert_pem.write_to_path(str(self.path))
        self.context = cache(self._context)

    def _context(self, hosts: tuple[str, ...]) -> ssl.SSLContext:
        """Make a server's context whose certificate is good for 127.0.0.1, localhost and these host names.

        Raises ValueError if one is no host name.
        """
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        self._authority.issue_cert(*_OWN_NAMES, *hosts).configure_cert(context)
        context.set_alpn_protocols(["http/1.1"])
        # No session tickets: they would be unacknowledged bytes behind the client's back, just when the connection is
        # to be quiet.
        context.num_tickets = 0
        return context
