"""Reports whose drifts are what the drift rules make of two runs."""

from typing import Any

from failsame.attribution import attribute
from failsame.drift import Upgrade, judge
from failsame.facts import Measurement, labelled, recorded
from failsame.observation import Attempt, Call, Observation
from failsame.pins.model import Change
from failsame.report import Report
from failsame.report.model import FoldedCalls, Reference, ScenarioReport, SubjectReport, Verdict

BOTOCORE = Change(
    package="botocore",
    before="1.43.127",
    after="1.44.8",
    direct=False,
    line=4,
    through=("boto3",),
    lock="requirements.txt",
)


def call(attempts: int = 1, outcome: str | None = "ok", waits: tuple[float, ...] | None = None, **more: Any) -> Call:
    """One call whose attempts fail at once, with `waits` between them."""
    waits = waits or (0.0,) * (attempts - 1)
    starts = [Attempt(at=sum(waits[:n]), end=sum(waits[:n]), connection=1, answer="500") for n in range(attempts)]
    facts = {"connections": 1, "give_up": sum(waits), "waits": waits, "starts": tuple(starts), **more}
    return Call(attempts=attempts, outcome=outcome, **facts)


def unanswered(outcome: str | None, *starts: float, give_up: float | None) -> Call:
    """One call of which no attempt was answered, each on a connection of its own."""
    attempts = [Attempt(at=at, connection=place, answer="silent") for place, at in enumerate(starts, start=1)]
    return Call(
        outcome=outcome,
        attempts=len(starts),
        connections=len(starts),
        give_up=give_up,
        still_waiting=give_up is None,
        waits=(None,) * (len(starts) - 1),
        starts=tuple(attempts),
    )


def scenario(name: str, *calls: FoldedCalls | Call, verdict: Verdict = "same", **more: Any) -> ScenarioReport:
    folded = tuple(FoldedCalls(both=one) if isinstance(one, Call) else one for one in calls)
    return ScenarioReport(**{"clock": "real", "horizon": 33, **more}, name=name, verdict=verdict, calls=folded)


def measurement(one: ScenarioReport) -> Measurement:
    """The two trials that a scenario's calls came from."""
    low = [side for folded in one.calls for side in [folded.low or folded.both] * folded.times if side]
    high = [side for folded in one.calls for side in [folded.high or folded.both] * folded.times if side]
    trial = {"subject": "x", "scenario": one.name, "clock": one.clock, "horizon": one.horizon}
    return Measurement(
        low=Observation.model_validate({**trial, "jitter": "low", "calls": low}),
        high=Observation.model_validate({**trial, "jitter": "high", "calls": high}),
    )


def drifted(before: ScenarioReport, after: ScenarioReport, *changes: Change) -> ScenarioReport:
    """What became of a scenario, judged by the drift rules; `changes` are all of packages that the subject loads."""
    reference = recorded([measurement(before)])
    judgement = judge(reference, measurement(after), Upgrade(1, "x", changes))
    assert judgement.verdict == "drift"
    loaded = [change.package for change in changes]
    drifts = [attribute(one, scenario=after.name, changes=changes, loaded=loaded) for one in judgement.drifts]
    return after.model_copy(
        update={"verdict": "drift", "before": labelled(reference), "drifts": tuple(drifts), "horizon": after.horizon}
    )


CLIENT_ERROR = "botocore.ClientError"


def failing(name: str, waits: tuple[float, ...], **more: Any) -> ScenarioReport:
    """One call that always fails at once; at jitter low it waits not at all."""
    low = call(len(waits) + 1, CLIENT_ERROR, code="InternalError")
    high = call(len(waits) + 1, CLIENT_ERROR, waits, code="InternalError")
    return scenario(name, FoldedCalls(low=low, high=high), **more)


def retried(name: str, waits: tuple[float, ...] = (0.05, 0.1), **more: Any) -> ScenarioReport:
    """A scenario in which 5 attempts over up to 15 s became 3."""
    return drifted(failing(name, (1.0, 2.0, 4.0, 8.0), **more), failing(name, waits, **more), BOTOCORE)


def subject(name: str, *scenarios: ScenarioReport, verdict: Verdict = "same", **more: Any) -> SubjectReport:
    return SubjectReport(
        **{
            "dialect": "s3",
            "origin": "built-in",
            "runtime": "python 3.13",
            "isolation": "fork",
            "packages": {"boto3": "1.44.8", "botocore": "1.44.8", "urllib3": "2.8.0"},
            "reference": Reference(base=f"baselines/{name}.json"),
            "lock": "requirements.txt",
            **more,
        },
        name=name,
        verdict=verdict,
        scenarios=scenarios,
    )


def report(verdict: Verdict, *subjects: SubjectReport, **more: Any) -> Report:
    more = {"command": "check", "clock": "real", "horizon": 33, "failsame": "0.1.0", "suite": 1, **more}
    return Report(verdict=verdict, subjects=subjects, **more)
