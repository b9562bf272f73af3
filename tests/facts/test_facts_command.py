"""The same through the command line: a lock file before and one after, two reports, one comparison."""

import json
import subprocess
import sys
from pathlib import Path

import pytest

pytestmark = pytest.mark.install

FIXTURE = Path(__file__).parents[2] / "fixtures" / "python-batch"


def failsame(*arguments: str) -> subprocess.CompletedProcess[str]:
    command = (sys.executable, "-m", "failsame", *arguments)
    return subprocess.run(command, cwd=FIXTURE, capture_output=True, text=True, check=False)


def test_measure_and_compare_tell_of_the_retry_change(tmp_path: Path) -> None:
    """`measure` of both lock files and `compare` of the reports: exit 1, and the old and the new number of attempts."""
    for name, lock in {"before": "before/requirements.txt", "after": "requirements.txt"}.items():
        report = str(tmp_path / f"{name}.json")
        done = failsame("measure", "--lock", lock, "--scenario", "status-500", "--report", report)
        assert done.returncode == 0, done.stderr
    before, after, both = (str(tmp_path / f"{name}.json") for name in ("before", "after", "both"))
    done = failsame("compare", before, after, "--report", both)
    assert done.returncode == 1, done.stderr
    assert "tries 3 times instead of 5" in done.stdout
    (subject,) = json.loads(Path(both).read_text())["subjects"]
    drifts = {drift["fact"]: drift for each in subject["scenarios"] for drift in each["drifts"]}
    assert (drifts["attempts"]["before"], drifts["attempts"]["after"]) == (5, 3)
    assert drifts["give_up"]["before"] == pytest.approx(14.985, abs=1.0)
    assert drifts["give_up"]["after"] == pytest.approx(0.15, abs=0.3)
    assert failsame("compare", after, after).returncode == 0
