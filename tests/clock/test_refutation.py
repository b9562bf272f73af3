"""The experiment that would refute skipped time, as docs/clock.md tells a sceptic to run it."""

import subprocess
import sys
from pathlib import Path

EXPERIMENT = Path(__file__).parents[2] / "bench" / "refute_clock.py"


def test_what_comes_out_short_is_never_reported() -> None:
    """With the arbiter stopped an unseen wait vanishes within a lease, and the verdict says to run it again."""
    ran = subprocess.run([sys.executable, EXPERIMENT], capture_output=True, text=True, check=True)
    rows = [line.split(maxsplit=4) for line in ran.stdout.splitlines()[1:]]
    assert len(rows) == 12
    for lease, arbiter, wait, took, verdict in rows:
        if float(took) < 0.2 - 0.04:
            assert (arbiter, wait) == ("stopped", "unseen")
            assert verdict.startswith("the arbiter could not look")
        assert wait == "unseen" or 0.2 <= float(took) < 0.8, (lease, arbiter)
    assert float(rows[0][3]) < 0.05, "the experiment does show what it is meant to show"
