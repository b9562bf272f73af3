"""What the code of a client can reach in the image: each row of the table in docs/container.md."""

import json
import re
import socket
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from tests.image.engine import ROOT, Mount
from tests.image.runner import Job

HERE = Path(__file__).parent
FLAGS = {True: "**yes**", False: "no"}


@pytest.fixture(scope="module")
def docker_socket(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """A socket with the rights of Docker's: root's, and its group's."""
    path = tmp_path_factory.mktemp("run") / "docker.sock"
    with socket.socket(socket.AF_UNIX) as server:
        server.bind(str(path))
        server.listen()
        path.chmod(0o660)
        yield path


def table() -> dict[str, list[str]]:
    """The rows of the document: target -> what is reached in each of four ways."""
    text = (ROOT / "docs/container.md").read_text(encoding="utf-8")
    rows = re.findall(r"^\| ([^|]+) \| ([^|]+) \| ([^|]+) \| ([^|]+) \| ([^|]+) \|$", text, re.MULTILINE)
    assert rows, "docs/container.md has no table of what can be reached"
    return {target: reached for target, *reached in rows[2:]}


def test_what_can_be_reached(new_job: Callable[[str], Job], docker_socket: Path) -> None:
    """Tokens, files of the job, the Docker socket and other ports are out of reach; the table says so, row by row."""
    job = new_job("python-batch")
    for folder in ("services/other/.git", "a/b/c/d/e/.git"):
        (job.workspace / folder).mkdir(parents=True)
        (job.workspace / folder / "config").write_text("token")
    (job.workspace / "docs").symlink_to(".git")
    (job.workspace / "events").symlink_to("/github/workflow")
    job.own()
    mounts = [Mount(docker_socket, "/var/run/docker.sock"), Mount(HERE, "/spy")]
    done = job.run("-I", "/spy/spied.py", program="/opt/failsame/bin/python", mounts=mounts)
    assert done.returncode == 0, done.stderr
    told = json.loads(done.stdout)
    ways = [told["reached"][way] for way in ("root", "root, Landlock", "user", "confined")]
    assert {target: [FLAGS[way[target]] for way in ways] for target in ways[0]} == table()
    assert told["landlock"] >= 6, "this kernel cannot close all of it"
