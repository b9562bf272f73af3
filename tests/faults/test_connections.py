import errno
import json
import select
import socket
import ssl
import time

import pytest
from tests.faults.driving import SILENCE, Client, Driver, scenario_of, the_request

from failsame.faults.protocol import ConnectionEntry, EndpointSpec, Journal
from failsame.suite import Failure, Good, GoodAnswer, Silent

_TLS = EndpointSpec(tls=True)


def the_connection(journal: Journal) -> ConnectionEntry:
    """The journal's only connection."""
    (connection,) = journal.connections
    return connection


def test_nothing_listens_on_a_refused_port_but_it_stays_reserved(driver: Driver) -> None:
    """A connect is refused, and nobody else can have the port."""
    with driver.trial("refused") as served:
        with pytest.raises(ConnectionRefusedError):
            served.connect()
        with socket.socket() as other, pytest.raises(OSError, match="in use"):
            other.bind(("127.0.0.1", served.port))
        assert served.close().connections == ()


def test_a_black_hole_leaves_the_syn_unanswered(driver: Driver) -> None:
    """A connect neither succeeds nor fails."""
    with driver.trial("connect-blackhole") as served, socket.socket() as sock:
        sock.setblocking(False)
        assert sock.connect_ex(("127.0.0.1", served.port)) == errno.EINPROGRESS
        assert select.select([], [sock], [], SILENCE) == ([], [], [])
        assert served.close().connections == ()


def test_a_stalled_handshake_accepts_and_says_nothing(driver: Driver) -> None:
    """An https URL is handed out; the TLS hello is acknowledged and never answered."""
    with driver.trial("tls-stall") as served:
        assert served.opened.urls["main"].startswith("https://127.0.0.1:")
        with socket.create_connection(("127.0.0.1", served.port)) as sock:
            sock.settimeout(SILENCE)
            with pytest.raises(TimeoutError):
                ssl.create_default_context().wrap_socket(sock, server_hostname="localhost")
        journal = served.close()
    assert len(journal.connections) == 1
    assert journal.requests == ()


def test_only_ipv4_listens(driver: Driver) -> None:
    """A client that tries ::1 first is not answered there."""
    if not socket.has_ipv6:
        pytest.skip("no IPv6")
    with driver.trial("healthy") as served, pytest.raises(OSError, match=r"refused|unavailable|Cannot assign"):
        socket.create_connection(("::1", served.port), timeout=1)


def test_keep_alive_serves_one_request_after_the_other(driver: Driver) -> None:
    """One connection, several requests, HEAD among them."""
    with driver.trial("healthy") as served, served.connect() as client:
        assert client.get("/a").answer()[0] == 200
        status, headers, body = client.get("/b", "HEAD").answer(bodiless=True)
        assert (status, body, int(headers["content-length"]) > 0) == (200, b"", True)
        assert client.get("/c").answer()[0] == 200
        journal = served.close()
    assert [entry.key for entry in journal.requests] == ["GET /a", "HEAD /b", "GET /c"]
    assert {entry.connection for entry in journal.requests} == {1}
    assert all(entry.complete for entry in journal.requests)


def test_pipelined_requests_are_answered_in_order(driver: Driver) -> None:
    """Requests that come in one segment each get their answer."""
    spec = EndpointSpec(good=GoodAnswer(body="x"))
    with (
        driver.trial(scenario_of(Failure(status=500, body="1"), Failure(status=503, body="2"), Good()), spec) as served,
        served.connect() as client,
    ):
        data = client.send(b"GET / HTTP/1.1\r\nHost: x\r\n\r\n" * 3).ends("silence")
    statuses = [line.split()[1] for line in data.split(b"\r\n") if line.startswith((b"HTTP", b"1HTTP", b"2HTTP"))]
    assert statuses == [b"500", b"503", b"200"]


def test_connection_close_and_http_1_0_end_in_a_fin(driver: Driver) -> None:
    """A client that wants the connection closed gets it closed."""
    with driver.trial("healthy") as served:
        with served.connect() as client:
            assert b"200" in client.get(headers="Connection: close\r\n").ends("fin")
        with served.connect() as client:
            assert b"200" in client.send(b"GET / HTTP/1.0\r\n\r\n").ends("fin")


def test_expect_100_continue_is_answered_at_once(driver: Driver) -> None:
    """The go-ahead comes before the body, also where the fault comes after it."""
    with driver.trial("close-after-request") as served, served.connect() as client:
        client.get("/", "PUT", "Expect: 100-continue\r\nContent-Length: 3\r\n")
        assert client.sock.recv(4096).startswith(b"HTTP/1.1 100 ")
        assert client.send(b"abc").ends("fin") == b""


def test_chunked_and_large_bodies_are_read_whole(driver: Driver) -> None:
    """The body's size is no obstacle, and a dialect sees its beginning."""
    with driver.trial("healthy", EndpointSpec(dialect="openai")) as served, served.connect() as client:
        document = b'{"model": "asked-for"}'
        client.get("/v1/chat/completions", "POST", "Transfer-Encoding: chunked\r\n")
        client.send(b"%x\r\n%b\r\n0\r\n\r\n" % (len(document), document))
        assert json.loads(client.answer()[2])["model"] == "asked-for"
        client.get("/v1/chat/completions", "POST", f"Content-Length: {3_000_000}\r\n").send(b" " * 3_000_000)
        assert client.answer()[0] == 200


@pytest.mark.parametrize("scenario", ["silent", "stalled-body", "late-45s", "drip-body", "tls-stall"])
def test_a_client_that_leaves_is_noticed_at_once(driver: Driver, scenario: str) -> None:
    """However quiet a connection is, the client's FIN is stamped and answered."""
    with driver.trial(scenario) as served, served.connect() as client:
        client.get()
        client.ends("silence")
        left = time.monotonic()
        client.sock.shutdown(socket.SHUT_WR)
        client.sock.settimeout(5)
        while client.sock.recv(65536):
            pass
        connection = the_connection(served.close())
    assert connection.ended is not None
    assert left <= connection.ended < left + 1


def test_a_connection_left_open_has_no_end(driver: Driver) -> None:
    """What the client never closed is told apart from what it did."""
    with driver.trial("healthy") as served, served.connect() as client:
        client.get().answer()
        assert the_connection(served.close()).ended is None
        # The end of the trial leaves nothing behind: the connection is reset.
        assert client.ends("rst") == b""


@pytest.mark.parametrize(("scenario", "ending"), [("closes-on-reuse", "fin"), ("resets-on-reuse", "rst")])
def test_the_second_request_of_a_connection_is_broken(driver: Driver, scenario: str, ending: str) -> None:
    """The first is served, the second read and not answered; a new connection is good again."""
    with driver.trial(scenario) as served:
        with served.connect() as client:
            assert client.get().answer()[0] == 200
            served.call(2)
            assert client.get().ends(ending) == b""
        with served.connect() as client:
            assert client.get().answer()[0] == 200
        journal = served.close()
    assert [(entry.call, entry.connection, entry.complete) for entry in journal.requests] == [
        (1, 1, True),
        (2, 1, False),
        (2, 2, True),
    ]


@pytest.mark.parametrize("spec", [EndpointSpec(), _TLS])
def test_half_open_is_seen_only_in_the_kernels_table(driver: Driver, spec: EndpointSpec) -> None:
    """After the first answer the connection is dead without a sign, and a request sent on it is noticed."""
    with driver.trial("half-open", spec) as served:
        connect = served.connect_tls if spec.tls else served.connect
        with connect() as used, connect() as unused, connect() as closed:
            for client in (used, unused, closed):
                assert client.get().answer()[0] == 200
            assert used.get().ends("silence") == b""
            if spec.tls:
                _close_notify(closed)
            closed.sock.close()
            with connect() as fresh:
                assert fresh.get().answer()[0] == 200
            journal = served.close()
    assert len(journal.requests) == 4
    assert [connection.used_dead for connection in journal.connections] == [True, False, False, False]
    assert all(connection.dead is not None for connection in journal.connections)
    assert [connection.ended for connection in journal.connections[:3]] == [None, None, None]


def _close_notify(client: Client) -> None:
    assert isinstance(client.sock, ssl.SSLSocket)
    client.sock.settimeout(0.01)
    with pytest.raises(TimeoutError):
        client.sock.unwrap()


def test_a_dead_connection_is_noticed_after_its_client_is_gone(driver: Driver) -> None:
    """The request stays in the kernel's table when the client has closed the socket it sent it on."""
    with driver.trial("half-open") as served:
        with served.connect() as client:
            assert client.get().answer()[0] == 200
            assert client.get().ends("silence") == b""
        assert the_connection(served.close()).used_dead


def test_https_is_trusted_by_the_authority_alone(driver: Driver) -> None:
    """The certificate holds for 127.0.0.1, and only for those who know our authority."""
    with driver.trial("status-503", _TLS) as served:
        with served.connect_tls() as client:
            assert client.get().answer()[0] == 503
        with served.connect() as client, pytest.raises(ssl.SSLCertVerificationError):
            ssl.create_default_context().wrap_socket(client.sock, server_hostname="127.0.0.1")
        journal = served.close()
    assert len(journal.connections) == 2
    assert the_request(journal).answer == "503"


@pytest.mark.parametrize(
    ("scenario", "ending"),
    [("close-after-request", "fin"), ("truncated-body", "fin"), ("reset-after-request", "rst"), ("silent", "silence")],
)
def test_over_https_a_connection_ends_as_over_http(driver: Driver, scenario: str, ending: str) -> None:
    """A FIN comes with a close_notify, so that it is no error of TLS; an RST and silence are what they are."""
    with driver.trial(scenario, _TLS) as served, served.connect_tls() as client:
        client.get().ends(ending)


def test_host_names_get_both_ports_and_a_certificate(driver: Driver) -> None:
    """Code with a hard-coded name may speak http or https to it."""
    spec = EndpointSpec(hosts=("api.example.com",), fault_key="GET /x")
    with driver.trial("status-500", spec) as served:
        ports = served.opened.host_ports["main"]
        assert ports["http"] == served.port
        with served.connect() as client, served.connect_tls("api.example.com", ports["https"]) as secure:
            assert client.get("/x").answer()[0] == 500
            assert secure.get("/x").answer()[0] == 500


@pytest.mark.parametrize(
    "hostile",
    [
        b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03" + bytes(32),
        b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n",
        b"\x00\xff\xfe garbage\r\n\r\n",
        b"GET / HTTP/1.1\r\n\r\n",
        b"GET / HTTP/1.1\r\nHost: x\r\nX: " + b"y" * 200_000,
        b"CONNECT example.com:443 HTTP/1.1\r\nHost: example.com\r\n\r\n",
        b"GET / HTTP/9.9\r\nHost: x\r\n\r\n",
    ],
    ids=["tls-hello", "http2", "garbage", "no-host", "huge-header", "connect", "http9"],
)
def test_what_is_no_request_is_closed_and_noted(driver: Driver, hostile: bytes) -> None:
    """Neither an attempt nor a crash; the next connection is served."""
    with driver.trial("status-500") as served:
        with served.connect() as client:
            assert client.send(hostile).ends("fin or rst") == b""
        with served.connect() as client:
            assert client.get().answer()[0] == 500
        journal = served.close()
    assert [(entry.key, entry.faulted, entry.answer) for entry in journal.requests] == [
        ("not HTTP", False, "closed"),
        ("GET /", True, "500"),
    ]


def test_a_plain_request_on_an_https_port_is_closed(driver: Driver) -> None:
    """It is a connection without a request."""
    with driver.trial("healthy", _TLS) as served, served.connect() as client:
        client.get().ends("fin")
        assert served.close().requests == ()


def test_a_slow_request_counts_once_its_head_is_there(driver: Driver) -> None:
    """Half a head is nothing; a head without its body is an attempt that was cut off."""
    with driver.trial("status-500") as served:
        with served.connect() as client:
            for byte in b"GET / HTTP/1.1\r\nHost: x":
                client.send(bytes([byte]))
        with served.connect() as client:
            for byte in b"PUT /k HTTP/1.1\r\nHost: x\r\nContent-Length: 9\r\n\r\nhalf":
                client.send(bytes([byte]))
            client.sock.shutdown(socket.SHUT_WR)
            assert client.ends("fin") == b""
        entry = the_request(served.close())
    assert (entry.key, entry.answer, entry.faulted, entry.end) == ("PUT /k", "none, it was cut off", True, None)


def test_a_client_that_sends_far_too_much_ahead_is_held_back(driver: Driver) -> None:
    """The server's memory is not the client's to fill: it stops reading until it has answered."""
    requests = b"GET / HTTP/1.1\r\nHost: x\r\n\r\n" * 400_000
    with driver.trial(scenario_of(Good(delay=60))) as served, served.connect() as client:
        client.sock.settimeout(SILENCE)
        with pytest.raises(TimeoutError):
            client.sock.sendall(requests)
        assert len(served.close().requests) == 1


def test_silence_swallows_whatever_follows(driver: Driver) -> None:
    """A connection that is silent reads on, and never answers nor counts."""
    with driver.trial(scenario_of(Silent(), Good())) as served, served.connect() as client:
        client.get().get()
        assert client.ends("silence") == b""
        assert len(served.close().requests) == 1
