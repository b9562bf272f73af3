import asyncio
import contextlib
import os
import resource
import select
import signal
import socket
import struct
import subprocess
import sys
from pathlib import Path
from urllib.parse import urlsplit

import pytest

from failsame.errors import UnmeasuredError
from failsame.faults import FaultServer
from failsame.faults.protocol import EndpointSpec, Journal, OpenTrial
from failsame.suite import SCENARIOS


def _trial(
    folder: Path, number: int, scenario: str = "status-500", *, attempt_limit: int = 200, port: int = 0
) -> OpenTrial:
    counter = folder / f"counter-{number}"
    counter.write_bytes(struct.pack("<i", 1))
    return OpenTrial(
        trial=number,
        endpoints=(EndpointSpec(fault=SCENARIOS[scenario]),),
        counter=str(counter),
        attempt_limit=attempt_limit,
        port=port,
    )


async def _get(url: str) -> bytes:
    reader, writer = await asyncio.open_connection("127.0.0.1", urlsplit(url).port)
    writer.write(b"GET / HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n")
    answer = await reader.read()
    writer.close()
    with contextlib.suppress(ConnectionError):
        await writer.wait_closed()
    return answer


def test_eighty_trials_at_once_each_have_their_own_journal(tmp_path: Path) -> None:
    """Ports, attempts and journals of concurrent trials do not mix."""

    async def one(server: FaultServer, number: int) -> Journal:
        opened = await server.open(_trial(tmp_path, number))
        await asyncio.gather(*(_get(opened.urls["main"]) for _ in range(number % 5 + 1)))
        return await server.close(number)

    async def all_of_them() -> list[Journal]:
        async with FaultServer.start(tmp_path, {}) as server:
            return await asyncio.gather(*(one(server, number) for number in range(80)))

    journals = asyncio.run(all_of_them())
    assert [journal.trial for journal in journals] == list(range(80))
    assert [len(journal.requests) for journal in journals] == [number % 5 + 1 for number in range(80)]
    assert all(entry.complete for journal in journals for entry in journal.requests)
    assert all(journal.trouble is None for journal in journals)


def test_ports_of_a_range(tmp_path: Path) -> None:
    """Where clients reach no others, only ports of the range are opened, each as late again as can be."""
    first = 23_000 + os.getpid() % 4_000
    among = range(first, first + 8)

    async def run() -> list[int]:
        async with FaultServer.start(tmp_path, {}, ports=among) as server:
            ports = []
            for number in range(4):
                opened = await server.open(_trial(tmp_path, number))
                ports.append(urlsplit(opened.urls["main"]).port or 0)
                await server.close(number)
            for number in range(4, 4 + len(among)):
                with contextlib.suppress(UnmeasuredError):
                    await server.open(_trial(tmp_path, number))
            with pytest.raises(UnmeasuredError, match="cannot open a port"):
                await server.open(_trial(tmp_path, 99))
            return ports

    ports = asyncio.run(run())
    assert set(ports) <= set(among)
    assert ports == sorted(set(ports))


def test_no_token_of_the_job(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The server, which runs as the same user as clients, is given no variable that it has no use for."""
    monkeypatch.setenv("GITHUB_TOKEN", "token")

    async def run() -> bytes:
        async with FaultServer.start(tmp_path, {"ITS_WORLD": "here"}) as server:
            return await asyncio.to_thread(Path(f"/proc/{server.pid}/environ").read_bytes)

    names = {each.partition(b"=")[0].decode() for each in asyncio.run(run()).split(b"\0") if each}
    assert names <= {"LANG", "LC_ALL", "LC_CTYPE", "LD_LIBRARY_PATH", "PATH", "TZ", "ITS_WORLD"}
    assert "ITS_WORLD" in names


def test_the_limit_wakes_who_waits_for_it(tmp_path: Path) -> None:
    """The number of the call that made its last attempt is delivered, for that trial only."""

    async def run() -> tuple[int, bool]:
        async with FaultServer.start(tmp_path, {}) as server:
            opened = await server.open(_trial(tmp_path, 1, attempt_limit=2))
            await server.open(_trial(tmp_path, 2))
            other = asyncio.ensure_future(server.limit_reached(2))
            limit = asyncio.ensure_future(server.limit_reached(1))
            await _get(opened.urls["main"])
            assert not limit.done()
            await _get(opened.urls["main"])
            async with asyncio.timeout(5):
                call = await limit
            quiet = not other.done()
            other.cancel()
            return call, quiet

    assert asyncio.run(run()) == (1, True)


def test_a_dead_server_is_said_to_whoever_asks(tmp_path: Path) -> None:
    """Trials that wait for it, and trials to come, are unmeasured; nobody hangs."""

    async def run() -> None:
        async with FaultServer.start(tmp_path, {}) as server:
            await server.open(_trial(tmp_path, 1))
            os.kill(server._process.pid, signal.SIGKILL)
            for ask in (server.close(1), server.open(_trial(tmp_path, 2))):
                with pytest.raises(UnmeasuredError, match=r"ended by itself \(signal SIGKILL"):
                    await ask

    asyncio.run(run())


def test_a_server_that_is_stopped(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """One that runs and says nothing is waited for no longer than it can take, and ended."""
    monkeypatch.setattr("failsame.faults.handle._ANSWERS_WITHIN", 0.3)

    async def run() -> None:
        async with FaultServer.start(tmp_path, {}) as server:
            os.kill(server.pid, signal.SIGSTOP)
            with pytest.raises(UnmeasuredError, match=r"said nothing for 0\.3 s, though it runs"):
                await server.open(_trial(tmp_path, 1))
            with pytest.raises(UnmeasuredError, match=r"ended by itself \(signal SIGKILL"):
                await server.open(_trial(tmp_path, 2))

    asyncio.run(run())


@pytest.mark.parametrize(
    ("change", "why"),
    [
        ({"counter": "/nowhere/at/all"}, "cannot open the call counter"),
        ({"endpoints": (EndpointSpec(dialect="gopher"),)}, "unknown dialect 'gopher'"),
        ({"endpoints": (EndpointSpec(tls=True, hosts=("no host!",)),)}, "correct `hosts`"),
    ],
)
def test_what_cannot_be_opened_is_refused_with_the_remedy(tmp_path: Path, change: dict[str, object], why: str) -> None:
    """The server goes on, and the next trial is served."""

    async def run() -> None:
        async with FaultServer.start(tmp_path, {}) as server:
            with pytest.raises(UnmeasuredError, match=why):
                await server.open(_trial(tmp_path, 1).model_copy(update=change))
            opened = await server.open(_trial(tmp_path, 2))
            assert (await _get(opened.urls["main"])).startswith(b"HTTP/1.1 500")

    asyncio.run(run())


def test_a_taken_port_is_refused(tmp_path: Path) -> None:
    """A port that was asked for and is somebody else's names the way out."""

    async def run(port: int) -> None:
        async with FaultServer.start(tmp_path, {}) as server:
            with pytest.raises(UnmeasuredError, match=f"cannot open port {port} of 127.0.0.1: .* the port is taken"):
                await server.open(_trial(tmp_path, 1, port=port))

    with socket.create_server(("127.0.0.1", 0)) as taken:
        asyncio.run(run(taken.getsockname()[1]))


def test_no_free_port_is_refused(tmp_path: Path) -> None:
    """Open files are the limit that is met first: it is named, and what was open before still works."""

    async def run() -> None:
        async with FaultServer.start(tmp_path, {}) as server:
            opened = await server.open(_trial(tmp_path, 1))
            resource.prlimit(server._process.pid, resource.RLIMIT_NOFILE, (20, 20))
            with pytest.raises(UnmeasuredError, match=r"Too many open files: .*raise the limit"):
                await asyncio.gather(*(server.open(_trial(tmp_path, number)) for number in range(2, 30)))
            await server.close(2)
            assert (await _get(opened.urls["main"])).startswith(b"HTTP/1.1 500")

    asyncio.run(run())


def test_a_connection_that_cannot_be_accepted_is_trouble(tmp_path: Path) -> None:
    """A trial whose connections failed for want of files is no measurement."""

    async def run() -> Journal:
        async with FaultServer.start(tmp_path, {}) as server:
            opened = await server.open(_trial(tmp_path, 1, "silent"))
            resource.prlimit(server._process.pid, resource.RLIMIT_NOFILE, (20, 20))
            port = urlsplit(opened.urls["main"]).port
            with contextlib.ExitStack() as sockets:
                for _ in range(20):
                    sockets.enter_context(socket.create_connection(("127.0.0.1", port)))
                return await server.close(1)

    trouble = asyncio.run(run()).trouble
    assert trouble is not None
    assert "cannot accept a connection: Too many open files" in trouble


def test_the_server_is_one_thread_without_timers_of_the_kernel(tmp_path: Path) -> None:
    """Whoever skips time sees all of it: one thread that waits in epoll, and no timer but that wait's."""

    async def run() -> tuple[list[str], list[str]]:
        async with FaultServer.start(tmp_path, {}) as server:
            opened = await server.open(_trial(tmp_path, 1, "late-3s"))
            reader, writer = await asyncio.open_connection("127.0.0.1", urlsplit(opened.urls["main"]).port)
            writer.write(b"GET / HTTP/1.1\r\nHost: x\r\n\r\n")
            await server.open(_trial(tmp_path, 2))
            process = Path(f"/proc/{server._process.pid}")
            tasks = [each.name for each in (process / "task").iterdir()]
            files = [str(each.readlink()) for each in (process / "fd").iterdir()]
            writer.close()
            assert await reader.read() == b""
            return tasks, files

    tasks, files = asyncio.run(run())
    assert len(tasks) == 1
    assert "anon_inode:[eventpoll]" in files
    assert not any("timerfd" in file or "io_uring" in file for file in files)


def test_a_counter_that_was_cut_off_is_trouble_not_a_crash(tmp_path: Path) -> None:
    """A subject that meddles with failsame's files makes its own trial unmeasured, no other."""

    async def run() -> Journal:
        async with FaultServer.start(tmp_path, {}) as server:
            opened = await server.open(_trial(tmp_path, 1))
            (tmp_path / "counter-1").write_bytes(b"")
            with contextlib.suppress(ConnectionError):
                await _get(opened.urls["main"])
            return await server.close(1)

    journal = asyncio.run(run())
    assert journal.trouble is not None
    assert "the call counter was cut off" in journal.trouble


def test_a_folder_that_cannot_be_written_to_stops_the_start_with_one_line(tmp_path: Path) -> None:
    """The folder is named, and what the kernel said."""

    async def run() -> None:
        async with FaultServer.start(tmp_path, {}):
            pass

    (tmp_path / "authority.pem").mkdir()
    with pytest.raises(UnmeasuredError, match=r"did not start: cannot write to .*: Is a directory"):
        asyncio.run(run())


def test_the_server_ends_with_its_parent(tmp_path: Path) -> None:
    """A failsame that is killed leaves no server behind, even while others hold its standard input open."""
    program = (
        "import os, subprocess, sys\n"
        "server = subprocess.Popen([sys.executable, '-m', 'failsame.faults', sys.argv[1]],"
        " stdin=subprocess.PIPE, stdout=subprocess.PIPE)\n"
        "server.stdout.readline()\n"
        "holder = subprocess.Popen(['sleep', '60'], pass_fds=[server.stdin.fileno()], stdout=-3, stderr=-3)\n"
        "print(server.pid, holder.pid, flush=True)\n"
        "os.kill(os.getpid(), 9)\n"
    )
    done = subprocess.run([sys.executable, "-c", program, str(tmp_path)], capture_output=True, text=True, check=False)
    server, holder = map(int, done.stdout.split())
    try:
        # A pidfd is readable once its process is gone.
        with contextlib.suppress(ProcessLookupError), os.fdopen(os.pidfd_open(server)) as watched:
            assert select.select([watched], [], [], 10)[0], "the server outlived its parent"
    finally:
        os.kill(holder, signal.SIGKILL)
