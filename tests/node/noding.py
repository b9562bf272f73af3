"""A real probe for Node, driven over its channel as the trial room drives it."""

import socket
import subprocess
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from shutil import which
from tempfile import TemporaryDirectory
from textwrap import dedent
from typing import Any, TypeVar

import pytest
from tests.probes.probing import PATIENCE, End, order

from failsame.probes import PROGRAMS
from failsame.trial.channel import (
    CallEnded,
    Exited,
    Failed,
    Go,
    Kill,
    Limit,
    Prepare,
    Prepared,
    Ready,
    Trial,
    Unforkable,
)

NODE = which("node") or ""

needs_node = pytest.mark.skipif(not NODE, reason="no node on the PATH")

NEWER = ("22", "24")
"""Nodes that strip types."""

Newer = Callable[[str], Path]
"""The program of one of them."""

Kind = TypeVar("Kind")


@dataclass
class Result:
    """Everything a trial's process said, the call counter at its end, and how it ended."""

    said: list[Any]
    counter: int
    status: int

    def of(self, kind: type[Kind]) -> list[Kind]:
        """The messages of one kind."""
        return [message for message in self.said if isinstance(message, kind)]

    @property
    def outcomes(self) -> list[tuple[str, str | None]]:
        """Outcome and code of each call that ended."""
        return [(ended.outcome, ended.code) for ended in self.of(CallEnded)]

    @property
    def failure(self) -> str:
        """Why the subject could not be used."""
        (failed,) = self.of(Failed)
        return failed.what


def run_trial(
    file: Path,
    url: str,
    *,
    node: str = NODE,
    preload: Sequence[str] = (),
    variables: Mapping[str, str] | None = None,
    at: float | None = None,
    fresh: bool = False,
    **more: Any,
) -> Result:
    """Run one trial to its end, forked if it can be and turns out to be right so, unless it is to be `fresh`.

    Its first call starts at once unless `at` is given.
    """
    ours, theirs = socket.socketpair()
    with theirs, TemporaryDirectory() as folder:
        counter = Path(folder) / "call"
        counter.write_bytes(bytes(4))
        library = {} if fresh else {"LD_PRELOAD": str(PROGRAMS["node"].library)}
        process = subprocess.Popen(
            [node, *PROGRAMS["node"].arguments],
            env={"PATH": "/usr/bin:/bin", "FAILSAME_CHANNEL": str(theirs.fileno()), **library, **(variables or {})},
            pass_fds=(theirs.fileno(),),
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            cwd=folder,
        )
        theirs.close()
        parent = end = End(ours)
        try:
            end.send(Prepare(file=str(file), paths=(), preload=tuple(preload)))
            said: list[Any] = []
            while (message := end.receive()) is not None:
                said.append(message)
                if isinstance(message, Prepared):
                    asked = order(url, str(counter), **more)
                    end = forked(parent, asked) if message.fork else parent
                    if end is parent:
                        end.send(asked)
                elif isinstance(message, Ready):
                    end.send(Go(at=time.monotonic() + 0.01 if at is None else at))
                elif isinstance(message, Limit):
                    parent.send(Kill(trial=asked.trial)) if end is not parent else process.kill()
            status = process.wait(PATIENCE) if end is parent else exited(parent)
        finally:
            process.kill()
            process.wait()
            end.close()
            parent.close()
        if any(isinstance(message, Unforkable) for message in said):
            return run_trial(file, url, node=node, preload=preload, variables=variables, at=at, fresh=True, **more)
        return Result(said, int.from_bytes(counter.read_bytes(), "little"), status)


def forked(parent: End, asked: Trial) -> End:
    """The channel of a trial that is forked from this parent."""
    ours, theirs = socket.socketpair()
    with theirs:
        parent.send(asked, theirs.fileno())
    return End(ours)


def exited(parent: End) -> int:
    """The status of its one trial."""
    said = parent.receive()
    assert isinstance(said, Exited), said
    return said.status


def write(folder: Path, name: str, source: str) -> Path:
    """A subject's file."""
    file = folder / name
    file.write_text(dedent(source), encoding="utf-8")
    return file


def install(folder: Path, *packages: str) -> Path:
    """A project with these packages from the registry, none of whose scripts has run."""
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "package.json").write_text('{"private": true}')
    options = ["--ignore-scripts", "--no-audit", "--no-fund", "--loglevel=error"]
    subprocess.run(["npm", "install", *options, *packages], cwd=folder, check=True, stdout=subprocess.DEVNULL)
    return folder
