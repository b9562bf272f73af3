"""Trials of subjects of every shape, forked and in a fresh interpreter."""

import os
import signal
import socket
import struct
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from tests.probes.probing import End, Probe, Result, Said, Service, order, run_trial

from failsame.trial.channel import (
    CallEnded,
    CallStarted,
    Connect,
    Done,
    Exited,
    Failed,
    Go,
    Kill,
    Limit,
    Note,
    Prepared,
    Ready,
)

REMEDY = "mend it, or set what it needs with `env:`"

GET = """
    import http.client
    from urllib.parse import urlsplit

    def get(url, path="/"):
        connection = http.client.HTTPConnection(urlsplit(url).netloc)
        connection.request("GET", path)
        return connection.getresponse().read()
"""

PLAIN = (
    GET
    + """
    def client(endpoint):
        return endpoint

    def call(client):
        get(client)
"""
)

THREADED = (
    PLAIN
    + """
    import threading
    threading.Thread(target=threading.Event().wait, daemon=True).start()
"""
)

ASYNC_GET = """
    import asyncio
    from urllib.parse import urlsplit

    async def get(url):
        parts = urlsplit(url)
        reader, writer = await asyncio.open_connection(parts.hostname, parts.port)
        writer.write(b"GET / HTTP/1.1\\r\\nHost: x\\r\\nConnection: close\\r\\n\\r\\n")
        answer = await reader.read()
        assert answer.endswith(b"well"), answer
        writer.close()
"""

SHAPES = {
    "plain": PLAIN,
    "lambda": GET
    + """
    client = lambda endpoint: endpoint
    call = lambda client: get(client)
""",
    "generator": GET
    + """
    def client(endpoint):
        yield endpoint
        get(endpoint, "/closed")

    def call(client):
        get(client)
""",
    "async": ASYNC_GET
    + """
    async def client(endpoint):
        return endpoint, asyncio.get_running_loop()

    async def call(client):
        assert client[1] is asyncio.get_running_loop()
        await get(client[0])
""",
    "plain client, async call": ASYNC_GET
    + """
    def client(endpoint):
        return endpoint

    async def call(client):
        async with asyncio.TaskGroup() as group:
            group.create_task(get(client))
""",
    "async client, call that returns a task": ASYNC_GET
    + """
    async def client(endpoint):
        return endpoint

    def call(client):
        return asyncio.ensure_future(get(client))
""",
    "async generator": ASYNC_GET
    + """
    import contextvars
    entered = contextvars.ContextVar("entered")

    async def client(endpoint):
        entered.set(asyncio.current_task())
        async with asyncio.timeout(60):
            yield endpoint
        await get(endpoint)

    async def call(client):
        assert entered.get() is asyncio.current_task()
        await get(client)
""",
    "plain call with a loop of its own": ASYNC_GET
    + """
    def client(endpoint):
        return endpoint

    def call(client):
        asyncio.run(get(client))
""",
    "partial": GET
    + """
    import functools

    def make(scheme, endpoint, endpoints):
        return endpoints["main"]

    client = functools.partial(make, "http")

    def call(client, retries=3):
        get(client)
""",
}
CLOSING = {"generator", "async generator"}


@pytest.mark.parametrize("fork", [True, False], ids=["forked", "fresh"])
@pytest.mark.parametrize("shape", SHAPES)
def test_shapes(shape: str, fork: bool, prepared: Callable[..., tuple[Probe, Said]], service: Service) -> None:
    """A subject of every shape makes its request, says so in order, and a generator closes its client."""
    source = SHAPES[shape] if fork else SHAPES[shape] + THREADED.removeprefix(PLAIN)
    probe, said = prepared(source)
    assert isinstance(said, Prepared)
    assert (said.fork, said.why) == (fork, None if fork else "its import starts threads")
    before = len(service.requests)
    result = run_trial(probe, service.url, fork=fork)
    assert result.outcomes == ["ok"], result.of(CallEnded)
    assert result.counter == 1
    assert result.status == 0
    assert len(service.requests) - before == 1 + (shape in CLOSING)
    kinds = [message.said for message in result.said if not isinstance(message, Note)]
    assert kinds == ["ready", "call", "connect", "end", *["connect"] * (shape in CLOSING), "done"]
    ready, started, ended = result.of(Ready)[0], result.of(CallStarted)[0], result.of(CallEnded)[0]
    connect, done = result.of(Connect)[0], result.of(Done)[0]
    assert ready.at <= started.at <= connect.at <= ended.at <= done.closed_at
    assert (connect.endpoint, connect.to) == ("main", f"127.0.0.1:{service.port}")


def test_endpoint_from_the_environment(prepared: Callable[..., tuple[Probe, Said]], service: Service) -> None:
    """`client()` takes its URL from a variable that was there before the import, so it is not forked."""
    source = PLAIN.replace("endpoint):", "):").replace("return endpoint", "return os.environ['AWS_ENDPOINT_URL']")
    probe, said = prepared("    import os\n" + source, variables={"AWS_ENDPOINT_URL": service.url})
    assert isinstance(said, Prepared)
    assert not said.fork
    assert said.why == "`client` takes no endpoint, so its environment is set before the import"
    assert run_trial(probe, service.url, fork=False).outcomes == ["ok"]


def test_calls_start_on_their_phase(trial: Callable[..., Result]) -> None:
    """Every call starts 0.25 s after a whole second of the monotonic clock, or of the wall clock if asked."""
    for wall in (False, True):
        result = trial(PLAIN, calls=2, at=0.0, wall_phase=wall)
        offset = time.time() - time.monotonic() if wall else 0.0
        for started in result.of(CallStarted):
            late = (started.at + offset - 0.25) % 1
            assert started.aligned == (late < 0.25) or min(late, 1 - late) < 0.01
        first, second = (started.at for started in result.of(CallStarted))
        assert second - first > 0.5
        assert result.counter == 2


def test_a_call_is_told_before_it_ends(
    prepared: Callable[..., tuple[Probe, Said]], service: Service, tmp_path: Path
) -> None:
    """What a trial saw has left it before it is killed, and the counter says which call it was."""
    probe, _ = prepared(PLAIN.replace("get(client)", "get(client); get(client, '/'); import signal; signal.pause()"))
    counter = tmp_path / "call"
    counter.write_bytes(bytes(4))
    ours, theirs = socket.socketpair()
    with theirs:
        probe.end.send(order(service.url, str(counter), trial=7), theirs.fileno())
    end = End(ours)
    assert isinstance(end.receive(), Ready)
    end.send(Go(at=0.0))
    assert isinstance(end.receive(), CallStarted)
    assert isinstance(end.receive(), Connect)
    assert isinstance(end.receive(), Connect)
    assert struct.unpack("<i", counter.read_bytes()) == (1,)
    probe.end.send(Kill(trial=7))
    assert probe.end.receive() == Exited(trial=7, status=-signal.SIGKILL)
    assert end.receive() is None
    end.close()


def test_forked_trials_run_side_by_side(
    prepared: Callable[..., tuple[Probe, Said]], service: Service, tmp_path: Path
) -> None:
    """Two trials of one parent are in their calls at the same time: each waits for what the other does."""
    source = """
    import os

    def client(endpoint):
        return endpoint

    def call(client):
        ours, theirs = (client.rpartition("/")[2], "ab".replace(client.rpartition("/")[2], ""))
        folder = FOLDER
        os.close(os.open(f"{folder}/{ours}", os.O_WRONLY)) if ours == "a" else open(f"{folder}/a").read()
        os.close(os.open(f"{folder}/b", os.O_RDONLY)) if ours == "a" else os.close(os.open(f"{folder}/b", os.O_WRONLY))
""".replace("FOLDER", repr(str(tmp_path)))
    os.mkfifo(tmp_path / "a")
    os.mkfifo(tmp_path / "b")
    probe, _ = prepared(source)
    ends = []
    for number, name in enumerate("ab", start=1):
        counter = tmp_path / f"call-{name}"
        counter.write_bytes(bytes(4))
        ours, theirs = socket.socketpair()
        with theirs:
            probe.end.send(order(f"{service.url}/{name}", str(counter), trial=number), theirs.fileno())
        ends.append(End(ours))
    for end in ends:
        assert isinstance(end.receive(), Ready)
        end.send(Go(at=0.0))
    for end in ends:
        assert [message.outcome for message in end.rest() if isinstance(message, CallEnded)] == ["ok"]
        end.close()
    assert {probe.end.receive(), probe.end.receive()} == {Exited(trial=1, status=0), Exited(trial=2, status=0)}


def test_trials_see_nothing_of_each_other(prepared: Callable[..., tuple[Probe, Said]], service: Service) -> None:
    """What a trial leaves behind in its process is gone with it."""
    probe, _ = prepared("""
    used = []

    def client(endpoint):
        return used

    def call(client):
        client.append(1)
        raise LookupError(len(client))
    """)
    for _ in range(2):
        result = run_trial(probe, service.url, fork=True)
        assert [ended.text for ended in result.of(CallEnded)] == ["1"]


def test_modules_and_preload(trial: Callable[..., Result]) -> None:
    """A trial lists what is loaded; what a call imports late can be imported before, whatever else is on the list."""
    source = """
    def client(endpoint):
        return None

    def call(client):
        import sys
        loaded = "wsgiref.util" in sys.modules
        import wsgiref.util
        assert loaded
    """
    first = trial(source, modules=True)
    assert first.outcomes == ["builtins.AssertionError"]
    modules = first.of(Done)[0].modules
    assert (modules["wsgiref.util"] or "").endswith("wsgiref/util.py")
    assert not [name for name in modules if name.startswith("failsame") or name == "__main__"]
    second = trial(source, preload=("no.such.module", *modules))
    assert second.outcomes == ["ok"]
    assert second.of(Done)[0].modules == {}


def test_a_module_of_the_subject_is_not_shadowed(
    prepared: Callable[..., tuple[Probe, Said]], service: Service, tmp_path: Path
) -> None:
    """A project may have modules named as the probe's own are, and sees nothing of the probe's on its path."""
    for name in ("jitter", "channel", "trial", "subjects"):
        (tmp_path / f"{name}.py").write_text("OURS = True\n")
    probe, said = prepared(
        """
    import sys
    import channel, jitter, subjects, trial

    assert channel.OURS and jitter.OURS and trial.OURS and subjects.OURS
    assert not [entry for entry in sys.path if "probes" in entry], sys.path
    assert __name__ not in ("subject", "__main__")

    def client(endpoint):
        return None

    def call(client):
        import jitter
        assert jitter.OURS
    """,
        paths=[str(tmp_path)],
    )
    assert isinstance(said, Prepared), said
    assert run_trial(probe, service.url, fork=said.fork).outcomes == ["ok"]


def test_background_work_goes_on_while_it_is_watched(trial: Callable[..., Result], service: Service) -> None:
    """What an async client does after its last call is seen."""
    before = len(service.requests)
    source = """
    tasks = []

    async def later(client):
        await asyncio.sleep(0.01)
        await get(client)

    async def client(endpoint):
        return endpoint

    async def call(client):
        tasks.append(asyncio.create_task(later(client)))
    """
    result = trial(ASYNC_GET + source, watch=0.5)
    assert [message.said for message in result.said] == ["ready", "call", "end", "connect", "done"]
    assert len(service.requests) == before + 1


def test_settings(trial: Callable[..., Result]) -> None:
    """The settings in force are read off the client, hostile attributes and all."""
    result = trial("""
    class Client:
        max_retries = 2

        @property
        def meta(self):
            raise SystemExit

        class timeout:
            connect = 5.0
            read = None

    def client(endpoint):
        return Client()

    def call(client):
        pass
    """)
    assert result.of(Done)[0].settings == {"max_retries": 2, "connect_timeout": 5.0, "read_timeout": "none"}


def test_too_many_connects(prepared: Callable[..., tuple[Probe, Said]], service: Service, tmp_path: Path) -> None:
    """A call's connect after its last allowed one is told, and never returns."""
    probe, _ = prepared("""
    import socket
    from urllib.parse import urlsplit

    def client(endpoint):
        return urlsplit(endpoint)

    def call(client):
        while True:
            try:
                socket.create_connection((client.hostname, client.port)).close()
            except BaseException:
                pass
    """)
    counter = tmp_path / "call"
    counter.write_bytes(bytes(4))
    ours, theirs = socket.socketpair()
    with theirs:
        probe.end.send(order(service.url, str(counter), attempt_limit=3), theirs.fileno())
    end = End(ours)
    assert isinstance(end.receive(), Ready)
    end.send(Go(at=0.0))
    said: list[Any] = [end.receive() for _ in range(5)]
    assert [message.said for message in said] == ["call", "connect", "connect", "connect", "limit"]
    assert said[-1] == Limit(call=1)
    probe.end.send(Kill(trial=1))
    assert probe.end.receive() == Exited(trial=1, status=-signal.SIGKILL)
    assert end.receive() is None
    end.close()


def test_a_client_that_cannot_be_made(prepared: Callable[..., tuple[Probe, Said]], service: Service) -> None:
    """What `client` raises is told in one line, whatever it is."""
    for body, what in {
        "raise ValueError('no\\nregion')": f"raised ValueError: no region: {REMEDY}",
        "raise SystemExit(3)": f"raised SystemExit: 3: {REMEDY}",
        "return\n        yield": "yielded nothing: yield the client once",
        "return later()": "returned a coroutine: write it as `async def client`",
    }.items():
        probe, _ = prepared(f"""
    async def later():
        pass

    def client(endpoint):
        {body}

    def call(client):
        pass
    """)
        result = run_trial(probe, service.url, fork=True)
        assert [failed.what for failed in result.of(Failed)] == [f"subject.py: `client` {what}"]
        assert result.status == 0
