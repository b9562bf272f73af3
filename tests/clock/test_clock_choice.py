"""The two clocks beside each other: they agree, and where one is missing the other is there, with the reason."""

import asyncio
import subprocess
import sys
from pathlib import Path

import pytest
from tests.facts.measuring import Unwatched

from failsame.clock import CannotSkipError
from failsame.clock.native import find
from failsame.gate import Options, Plan, Timing, plan, run_measure
from failsame.report import Report, read

pytestmark = pytest.mark.install

ONE_SECOND = """\
import boto3
from botocore.config import Config


def client(endpoint):
    timeouts = Config(connect_timeout=1, read_timeout=1, s3={"addressing_style": "path"})
    return boto3.client("s3", endpoint_url=endpoint, config=timeouts)


def call(client):
    return client.get_object(Bucket="clocks", Key="a.csv")["Body"].read()
"""

MEASURE = [sys.executable, "-m", "failsame", "measure", "--horizon", "33s"]
"""With the horizon that real time has by itself, for both."""


def project(folder: Path) -> Path:
    """A folder with a boto3 client that waits for a second at most."""
    lock = Path(__file__).parents[1] / "facts/project/locks/boto3-1.44.8.txt"
    (folder / "requirements.txt").write_text(lock.read_text())
    (folder / "s3.py").write_text(ONE_SECOND)
    (folder / "failsame.yml").write_text("version: 1\nsubjects:\n  - {name: s3, file: s3.py, dialect: s3}\n")
    return folder


@pytest.mark.quiet
def test_skipped_and_real_time_agree(tmp_path: Path) -> None:
    """What is recorded in skipped time is the same in real time, in every scenario that real time shows.

    In 12 s all of its calls end but the one whose answer drips for 63 s, which no real time that it has would show.
    """
    folder = project(tmp_path)
    for command, clock, horizon in (("record", "skip", "3600s"), ("check", "real", "12s")):
        asked = [sys.executable, "-m", "failsame", command, "--clock", clock, "--horizon", horizon]
        asked += ["--report", f"{clock}.json"]
        done = subprocess.run(asked, cwd=folder, capture_output=True, text=True, check=False)
        assert done.returncode == 0, done.stdout + done.stderr
    skipped, real = (read(folder / f"{clock}.json").subjects[0].scenarios for clock in ("skip", "real"))
    assert {scenario.clock for scenario in skipped} == {"skip"}
    assert {scenario.clock for scenario in real} == {"real"}
    assert len(real) > 30


def planned(folder: Path) -> Plan:
    return plan(Options(folder=project(folder), scenarios=frozenset({"status-404"})))


@pytest.fixture
def no_native_parts(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """An installation without a compiler."""
    monkeypatch.setattr("failsame.clock.world.find", lambda: find(tmp_path / "nothing"))


@pytest.mark.usefixtures("no_native_parts")
def test_auto_without_native_parts(tmp_path: Path) -> None:
    """Real time, and the report's notes say what is missing and what to do."""
    report: Report = asyncio.run(run_measure(planned(tmp_path), Timing("auto"), Unwatched()))
    assert report.clock == "real"
    assert [scenario.verdict for scenario in report.subjects[0].scenarios] == ["same", "same"]
    (note,) = (note for note in report.notes if "real time" in note)
    assert "run `python -m failsame.clock`" in note


@pytest.mark.usefixtures("no_native_parts")
def test_skip_without_native_parts(tmp_path: Path) -> None:
    """Whoever insists is told, with exit 3."""
    with pytest.raises(CannotSkipError, match="without its native parts") as raised:
        asyncio.run(run_measure(planned(tmp_path), Timing("skip"), Unwatched()))
    assert raised.value.exit_code == 3
