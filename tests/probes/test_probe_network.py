"""Connects: the trial's own are let through and counted, all others are refused where they are seen."""

from collections.abc import Callable

import pytest
from tests.probes.probing import Result, Service

from failsame.trial.channel import CallEnded, Connect, Note

# What `call` tries -> how it fails, and what is told of it.
ELSEWHERE = {
    "socket.create_connection(('192.0.2.1', 80))": ("builtins.ConnectionRefusedError", ["192.0.2.1:80"]),
    "socket.create_connection(('127.0.0.1', 9))": ("builtins.ConnectionRefusedError", ["127.0.0.1:9"]),
    "socket.socket(socket.AF_INET6).connect(('2001:db8::1', 443))": (
        "builtins.ConnectionRefusedError",
        ["[2001:db8::1]:443"],
    ),
    "socket.socket().connect(('example.com', 80))": ("socket.gaierror", ["example.com:80"]),
    "socket.create_connection(('Example.com.', 443))": ("socket.gaierror", ["example.com:443"]),
    "socket.gethostbyname('example.com')": ("socket.gaierror", ["example.com"]),
    "urllib.request.urlopen('http://169.254.169.254/latest')": ("urllib.URLError", ["169.254.169.254:80"]),
    "asyncio.run(asyncio.open_connection('192.0.2.1', 80))": ("builtins.ConnectionRefusedError", ["192.0.2.1:80"]),
    "asyncio.run(asyncio.open_connection('example.com', 80))": ("socket.gaierror", ["example.com:80"]),
    "[socket.socket().connect_ex(('192.0.2.1', 80)) for _ in range(9)]": (
        "builtins.ConnectionRefusedError",
        ["192.0.2.1:80"],
    ),
    "udp().connect(('192.0.2.1', 53))": ("builtins.OSError", []),
    "udp().sendto(b'x', ('192.0.2.1', 53))": ("builtins.OSError", []),
    "udp().sendto(b'x', ('127.0.0.1', 8125))": ("builtins.OSError", []),
    "socket.socket(socket.AF_UNIX).connect('/nowhere')": ("builtins.FileNotFoundError", []),
    "[socket.getaddrinfo(host, 80) for host in (None, 'localhost', '127.0.0.1', '::1', '192.0.2.1')]": ("ok", []),
    "socket.gethostbyname('localhost')": ("ok", []),
    "socket.socketpair()": ("ok", []),
}


@pytest.mark.parametrize("deed", ELSEWHERE)
def test_elsewhere(deed: str, trial: Callable[..., Result]) -> None:
    """A connect or look-up to anywhere else fails as it would without a network, and is told once."""
    result = trial(f"""
    import asyncio, socket, urllib.request

    def udp():
        return socket.socket(type=socket.SOCK_DGRAM)

    def client(endpoint):
        return None

    def call(client):
        {deed}
    """)
    outcome, told = ELSEWHERE[deed]
    assert result.outcomes == [outcome], result.of(CallEnded)
    assert [(connect.to, connect.endpoint) for connect in result.of(Connect)] == [(to, None) for to in told]


def test_many_addresses(trial: Callable[..., Result]) -> None:
    """A subject that tries address after address is refused each time and told of 50 times."""
    result = trial("""
    import socket

    def client(endpoint):
        return None

    def call(client):
        for port in range(1, 200):
            try:
                socket.create_connection(("192.0.2.1", port))
            except ConnectionRefusedError:
                pass
    """)
    assert result.outcomes == ["ok"]
    assert len(result.of(Connect)) == 50


HOSTS = {
    "http.client": 'http.client.HTTPConnection("api.example.com").request("GET", "/")',
    "another case": 'http.client.HTTPConnection("API.example.com.").request("GET", "/")',
    "socket": 'socket.socket().connect(("api.example.com", 80))',
    "443": 'socket.create_connection(("api.example.com", 443))',
    "asyncio": 'asyncio.run(asyncio.open_connection("api.example.com", 80))',
    "the address alone, as anyio uses it": (
        'socket.create_connection((socket.getaddrinfo("api.example.com", 80)[0][4][0], 80))'
    ),
}


@pytest.mark.parametrize("way", HOSTS)
def test_hosts(way: str, trial: Callable[..., Result], service: Service) -> None:
    """A host name of the configuration leads to the trial's port, whichever way it is looked up."""
    result = trial(
        f"""
    import asyncio, http.client, socket

    def client(endpoint):
        return None

    def call(client):
        {HOSTS[way]}
    """,
        hosts={"other.example.com": ("main", 9, 9), "api.example.com": ("main", service.port, service.port)},
    )
    assert result.outcomes == ["ok"], result.of(CallEnded)
    assert [(connect.to, connect.endpoint) for connect in result.of(Connect)] == [(f"127.0.0.1:{service.port}", "main")]


def test_another_port_of_a_host(trial: Callable[..., Result], service: Service) -> None:
    """A mapped host's other ports are refused, and told by its name."""
    result = trial(
        """
    import socket

    def client(endpoint):
        return None

    def call(client):
        socket.create_connection(("api.example.com", 8080))
    """,
        hosts={"api.example.com": ("main", service.port, service.port)},
    )
    assert result.outcomes == ["builtins.ConnectionRefusedError"]
    assert [connect.to for connect in result.of(Connect)] == ["api.example.com:8080"]


def test_notes(trial: Callable[..., Result]) -> None:
    """Warnings are noted once, masked, in the subject's own configuration of logging; the import's too."""
    result = trial("""
    import logging, warnings

    logging.getLogger("sdk").warning("on import")
    logging.getLogger("quiet").disabled = True
    handlers = []

    def client(endpoint):
        warnings.simplefilter("always")
        handlers.extend(logging.getLogger().handlers)
        return endpoint

    def call(client):
        for attempt in range(3):
            logging.getLogger("sdk").warning("retry %d in %.2f s at <X 0x7f%04x>", attempt, attempt / 3, attempt)
            logging.getLogger("sdk").error("request 4bf92f3577b34da6%04d failed at 127.0.0.1:%d", attempt, 80)
            warnings.warn(f"deprecated since version 2.{attempt}", DeprecationWarning)
        logging.getLogger("quiet").error("unheard")
        logging.getLogger("sdk").info("unheard")
        logging.getLogger("sdk").warning("broken %d", "text")
        for letter in "abcdefghijklmnopqrstuvwxyz":
            warnings.warn(letter)
        assert logging.getLogger().handlers == handlers == []
    """)
    assert result.outcomes == ["ok"], result.of(CallEnded)
    notes = [note.text for note in result.of(Note)]
    assert notes[:5] == [
        "sdk: on import",
        "sdk: retry N in N s at <X N>",
        "sdk: request N failed at N",
        "DeprecationWarning: deprecated since version N",
        "sdk: broken %d",
    ]
    assert len(notes) == 20
