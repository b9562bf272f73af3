"""Runs in the image, as one of several users: tries to reach what is none of its business, and prints what it got.

`spy.py OWN OTHER`: two ports that something listens on, one of them its server's.
"""

import json
import os
import socket
import sys
from collections.abc import Callable
from pathlib import Path

WORKSPACE = Path("/github/workspace")


def read(path: str) -> Callable[[], object]:
    return lambda: Path(path).read_bytes()


def connect(port: int) -> Callable[[], object]:
    return lambda: socket.create_connection(("127.0.0.1", port), 5).close()


def ask_docker() -> None:
    with socket.socket(socket.AF_UNIX) as end:
        end.connect("/var/run/docker.sock")


def gain_privileges() -> None:
    """What a program that belongs to root and sets its user id would do: the kernel ignores that it does."""
    if "NoNewPrivs:\t1" in Path("/proc/self/status").read_text():
        raise PermissionError
    if os.getuid() == 0:
        return


def reached(attempt: Callable[[], object]) -> bool:
    try:
        attempt()
    except OSError:
        return False
    return True


def main() -> None:
    own, other = map(int, sys.argv[1:])
    attempts = {
        "the checkout": read("/github/workspace/requirements.txt"),
        "its own server": connect(own),
        "process 1's environment": read("/proc/1/environ"),
        "process 1's memory": lambda: Path("/proc/1/mem").open("rb").close(),
        "the checkout's `.git/config`": read("/github/workspace/.git/config"),
        "another checkout's `.git/config`": read("/github/workspace/services/other/.git/config"),
        "a `.git/config` five folders deep": read("/github/workspace/a/b/c/d/e/.git/config"),
        "a committed link to `.git`": read("/github/workspace/docs/config"),
        "a committed link to the event": read("/github/workspace/events/event.json"),
        "the event": read("/github/workflow/event.json"),
        "GITHUB_ENV": lambda: Path("/github/file_commands/set_env").open("a").close(),
        "GITHUB_OUTPUT, read": read("/github/file_commands/set_output"),
        "the runner's temporary files": read("/github/runner_temp/_runner_file_commands/set_env"),
        "the checkout, written": lambda: (WORKSPACE / "requirements.txt").open("a").close(),
        "failsame's files, written": lambda: Path(sys.argv[0]).open("a").close(),
        "the Docker socket": ask_docker,
        "another TCP port": connect(other),
        "privileges of root's programs": gain_privileges,
        "signals to process 1": lambda: os.kill(1, 0),
        "process 1's descriptors": Path("/proc/1/fd/0").readlink,
    }
    print(json.dumps({target: reached(attempt) for target, attempt in attempts.items()}))


main()
