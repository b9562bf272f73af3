"""Subjects that do what they should not: each is a result, and leaves no process behind."""

import os
import re
import signal
import socket
from collections.abc import Callable
from pathlib import Path

import pytest
from tests.probes.probing import PATIENCE, End, Probe, Result, Said, alive, gone, order, run_trial, serving

from failsame.trial.channel import CallEnded, CallStarted, Done, Exited, Failed, Go, Kill, Note, Prepared, Ready

THREAD = "    import threading\n    threading.Thread(target=threading.Event().wait, daemon=True).start()\n"

# What `call` does -> the process's status, and the outcomes that were told before.
ENDINGS = {
    "os._exit(5)": (5, []),
    "os.kill(os.getpid(), signal.SIGKILL)": (-signal.SIGKILL, []),
    "os.kill(os.getpid(), signal.SIGTERM)": (-signal.SIGTERM, []),
    "os.abort()": (-signal.SIGABRT, []),
    "os.closerange(3, 4096)": (97, []),
    "os.closerange(3, 4096); [open('/dev/null') for _ in range(900)]": (97, []),
    "os.killpg(0, signal.SIGKILL)": (-signal.SIGKILL, []),
    "print('x' * 5_000_000); sys.stderr.write('y' * 5_000_000)": (0, ["ok"]),
    "sys.stdin.read()": (0, ["ok"]),
    "sys.stdout.close(); os.close(1)": (0, ["ok"]),
    "os.fork()": (0, ["ok"]),
    "os.fork() or os._exit(0)": (0, ["ok"]),
    "signal.signal(signal.SIGCHLD, signal.SIG_IGN)": (0, ["ok"]),
    "os.chdir('/'); os.environ.clear(); sys.modules.clear(); sys.path.clear()": (0, ["ok"]),
    "sys.settrace(None); sys.setrecursionlimit(60); gc.collect()": (0, ["ok"]),
    "time.sleep = time.monotonic = os.write = None": (0, ["ok"]),
}


@pytest.mark.parametrize("fork", [True, False], ids=["forked", "fresh"])
@pytest.mark.parametrize("deed", ENDINGS)
def test_endings(deed: str, fork: bool, trial: Callable[..., Result]) -> None:
    """However a call ends its process, its status tells; whatever it does to itself, the trial is told to its end."""
    source = f"""
    import gc, os, signal, sys, time

    def client(endpoint):
        return None

    def call(client):
        {deed}
    """
    result = trial(source if fork else THREAD + source)
    status, outcomes = ENDINGS[deed]
    assert (result.status, result.outcomes) == (status, outcomes)
    assert len(result.of(Ready)) == len(result.of(CallStarted)) == 1
    assert len(result.of(Done)) == len(outcomes)


@pytest.mark.parametrize("fork", [True, False], ids=["forked", "fresh"])
def test_gaining_privileges(fork: bool, trial: Callable[..., Result]) -> None:
    """A program that belongs to root, such as sudo, makes nobody root: no_new_privs."""
    source = """
    def client(endpoint):
        return None

    def call(client):
        assert "NoNewPrivs:\\t1" in open("/proc/self/status").read()
    """
    assert trial(source if fork else THREAD + source).outcomes == ["ok"]


def test_catching_everything(trial: Callable[..., Result]) -> None:
    """A subject that swallows SystemExit swallows nothing of the probe's."""
    result = trial(
        """
    import sys

    def client(endpoint):
        return None

    def call(client):
        for _ in range(3):
            try:
                sys.exit(1)
            except BaseException:
                pass
    """,
        calls=2,
    )
    assert result.outcomes == ["ok", "ok"]


DAEMON = """
    import os, signal, time

    def client(endpoint):
        return None

    def call(client):
        ready, go = os.pipe()
        if os.fork() == 0:
            os.setsid()
            if os.fork() == 0:
                os.closerange(0, go)
                os.closerange(go + 1, 4096)
                os.write(go, str(os.getpid()).encode())
                while True:
                    signal.pause()
            os._exit(0)
        os.wait()
        raise LookupError(int(os.read(ready, 100)))
"""


@pytest.mark.parametrize("fork", [True, False], ids=["forked", "fresh"])
def test_a_daemon_does_not_outlive_its_trial(fork: bool, trial: Callable[..., Result]) -> None:
    """A daemon in a session of its own, that closed every descriptor, is gone when the trial's end is told."""
    result = trial(DAEMON if fork else THREAD + DAEMON)
    daemon = int(result.of(CallEnded)[0].text)
    assert not alive(daemon)


def test_a_daemon_of_one_trial_does_not_end_another(
    prepared: Callable[..., tuple[Probe, Said]], tmp_path: Path
) -> None:
    """What is cleared away after one trial is that trial's alone: a child of a running one goes on."""
    with serving() as service:
        probe, _ = prepared(
            """
    import os, signal

    def client(endpoint):
        return endpoint

    def call(client):
        if client.endswith("short"):
            return
        ours, theirs = os.pipe()
        if os.fork() == 0:
            if os.fork() == 0:
                os.write(theirs, str(os.getpid()).encode())
                while True:
                    signal.pause()
            os._exit(0)
        os.wait()
        import warnings
        warnings.warn("pid " + "".join(chr(ord("a") + int(digit)) for digit in os.read(ours, 100).decode()))
        signal.pause()
    """
        )
        counter = tmp_path / "call"
        counter.write_bytes(bytes(4))
        ours, theirs = socket.socketpair()
        with theirs:
            probe.end.send(order(f"{service.url}/long", str(counter), trial=1), theirs.fileno())
        end = End(ours)
        assert isinstance(end.receive(), Ready)
        end.send(Go(at=0.0))
        assert isinstance(end.receive(), CallStarted)
        note = end.receive()
        assert isinstance(note, Note)
        orphan = int("".join(str(ord(letter) - ord("a")) for letter in note.text.rpartition(" ")[2]))
        short = run_trial(probe, f"{service.url}/short", fork=True, trial=2)
        assert short.outcomes == ["ok"]
        assert alive(orphan)
        probe.end.send(Kill(trial=1))
        assert probe.end.receive() == Exited(trial=1, status=-signal.SIGKILL)
        assert not alive(orphan)
        end.close()


# What the subject does on import -> why it cannot be forked.
ON_IMPORT = {
    "import threading\n    threading.Thread(target=threading.Event().wait, daemon=True).start()": "starts threads",
    "import socket\n    kept = socket.socketpair()": "opens a socket",
    "import asyncio\n    loop = asyncio.new_event_loop()": "opens a socket",
    "import subprocess\n    kept = subprocess.Popen(['sleep', '600'])": "starts a process",
}


@pytest.mark.parametrize("deed", ON_IMPORT)
def test_what_cannot_be_forked(deed: str, prepared: Callable[..., tuple[Probe, Said]]) -> None:
    """An import that leaves more than modules behind is not forked from, and its trial is run afresh."""
    probe, said = prepared(f"""
    {deed}

    def client(endpoint):
        return None

    def call(client):
        pass
    """)
    assert isinstance(said, Prepared)
    assert (said.fork, said.why) == (False, f"its import {ON_IMPORT[deed]}")
    with serving() as service:
        assert run_trial(probe, service.url, fork=False).outcomes == ["ok"]


def test_ending_the_process_on_import(prepared: Callable[..., tuple[Probe, Said]]) -> None:
    """An import that ends the process, or closes the channel, ends the probe with that status."""
    for deed, status in {"os._exit(3)": 3, "os.closerange(3, 4096)": 97, "os.abort()": -signal.SIGABRT}.items():
        probe, said = prepared(f"    import os\n    {deed}")
        assert said is None
        assert probe.process.wait(PATIENCE) == status


def test_hanging_up_ends_everything(prepared: Callable[..., tuple[Probe, Said]], tmp_path: Path) -> None:
    """When failsame closes the channel, a client that never becomes ready is killed, with what it started."""
    for import_ in ("", THREAD):
        pids = tmp_path / "pids"
        os.mkfifo(pids)
        source = f"""
    import os, signal, subprocess

    def client(endpoint):
        child = subprocess.Popen(["sleep", "600"], start_new_session=True)
        with open({str(pids)!r}, "w") as told:
            told.write(f"{{os.getpid()}} {{child.pid}}")
        signal.pause()

    def call(client):
        pass
    """
        probe, said = prepared(import_ + source)
        assert isinstance(said, Prepared)
        ours, theirs = socket.socketpair()
        counter = tmp_path / "call"
        counter.write_bytes(bytes(4))
        with theirs:
            probe.end.send(order("http://127.0.0.1:9", str(counter)), *([theirs.fileno()] if said.fork else []))
        started = [int(pid) for pid in pids.read_text().split()]
        assert all(map(alive, started))
        probe.close()
        assert not any(map(alive, started))
        ours.close()
        pids.unlink()


def test_a_terminated_probe_leaves_nothing(prepared: Callable[..., tuple[Probe, Said]], tmp_path: Path) -> None:
    """SIGTERM clears everything away; SIGKILL, which nobody can answer, leaves at least none of the probe's own."""
    for number in (signal.SIGTERM, signal.SIGKILL):
        pids = tmp_path / "pids"
        os.mkfifo(pids)
        probe, said = prepared(f"""
    import os, signal

    def client(endpoint):
        with open({str(pids)!r}, "w") as told:
            told.write(f"{{os.getppid()}} {{os.getpid()}}")
        signal.pause()

    def call(client):
        pass
    """)
        assert isinstance(said, Prepared)
        counter = tmp_path / "call"
        counter.write_bytes(bytes(4))
        ours, theirs = socket.socketpair()
        with theirs:
            probe.end.send(order("http://127.0.0.1:9", str(counter)), theirs.fileno())
        started = [int(pid) for pid in pids.read_text().split()]
        assert all(map(alive, started))
        probe.process.send_signal(number)
        assert probe.process.wait(PATIENCE) == -signal.SIGKILL
        assert gone(*started)
        ours.close()
        pids.unlink()


def test_a_failed_import_leaves_nothing(prepared: Callable[..., tuple[Probe, Said]]) -> None:
    """A process that an import started before it failed is gone with the probe."""
    probe, said = prepared("""
    import subprocess
    raise LookupError(subprocess.Popen(["sleep", "600"], start_new_session=True).pid)
    """)
    assert isinstance(said, Failed)
    (child,) = map(int, re.findall(r"LookupError: (\d+)", said.what))
    assert probe.process.wait(PATIENCE) == 0
    assert not alive(child)
