"""failsame as its users run it: a project in a folder, a command, and what is left of it afterwards."""

import contextlib
import json
import os
import shutil
import subprocess
import sys
from collections.abc import Callable, Mapping
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from textwrap import dedent
from typing import Any

from typer.testing import CliRunner

from failsame.cli.app import app

LOCK = "six==1.17.0\n"
OLD_LOCK = "six==1.16.0\n"

FAST = ("--horizon", "3s", "--scenario", "status-500")
"""One scenario besides `healthy`, and no long waits where time cannot be skipped."""

CLIENT = """\
import http.client
import urllib.parse


def client(endpoint):
    return urllib.parse.urlsplit(endpoint).port


def get(port, path="/unit"):
    connection = http.client.HTTPConnection("127.0.0.1", port)
    connection.request("GET", path)
    answer = connection.getresponse()
    answer.read()
    connection.close()
    return answer.status


def call(port):
    status = get(port)
    if status != 200:
        raise LookupError(status)
"""

NODE_MANIFEST = '{ "dependencies": { "ms": "2.1.3" } }\n'

NODE_LOCK = """\
{
  "lockfileVersion": 3,
  "packages": {
    "": { "dependencies": { "ms": "2.1.3" } },
    "node_modules/ms": {
      "version": "2.1.3",
      "integrity": "sha512-6FlzubTLZG3J2a/NVCAleEhjzq5oxgHyaCU9yYXvcLsvoVaHJq/s5xXI6/XXP6tz7R9xAOtHnSO/tXtF3WRTlA=="
    }
  }
}
"""

NODE_CLIENT = """\
import http from "node:http";

export const client = (endpoint) => endpoint;

const get = (url) =>
  new Promise((resolve, reject) => {
    const ended = (answer) => answer.resume().on("end", () => resolve(answer.statusCode));
    http.get(`${url}/unit`, { agent: false }, ended).on("error", reject);
  });

export async function call(url) {
  const status = await get(url);
  if (status !== 200) throw new RangeError(status);
}
"""

BY_VERSION = CLIENT.replace(
    "def call(port):\n    status = get(port)\n",
    "import six\n\n\ndef call(port):\n    for _ in range(5 if six.__version__ == '1.16.0' else 3):\n"
    "        status = get(port)\n        if status == 200:\n            return\n",
)
"""Tries three times, and five times with the six that is older: what an upgrade changed."""


@dataclass(frozen=True)
class Ended:
    """A command that ended."""

    status: int
    out: str
    err: str
    report: Any

    @property
    def told(self) -> list[str]:
        """What it has to say about itself: not its progress, which names subjects."""
        return [line.removeprefix("failsame: ") for line in self.err.splitlines() if line.startswith("failsame: ")]


class Project:
    """A folder with a project in it, and a folder of its own for all temporary files of its commands."""

    def __init__(self, folder: Path, cache: Path) -> None:
        self.folder = folder / "project"
        self.temporary = folder / "temporary"
        self.cache = cache
        self.folder.mkdir(parents=True)
        self.temporary.mkdir()

    def write(self, path: str, text: str) -> Path:
        file = self.folder / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(dedent(text), encoding="utf-8")
        return file

    def configure(self, *subjects: str, suffix: str = "py", more: str = "") -> None:
        """Subjects whose files are `<name>.py`, or end in another suffix."""
        lines = "".join(f"  - {{name: {name}, file: {name.replace('-', '_')}.{suffix}}}\n" for name in subjects)
        self.write("failsame.yml", f"version: 1\n{more}subjects:\n{lines}")

    def copy(self, folder: Path) -> "Project":
        """The same project elsewhere."""
        other = Project(folder, self.cache)
        shutil.copytree(self.folder, other.folder, dirs_exist_ok=True)
        return other

    def environment(self, more: Mapping[str, str] | None = None) -> dict[str, str]:
        own = {"TMPDIR": str(self.temporary), "FAILSAME_CACHE": str(self.cache), "COLUMNS": "100"}
        return {**os.environ, **own, **(more or {})}

    def start(self, *arguments: str, **more: Any) -> "subprocess.Popen[str]":
        """Start a command in a process group of its own."""
        variables = more.pop("variables", None)
        return subprocess.Popen(
            [sys.executable, "-m", "failsame", *arguments],
            cwd=self.folder,
            env=self.environment(variables),
            text=True,
            process_group=0,
            **{"stdout": subprocess.PIPE, "stderr": subprocess.PIPE, "stdin": subprocess.DEVNULL, **more},
        )

    def run(self, *arguments: str, **more: Any) -> Ended:
        """Run a command to its end. Whatever it does, nothing of it is left."""
        process = self.start(*arguments, **more)
        out, err = process.communicate()
        return self.ended(process.returncode, out or "", err or "")

    def invoke(self, *arguments: str) -> Ended:
        """Run a command in this process, where it ends before anything runs: to start one takes a second."""
        with contextlib.chdir(self.folder):
            done = CliRunner().invoke(app, arguments, env={"NO_COLOR": "1", "COLUMNS": "100"}, catch_exceptions=False)
        return self.ended(done.exit_code, done.stdout, done.stderr)

    def ended(self, status: int, out: str, err: str) -> Ended:
        assert "Traceback" not in err, err
        assert self.processes() == []
        assert list(self.temporary.iterdir()) == []
        report = self.folder / "report.json"
        return Ended(status, out, err, json.loads(report.read_text()) if report.exists() else None)

    def processes(self) -> list[str]:
        """Everything alive that was started here: the folder stands in a command, an environment or as the cwd."""
        every = (process for process in Path("/proc").iterdir() if process.name.isdigit())
        return [found for process in every if (found := _of(process, str(self.temporary)))]

    def baselines(self) -> dict[str, str]:
        """All files in the folder of baselines, hidden ones too."""
        folder = self.folder / "baselines"
        return {str(file.relative_to(folder)): file.read_text() for file in folder.rglob("*") if file.is_file()}


def _of(process: Path, mark: str) -> str | None:
    try:
        command = process.joinpath("cmdline").read_bytes().replace(b"\0", b" ").decode(errors="replace")
        environment = process.joinpath("environ").read_bytes().decode(errors="replace")
        where = str(process.joinpath("cwd").readlink())
    except OSError:
        return None
    return f"{process.name} {command}" if mark in command + environment + where else None


class AtOnce:
    """Commands that run side by side, each in a project of its own: they mostly wait."""

    def __init__(self, workers: int = 4) -> None:
        self._pool = ThreadPoolExecutor(workers)
        self._ended: dict[str, Future[Ended]] = {}

    def begin(self, name: str, work: Callable[[], Ended]) -> None:
        self._ended[name] = self._pool.submit(work)

    def __getitem__(self, name: str) -> Ended:
        return self._ended[name].result()

    def close(self) -> None:
        self._pool.shutdown(wait=True, cancel_futures=True)
