"""Confined processes outside the image: what root can arrange on any Linux machine."""

import json
import os
import re
import shutil
import signal
import socket
import subprocess
from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import pytest

from failsame.confine import Account, Confinement, Reach, confined, plain
from failsame.confine.launch import SIGNALS, landlock

SOMEBODY = Account(64123, 64123)
# Beside our own, since others may not enter root's home, where that may be.
PYTHON = shutil.which("python3", path="/usr/bin:/bin")

needs_root = pytest.mark.skipif(os.geteuid() != 0 or PYTHON is None, reason="needs root, and a Python for all users")
needs_landlock = pytest.mark.skipif(landlock() < SIGNALS, reason="needs Landlock 6")


@dataclass(frozen=True)
class Place:
    """A checkout with others in it, a folder that may be written to, and a file that is none of the program's."""

    checkout: Path
    scratch: Path
    event: Path


@pytest.fixture
def place(tmp_path: Path) -> Iterator[Place]:
    # Not below pytest's own folder, which others may not enter.
    root = Path(subprocess.check_output(("mktemp", "-d", "/tmp/confined-XXXXXX"), text=True).strip())
    root.chmod(0o755)
    checkout, scratch, event = root / "checkout", root / "scratch", root / "workflow/event.json"
    deep = checkout / "a/b/node_modules/d/e"
    for folder in (checkout / ".git", checkout / "src", checkout / "services/other/.git", deep / ".git"):
        folder.mkdir(parents=True)
        (folder / "config").write_text("token")
    (checkout / "services/other/code.py").write_text("code")
    (deep / "code.py").write_text("code")
    event.parent.mkdir()
    event.write_text("event")
    scratch.mkdir()
    SOMEBODY.give(scratch)
    shutil.copy(Path(__file__).parents[2] / "src/failsame/confine/launch.py", root)
    yield Place(checkout, scratch, event)
    shutil.rmtree(root)


def run(place: Place, code: str, ports: range | None = None) -> Any:
    """What a line of Python prints as JSON, confined to a place."""
    assert PYTHON is not None
    order = json.dumps(Reach(checkout=place.checkout, written=(place.scratch,), ports=ports).order(PYTHON))
    launched = (PYTHON, "-I", "-S", str(place.checkout.parent / "launch.py"), order, PYTHON, "-c", code)
    options: dict[str, Any] = {"user": SOMEBODY.uid, "group": SOMEBODY.gid, "extra_groups": ()}
    return json.loads(subprocess.check_output(launched, cwd="/", **options))


def tried(*attempts: str) -> str:
    """Code that says of each attempt whether it was let."""
    return (
        "import json, os, socket\n"
        "def let(attempt):\n"
        "    try: eval(attempt)\n"
        "    except OSError: return False\n"
        "    return True\n"
        f"print(json.dumps([let(attempt) for attempt in {list(attempts)!r}]))"
    )


@needs_root
@needs_landlock
def test_files(place: Place) -> None:
    """The checkout is read and the scratch folder written; no `.git`, at whatever depth, and nothing else."""
    attempts = (
        f"open('{place.checkout}/src/config').read()",
        f"open('{place.checkout}/services/other/code.py').read()",
        f"open('{place.checkout}/a/b/node_modules/d/e/code.py').read()",
        f"os.listdir('{place.checkout}')",
        f"open('{place.scratch}/new', 'w')",
        f"open('{place.checkout}/.git/config').read()",
        f"open('{place.checkout}/services/other/.git/config').read()",
        f"open('{place.checkout}/a/b/node_modules/d/e/.git/config').read()",
        f"open('{place.checkout}/new', 'w')",
        "open('/tmp/confined', 'w')",
        "open(f'/proc/{os.getppid()}/environ').read()",
        "os.kill(os.getppid(), 0)",
    )
    assert run(place, tried(*attempts)) == [True] * 5 + [False] * 7


@needs_root
@needs_landlock
def test_links_of_the_checkout(place: Place) -> None:
    """A link opens nothing that is closed without it, wherever it leads; what lies in the checkout it leads to."""
    for name, target in {
        "docs": ".git",
        "src/up": "../.git/config",
        "all": "/",
        "events": str(place.event.parent),
        "event.json": str(place.event),
        "code": "src",
        "code.py": "services/other/code.py",
    }.items():
        (place.checkout / name).symlink_to(target)
    closed = (
        "docs/config",
        "src/up",
        f"all/{place.event}",
        f"all/{place.checkout}/.git/config",
        "events/event.json",
        "event.json",
        ".git/config",
    )
    attempts = [f"open('{place.checkout}/{path}').read()" for path in ("code/config", "code.py", *closed)]
    attempts += [f"open('{place.event}').read()"]
    assert run(place, tried(*attempts)) == [True] * 2 + [False] * 8


@needs_root
@needs_landlock
def test_a_checkout_behind_a_link(place: Place) -> None:
    """Where the checkout is named by a link, it is read all the same."""
    link = place.checkout.with_name("link")
    link.symlink_to(place.checkout)
    read = [f"open('{link}/{path}').read()" for path in ("src/config", ".git/config")]
    assert run(replace(place, checkout=link), tried(*read)) == [True, False]


@needs_root
@needs_landlock
def test_ports(place: Place) -> None:
    """Ports of the range are connected to, others are not; without a range all are."""
    with socket.create_server(("127.0.0.1", 0)) as one, socket.create_server(("127.0.0.1", 0)) as two:
        own, other = (each.getsockname()[1] for each in (one, two))
        code = tried(*(f"socket.create_connection(('127.0.0.1', {port}), 5)" for port in (own, other)))
        assert run(place, code, range(own, own + 1)) == [True, False]
        assert run(place, code) == [True, True]


@needs_root
def test_privileges(place: Place) -> None:
    """The program runs as the user, in no group of root's, and gains nothing from a program that belongs to root."""
    status = "json.dumps([os.getuid(), os.getgroups(), 'NoNewPrivs:\\t1' in open('/proc/self/status').read()])"
    assert run(place, f"import json, os; print({status})") == [SOMEBODY.uid, [], True]


@needs_root
def test_signals(place: Place) -> None:
    """What Python ignores for itself is not ignored by the program; what whoever started the tests ignores is."""
    (ours,) = re.findall(r"SigIgn:\t(\w+)", Path("/proc/self/status").read_text())
    of_python = sum(1 << number - 1 for number in (signal.SIGPIPE, signal.SIGXFSZ))
    shell = ("sh", "-c", "grep SigIgn /proc/self/status")
    order = json.dumps(Reach(written=(place.scratch,)).order("/bin/sh"))
    assert PYTHON is not None
    launch = str(place.checkout.parent / "launch.py")
    said = subprocess.check_output((PYTHON, "-I", "-S", launch, order, *shell), text=True)
    assert int(said.split()[1], 16) == int(ours, 16) & ~of_python


def test_nothing_is_confined_elsewhere() -> None:
    """Without a user of its own a program is started as it is."""
    assert confined(None, Reach(), ("uv", "venv")) == plain(("uv", "venv"))


@pytest.mark.parametrize(
    ("version", "says"),
    [
        (0, "as this kernel has no Landlock, it can read .git and connect to any port"),
        (3, "of the job it sees the checkout alone, and no .git; it can connect to any port"),
        (4, "it connects to no other port than its server's; it can signal its server"),
        (7, "it connects to no other port than its server's"),
    ],
)
def test_what_is_in_force_is_said(version: int, says: str) -> None:
    """Whatever the kernel lacks is said, since it is then open."""
    told = Confinement(SOMEBODY, SOMEBODY, version).says
    assert told.startswith("runs as a user of its own that gains no privileges")
    assert told.endswith(says)
