"""Measurements and folders, made by hand."""

from pathlib import Path
from typing import Any

from failsame.baseline import (
    Baseline,
    Laid,
    accept,
    installed_with,
    lay,
    read_baseline,
    read_coming,
    record,
    remove_coming,
    write_baseline,
    write_coming,
)
from failsame.drift import Drift, Upgrade, judge
from failsame.facts import Measurement, recorded
from failsame.observation import Attempt, Call, Jitter, Observation
from failsame.pins.model import Change
from failsame.suite import SCENARIOS

KNOWN = frozenset(SCENARIOS)


def call(attempts: int = 1, give_up: float | None = 0.0, **more: Any) -> Call:
    """A call whose attempts fail at once, without waits."""
    starts = (Attempt(at=0.0, answer="500"),) * attempts
    facts = {"outcome": "sdk.Error", "connections": 1, "waits": (0.0,) * (attempts - 1), "starts": starts, **more}
    return Call(attempts=attempts, give_up=give_up, **facts)


WAITING = call(1, None).model_copy(update={"outcome": None, "still_waiting": True})


def measured(*calls: Call, scenario: str = "status-500", **more: Any) -> Measurement:
    """A measurement, in skipped time unless said otherwise, alike at both jitters."""

    def observed(jitter: Jitter) -> Observation:
        facts = {"clock": "skip", "horizon": 3600.0, **more}
        return Observation(subject="s3", scenario=scenario, jitter=jitter, calls=calls, **facts)

    return Measurement(observed("low"), observed("high"))


class Project:
    """A project with its folder of baselines, and a client whose behaviour is given by what is installed."""

    def __init__(self, folder: Path, versions: dict[str, str], runtime: str = "python 3.12") -> None:
        self.folder = folder
        self.versions = versions
        self.runtime = runtime

    def behaviour(self) -> Measurement:
        """What the client does with the versions that are installed: botocore makes attempts, urllib3 loses data."""
        major, minor, *_ = (int(part) for part in self.versions["botocore"].split("."))
        attempts = 5 if (major, minor) < (1, 44) else 3 if (major, minor) < (1, 46) else 2
        lost = self.versions["urllib3"].startswith("1.")
        code = "E311" if self.runtime == "python 3.12" else "E313"
        return measured(call(attempts, float(attempts), data_lost=lost, code=code))

    def reference(self) -> Laid | None:
        """The reference for what is installed."""
        base = read_baseline(self.folder, "s3")
        if base is None:
            return None
        return lay(base, read_coming(self.folder, "s3"), installed_with(self.versions, self.runtime))

    def check(self, *changes: Change) -> tuple[Drift, ...] | None:
        """The drifts of `status-500`; None where there is no baseline."""
        laid = self.reference()
        if laid is None:
            return None
        return judge(laid.scenarios["status-500"], self.behaviour(), Upgrade(1, "s3", changes)).drifts

    def record(self) -> bool:
        """`failsame record`: measure, write, remove what was folded; whether the file changed."""
        laid = self.reference()
        baseline = record(
            laid,
            subject="s3",
            runtime=self.runtime,
            packages=self.versions,
            settings={},
            fault_keys={},
            measured={"status-500": [self.behaviour(), self.behaviour()]},
            known=KNOWN,
        )
        changed = write_baseline(self.folder, baseline)
        remove_coming(self.folder, "s3", laid.held if laid else ())
        return changed

    def accept(self, *changes: Change) -> str:
        """A person accepts what `check` said: a coming file more."""
        laid = self.reference()
        assert laid is not None
        fingerprint, coming = accept(
            laid,
            packages=self.versions,
            runtime=self.runtime,
            changes=changes,
            measured={"status-500": recorded([self.behaviour()])},
            drifts=self.check(*changes) or (),
        )
        write_coming(self.folder, {fingerprint: coming})
        return fingerprint

    def install(self, runtime: str | None = None, **versions: str) -> tuple[Change, ...]:
        """Install other versions; the changes that this is."""
        changes = [
            Change(package=name, before=self.versions.get(name), after=version, lock="uv.lock")
            for name, version in versions.items()
        ]
        self.versions = {**self.versions, **versions}
        if runtime is not None:
            before, self.runtime = self.runtime.split()[1], runtime
            changes.append(Change(package="python", before=before, after=runtime.split()[1], lock="uv.lock"))
        return tuple(changes)


def baseline(**scenarios: Measurement) -> Baseline:
    """A baseline of these scenarios (`_` for `-`)."""
    return Baseline(
        suite=1,
        subject="s3",
        runtime="python 3.12",
        packages={"botocore": "1.43.0"},
        scenarios={name.replace("_", "-"): recorded([one]) for name, one in scenarios.items()},
    )
