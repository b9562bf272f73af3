"""What skipped time costs, as ratios within one run."""

import asyncio
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from rooms import ROOT, made_ready, skipping, trial

from failsame.trial.series import launch
from suite import measured

_SUBJECT = "boto3"
_KINDS = {"silent": "gives up after 180 s", "status-500": "is told 500 at once, three times", "healthy": "is served"}
_CHECKED = ("boto3-s3", "httpx", "aiohttp")


async def _one_trial(runs: int) -> tuple[dict[str, float], float]:
    """Median seconds of real time of a trial, by scenario; and the arbiter's processor time as a share of a core."""
    walls: dict[str, list[float]] = {scenario: [] for scenario in _KINDS}
    async with skipping() as (place, world):
        ready = (await made_ready({_SUBJECT}, place))[_SUBJECT]
        async with launch(ready.target, place, ready.healthy) as begin:
            used = (await world.verdict()).processor
            for _ in range(runs):
                for scenario, seconds in walls.items():
                    _outcome, wall = await trial(ready, place, begin, scenario, "high")
                    seconds.append(wall)
            used = (await world.verdict()).processor - used
    spent = sum(sum(seconds) for seconds in walls.values())
    return {scenario: statistics.median(seconds) for scenario, seconds in walls.items()}, used / spent


def _check() -> float:
    """Seconds of real time of a `check` that finds nothing changed, with environments that are installed."""
    with tempfile.TemporaryDirectory(prefix="failsame-bench-") as folder:
        lock = Path(ROOT / "requirements-subjects.txt").read_text()
        (Path(folder) / "requirements.txt").write_text(lock)
        (Path(folder) / "failsame.yml").write_text(
            "version: 1\nsubjects:\n" + "".join(f"  - builtin: {name}\n" for name in _CHECKED)
        )

        def failsame(command: str) -> float:
            began = time.perf_counter()
            done = subprocess.run(
                [sys.executable, "-m", "failsame", command], cwd=folder, capture_output=True, text=True, check=False
            )
            if done.returncode:
                sys.exit(f"failsame {command}: exit {done.returncode}: {done.stdout}\n{done.stderr}")
            return time.perf_counter() - began

        failsame("record")
        return failsame("check")


def report(runs: int) -> None:
    """Measure and print."""
    walls, share = asyncio.run(_one_trial(runs))
    floor = walls["status-500"]
    measured("boto3-s3", "skip")
    watch, wall, _processor = measured("boto3-s3", "skip")
    lines = [
        *(
            (f"a trial of boto3 that {_KINDS[name]}, ms", f"{seconds * 1000:.0f}", "")
            for name, seconds in walls.items()
        ),
        ("giving up after 180 s against being answered at once", f"{walls['silent'] / floor:.2f}", "1.3"),
        ("the arbiter's share of a core, %", f"{share * 100:.0f}", "15"),
        (f"the suite of boto3-s3 ({len(watch.over)} trials), s", f"{wall:.1f}", "8"),
        ("of that until the subject is ready, s", f"{watch.ready - watch.began:.1f}", ""),
        (f"an unchanged `check` of {', '.join(_CHECKED)}, s", f"{_check():.1f}", "20"),
    ]
    print("\n### What it costs\n\n| what | measured | at most |\n| --- | --- | --- |")
    for what, number, target in lines:
        print(f"| {what} | {number} | {target} |")
