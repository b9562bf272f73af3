"""Machines that have too little of something, and people who do not want to wait."""

import contextlib
import os
import re
import resource
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from tests.cli.commanding import CLIENT, FAST, NODE_CLIENT, Project

pytestmark = pytest.mark.install


@contextlib.contextmanager
def small(place: Path, size: str) -> Iterator[Path]:
    """A file system of so many bytes."""
    place.mkdir()
    mounted = subprocess.run(["mount", "-t", "tmpfs", "-o", f"size={size}", "none", place], check=False)
    if mounted.returncode:
        pytest.skip("nothing can be mounted here")
    try:
        yield place
    finally:
        subprocess.run(["umount", place], check=True)


def at_most(kind: int, number: int) -> Callable[[], None]:
    return lambda: resource.setrlimit(kind, (number, number))


def test_few_open_files(project: Project) -> None:
    """Where almost no file or port may be opened any more, one line says so and what to raise."""
    for number in (12, 16):
        ended = project.run("measure", *FAST, preexec_fn=at_most(resource.RLIMIT_NOFILE, number))
        (line,) = ended.told
        assert "Too many open files: raise the limit with `ulimit -n`" in line
        assert ended.status == 3


def test_few_are_enough(any_project: Project) -> None:
    """The usual limit of a small machine is no obstacle."""
    assert any_project.run("measure", *FAST, preexec_fn=at_most(resource.RLIMIT_NOFILE, 256)).status == 0


def test_a_port_that_is_taken(project: Project) -> None:
    """`serve` on a port where something listens already says so in one line, with exit 3."""
    with socket.create_server(("127.0.0.1", 0)) as taken:
        ended = project.run("serve", "silent", "--port", str(taken.getsockname()[1]))
    (line,) = ended.told
    assert "the port is taken: end what listens there, or ask for another" in line
    assert ended.status == 3


@pytest.mark.parametrize("size", ["4k", "12k"])
def test_no_space_for_temporary_files(size: str, project: Project, tmp_path: Path) -> None:
    """Where the disk for temporary files fills up, at the start or on the way, one line says so, with exit 3."""
    with small(tmp_path / "full", size) as full:
        ended = project.run("measure", *FAST, variables={"TMPDIR": str(full)})
        assert list(full.iterdir()) == []
    (line,) = ended.told
    assert "No space left on device: " in line
    assert "TMPDIR" in line
    assert ended.status == 3


# The second where what the package manager is to read fits, and what it writes does not.
NO_SPACE = (
    r"good was not measured: (no environment can be written to \S+: No space left on device: set FAILSAME_CACHE"
    r"|no space left for the environment: free some, or set FAILSAME_CACHE)"
)


def test_no_space_for_the_environment(any_project: Project, tmp_path: Path) -> None:
    """With a full disk for environments the subject is unmeasured, in one line."""
    with small(tmp_path / "full", "16k") as full:
        ended = any_project.run("measure", *FAST, variables={"FAILSAME_CACHE": str(full)})
        assert not list(full.rglob("*.building-*"))
    (line,) = ended.told
    assert re.match(NO_SPACE, line)
    assert ended.status == 3


def test_no_space_for_a_copy(new_node_project: Callable[[], Project], tmp_path: Path) -> None:
    """Where the code of a project for Node does not fit beside the temporary files, the subject is unmeasured."""
    project = new_node_project()
    project.write("large.js", "x" * 8_000_000)
    with small(tmp_path / "full", "4m") as full:
        ended = project.run("measure", *FAST, "--clock", "real", variables={"TMPDIR": str(full)})
        assert list(full.iterdir()) == []
    (line,) = ended.told
    assert line.startswith(f"good was not measured: {project.folder} cannot be copied to ")
    assert line.endswith("No space left on device: set TMPDIR elsewhere")
    assert ended.status == 3


def test_no_space_for_a_baseline(project: Project, tmp_path: Path) -> None:
    """A baseline is written whole or not at all: on a full disk the old one stays to the byte."""
    with small(tmp_path / "full", "4k") as full:
        old = '{"schema": 1, "suite": 1, "subject": "good", "runtime": "x", "packages": {}, "scenarios": {}}\n'
        (full / "good.json").write_text(old)
        (project.folder / "baselines").symlink_to(full)
        ended = project.run("record", *FAST)
        assert {file.name: file.read_text() for file in full.iterdir()} == {"good.json": old}
    (line,) = ended.told
    assert "good.json: cannot be written (No space left on device), and is as it was: make room" in line
    assert ended.status == 3


def test_a_full_standard_output(project: Project) -> None:
    """A report that cannot be printed is told, and is no green run."""
    with Path("/dev/full").open("w") as full:
        ended = project.run("scenarios", stdout=full)
    assert ended.told == [
        "No space left on device: make room, or set TMPDIR to a place that has some; then run it again"
    ]
    assert ended.status == 3


def test_a_reader_that_has_left(project: Project) -> None:
    """`failsame scenarios | head -1` is no error to be told, and no drift."""
    reader, writer = os.pipe()
    os.close(reader)
    with os.fdopen(writer, "w") as left:
        ended = project.run("scenarios", stdout=left)
    assert (ended.status, ended.err) == (3, "")


def until(condition: Callable[[], bool], process: "subprocess.Popen[str]") -> None:
    """Wait for what the command is to come to."""
    deadline = time.monotonic() + 60
    while not condition():
        assert process.poll() is None
        assert time.monotonic() < deadline
        os.sched_yield()


def heard() -> None:
    """Signals have their usual effect, however these tests were started."""
    for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        signal.signal(number, signal.SIG_DFL)


def ended_by(project: Project, busy: Path, number: signal.Signals, *, everybody: bool, clock: str) -> None:
    """A signal, once a trial is busy, ends all of it."""
    process = project.start("record", *FAST, "--clock", clock, "--report", "report.json", preexec_fn=heard)
    until(busy.exists, process)
    if everybody:
        os.killpg(process.pid, number)
    else:
        process.send_signal(number)
    out, err = process.communicate()
    ended = project.ended(process.returncode, out, err)
    assert ended.told == ["interrupted: nothing was written, run it again"]
    assert (ended.status, ended.out, ended.report) == (130, "", None)
    assert project.baselines() == {}


@pytest.mark.parametrize(
    ("number", "everybody", "clock"),
    [
        pytest.param(signal.SIGINT, True, "auto", id="Ctrl-C"),
        pytest.param(signal.SIGINT, True, "real", id="Ctrl-C in real time"),
        pytest.param(signal.SIGINT, False, "auto", id="SIGINT"),
        pytest.param(signal.SIGTERM, False, "auto", id="SIGTERM"),
        pytest.param(signal.SIGHUP, False, "auto", id="SIGHUP"),
    ],
)
def test_interrupted(number: signal.Signals, everybody: bool, clock: str, project: Project) -> None:
    """In the middle of trials a signal ends all of it: exit 130, one line, no process, no file."""
    busy = project.folder / "busy"
    wait = (
        f"        import pathlib\n        pathlib.Path({str(busy)!r}).touch()\n        while True:\n            pass\n"
    )
    project.write("good.py", CLIENT.replace("        raise LookupError(status)\n", wait))
    ended_by(project, busy, number, everybody=everybody, clock=clock)


def test_interrupted_again_and_again(project: Project) -> None:
    """Signals while it is ending change nothing: what was begun is cleared away all the same."""
    busy = project.folder / "busy"
    project.write("good.py", CLIENT + f"    import pathlib\n    pathlib.Path({str(busy)!r}).touch()\n")
    process = project.start("record", *FAST, preexec_fn=heard)
    until(busy.exists, process)
    while process.poll() is None:
        process.send_signal(signal.SIGINT)
        os.sched_yield()
    ended = project.ended(process.returncode, *process.communicate())
    assert (ended.status, ended.told) == (130, ["interrupted: nothing was written, run it again"])


def test_a_signal_that_is_ignored(project: Project) -> None:
    """What nohup ignores ends nothing."""
    busy = project.folder / "busy"
    project.write("good.py", CLIENT + f"    import pathlib\n    pathlib.Path({str(busy)!r}).touch()\n")
    process = project.start("record", *FAST, preexec_fn=lambda: signal.signal(signal.SIGHUP, signal.SIG_IGN))
    until(busy.exists, process)
    process.send_signal(signal.SIGHUP)
    out, err = process.communicate()
    assert project.ended(process.returncode, out, err).status == 0


def test_interrupted_with_node(new_node_project: Callable[[], Project]) -> None:
    """The same with processes of Node, which a starter has begun."""
    project = new_node_project()
    busy = project.folder / "busy"
    wait = f'  const fs = await import("node:fs"); if (status !== 200) fs.writeFileSync({str(busy)!r}, "");\n'
    wait += "  while (status !== 200) {}\n"
    project.write("good.mjs", NODE_CLIENT.replace("  if (status", f"{wait}  if (status"))
    ended_by(project, busy, signal.SIGINT, everybody=True, clock="auto")


AT_LAST = """
import os, signal
from failsame.cli.run import EndedError, finish, heed_signals

async def work():
    os.kill(os.getpid(), signal.SIGINT)
    return "done"

heed_signals()
try:
    print(finish(work()))
except EndedError as error:
    print(error)
"""


def test_a_signal_at_the_last_moment() -> None:
    """It ends a run though nothing is left to cancel: what comes of the run is not written, either."""
    said = subprocess.run([sys.executable, "-c", AT_LAST], capture_output=True, text=True, check=True, preexec_fn=heard)
    assert said.stdout == "interrupted: nothing was written, run it again\n"
