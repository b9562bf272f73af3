"""The same lock file, run after run, while other processes keep every core busy: one verdict, one report."""

import json
import os
import subprocess
import sys
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from shutil import copyfile
from typing import Any

import pytest

ASKED = os.environ.get("SOAK_RUNS")
"""How many runs somebody wants to see; else a few, beside other tests, which keep the machine busy too."""

GRAIN = 0.005
"""Seconds: Node counts milliseconds, and a busy one meets the next of them; each wait of a call may add one."""

ROOT = Path(__file__).parents[2]

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
    """A program for each core that does nothing but count; none beside other tests, which keep the cores busy."""
    with ExitStack() as stack:
        for _ in os.sched_getaffinity(0) if ASKED else ():
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


def times(value: Any) -> Iterator[float]:
    """All numbers of seconds, in their order."""
    if isinstance(value, float):
        yield value
    elif isinstance(value, dict | list):
        for each in value.values() if isinstance(value, dict) else value:
            yield from times(each)


def without_times(value: Any) -> Any:
    """All else."""
    if isinstance(value, dict):
        return {key: without_times(each) for key, each in value.items()}
    if isinstance(value, list):
        return [without_times(each) for each in value]
    return None if isinstance(value, float) else value


def stays_the_same(project: Path, runs: int, *arguments: str, grain: float = 0.0) -> None:
    """Every core busy, `check` says `same`, and writes one report, to the byte, or to a grain of the times in it."""
    first = None
    with busy_cores():
        for run in range(runs):
            done = failsame(project, "check", "--report", "report.json", *arguments)
            assert done.returncode == 0, f"run {run + 1}: {done.stdout}\n{done.stderr}"
            report = without_notes(json.loads((project / "report.json").read_text()))
            assert report["verdict"] == "same"
            first = first or report
            assert without_times(report) == without_times(first), f"run {run + 1}"
            assert json.dumps(without_times(report)) == json.dumps(without_times(first)), "in the same order, too"
            assert list(times(report)) == pytest.approx(list(times(first)), rel=0, abs=grain), f"run {run + 1}"


@pytest.mark.install
def test_an_unchanged_lock_file_stays_the_same(tmp_path: Path) -> None:
    """Clients in Python: one of our own, recorded in quiet, and two against this repository's baselines."""
    (tmp_path / "requirements.txt").write_text((ROOT / "requirements-subjects.txt").read_text())
    (tmp_path / "failsame.yml").write_text(CONFIG)
    (tmp_path / "s3.py").write_text(SUBJECT)
    (tmp_path / "baselines").mkdir()
    for name in ("httpx", "aiohttp"):
        copyfile(ROOT / f"baselines/{name}.json", tmp_path / f"baselines/{name}.json")
    recorded = failsame(tmp_path, "record", "--subject", "s3")
    assert recorded.returncode == 0, recorded.stderr
    stays_the_same(tmp_path, int(ASKED or 5))


@pytest.mark.install
def test_an_unchanged_lock_file_for_node_stays_the_same(tmp_path: Path) -> None:
    """The AWS SDK for JavaScript, against our own baseline: the whole suite, or a part of it if nobody asked."""
    for name in ("package.json", "package-lock.json", "baselines/aws-sdk-s3.json"):
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text((ROOT / name).read_text())
    (tmp_path / "failsame.yml").write_text("version: 1\nsubjects:\n  - builtin: aws-sdk-s3\n")
    part = () if ASKED else ("--scenario", "silence", "--scenario", "status-500")
    stays_the_same(tmp_path, int(ASKED or 2), *part, grain=GRAIN)
