"""How long one subject's suite takes: `python bench/suite.py [--clock real|skip] [SUBJECT]`.

Measures a built-in subject at the versions of requirements-subjects.txt through every scenario, and prints its wall
time against the longest trial in it (the limit for real time), the time to the first result, and the processor time of
a trial.
The environment is installed before.
"""

import argparse
import asyncio
import resource
import time
from pathlib import Path

from failsame.gate import Options, Timing, plan, run_measure

ROOT = Path(__file__).parents[1]


class Stopwatch:
    """Progress as times: when the subject was ready, and when each trial was over."""

    def __init__(self) -> None:
        self.began = 0.0
        self.ready = 0.0
        self.over: list[float] = []

    def step(self, subject: str, what: str) -> None:
        del subject, what

    def expect(self, subject: str, trials: int) -> None:
        del subject, trials
        self.ready = time.monotonic()

    def done(self, subject: str, trial: str) -> None:
        del subject, trial
        self.over.append(time.monotonic())

    def finished(self, subject: str, verdict: str) -> None:
        del subject, verdict


def measured(subject: str, clock: str) -> tuple[Stopwatch, float, float]:
    """Measure once: the stopwatch, the wall time and the processor time, in seconds."""
    planned = plan(Options(folder=ROOT, subjects=(subject,)))
    watch = Stopwatch()
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    watch.began = time.monotonic()
    asyncio.run(run_measure(planned, Timing("real" if clock == "real" else "skip"), watch))
    wall = time.monotonic() - watch.began
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return watch, wall, after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def main() -> None:
    """Measure twice, the first time to install, and print the second."""
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("subject", nargs="?", default="boto3-s3")
    options.add_argument("--clock", choices=["real", "skip"], default="skip")
    chosen = options.parse_args()
    measured(chosen.subject, "skip")
    watch, wall, processor = measured(chosen.subject, chosen.clock)
    trials = len(watch.over)
    print(f"{chosen.subject}, {trials} trials, {chosen.clock} time")
    print(f"wall time                  {wall:6.1f} s")
    print(f"until the subject is ready {watch.ready - watch.began:6.1f} s")
    print(f"until the first result     {watch.over[0] - watch.began:6.1f} s")
    print(f"processor time of a trial  {processor / trials:6.3f} s")
    if chosen.clock == "real":
        longest = 33 + 2
        print(f"against the longest trial  {wall / longest:6.2f} x (a call to the horizon of 33 s, and a watch of 2 s)")


if __name__ == "__main__":
    main()
