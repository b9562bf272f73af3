"""The same lock file, run after run, while other processes keep every core busy: one verdict, one report."""

import json
import os
import subprocess
import sys
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Any

import pytest

RUNS = int(os.environ.get("SOAK_RUNS", "5"))

SUBJECT = """\
import boto3
from botocore.config import Config


def client(endpoint):
    timeouts = Config(connect_timeout=1, read_timeout=1, s3={"addressing_style": "path"})
    return boto3.client("s3", endpoint_url=endpoint, config=timeouts)


def call(client):
    return client.get_object(Bucket="soak", Key="a.csv")["Body"].read()
"""

CONFIG = """\
version: 1
subjects:
  - name: s3
    file: s3.py
    dialect: s3
  - builtin: httpx
  - builtin: aiohttp
"""


HOG = "import os; parent = os.getppid()\nwhile os.getppid() == parent:\n for _ in range(10**6): pass"
"""Counts until nobody waits for it any more: a run that is killed leaves no busy core behind."""


@contextmanager
def busy_cores() -> Iterator[None]:
    """A program for each core that does nothing but count."""
    with ExitStack() as stack:
        for _ in os.sched_getaffinity(0):
            hog = stack.enter_context(subprocess.Popen([sys.executable, "-c", HOG]))
            stack.callback(hog.kill)
        yield


def failsame(project: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "failsame", *arguments], cwd=project, capture_output=True, text=True, check=False
    )


def without_notes(value: Any) -> Any:
    """What has to be the same in every run: all but the words about how a run went."""
    if isinstance(value, dict):
        return {key: without_notes(each) for key, each in value.items() if key not in {"notes", "clock_note"}}
    return [without_notes(each) for each in value] if isinstance(value, list) else value


@pytest.mark.soak
@pytest.mark.install
def test_an_unchanged_lock_file_stays_the_same(tmp_path: Path) -> None:
    """Every core busy, `check` says `same` against a baseline recorded in quiet, and writes one report, to the byte."""
    lock = Path(__file__).parents[2] / "requirements-subjects.txt"
    (tmp_path / "requirements.txt").write_text(lock.read_text())
    (tmp_path / "failsame.yml").write_text(CONFIG)
    (tmp_path / "s3.py").write_text(SUBJECT)
    recorded = failsame(tmp_path, "record")
    assert recorded.returncode == 0, recorded.stderr
    first = None
    with busy_cores():
        for run in range(RUNS):
            done = failsame(tmp_path, "check", "--report", "report.json")
            assert done.returncode == 0, f"run {run + 1}: {done.stdout}\n{done.stderr}"
            report = without_notes(json.loads((tmp_path / "report.json").read_text()))
            assert report["verdict"] == "same"
            first = first or report
            assert report == first, f"run {run + 1}"
            assert json.dumps(report) == json.dumps(first), "in the same order, too"
