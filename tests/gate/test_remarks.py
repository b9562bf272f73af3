"""What a verdict does not cover is said beside it."""

from failsame.gate.remarks import (
    another_request,
    not_recorded,
    nothing_recorded,
    only_in_one,
    passed_over,
    run_no_more,
)
from failsame.report import Report
from failsame.report.model import LeftOut, ScenarioReport, SubjectReport, Verdict


def subject(name: str = "s3", verdict: Verdict = "same", **scenarios: Verdict) -> SubjectReport:
    """A subject with these scenarios; of `status_500: "same"` the name is `status-500`."""
    return SubjectReport(
        name=name,
        origin="a.py",
        dialect="http",
        verdict=verdict,
        scenarios=tuple(
            ScenarioReport(name=each.replace("_", "-"), verdict=judged, clock="skip", horizon=3600)
            for each, judged in scenarios.items()
        ),
    )


def report(*subjects: SubjectReport) -> Report:
    head = {"suite": 1, "failsame": "0", "command": "measure", "verdict": "same", "clock": "skip", "horizon": 3600}
    return Report.model_validate({**head, "mode": "block", "subjects": subjects})


def test_scenarios_that_are_not_recorded() -> None:
    """They are named, and the command that records them; a subject without any baseline says that itself."""
    half = subject(healthy="same", silent="new", status_500="new")
    assert list(not_recorded([half, subject(verdict="new", silent="new"), subject(silent="same")])) == [
        "s3 is not compared in silent, status-500, not recorded yet: run `failsame record --subject s3`"
    ]


def test_many_scenarios_that_are_not_recorded() -> None:
    """Not all of a whole suite are named."""
    many: dict[str, Verdict] = {f"own_{number}": "new" for number in range(20)}
    (said,) = not_recorded([subject(**many)])
    assert "own-7 and 12 more, not recorded yet" in said


def test_a_baseline_that_holds_nothing_of_what_ran() -> None:
    """Where only `healthy` could be compared nothing is known to be the same; one other scenario is enough."""
    assert nothing_recorded({"healthy": "same", "silent": "new"})
    assert nothing_recorded({"silent": "new", "throttled": "new"})
    assert not nothing_recorded({"healthy": "same"})
    assert not nothing_recorded({"healthy": "same", "silent": "new", "throttled": "same"})
    assert not nothing_recorded({"silent": "new", "throttled": "unmeasured"})


def test_a_scenario_that_does_not_fit() -> None:
    """What was asked for and runs nowhere is named, with the reason; part of a group goes without a word."""
    left = (LeftOut(scenario="throttled", why="the dialect has no throttling"),)
    bare = subject(healthy="same").model_copy(update={"left_out": left})
    some = subject(healthy="same", silent="same").model_copy(update={"left_out": left})
    said = ["s3 runs nothing of what was asked for: throttled is left out (the dialect has no throttling)"]
    assert list(passed_over([bare, some], {"throttled"})) == said
    assert list(passed_over([bare], set())) == list(passed_over([bare], {"healthy"})) == []


def test_what_only_one_report_holds() -> None:
    """Subjects and scenarios that `compare` cannot compare are named, on either side."""
    old = report(subject(silent="same"), subject("gone", silent="same"))
    new = report(subject(silent="same", throttled="same"), subject("come", silent="same"))
    said = [
        "gone is only in the old report",
        "s3: only in the new report are throttled",
        "come is only in the new report",
    ]
    assert list(only_in_one(old, new)) == said


def test_another_request() -> None:
    """Where another request is broken than in the reference, both are named; an endpoint that is new says nothing."""
    before = {"first": "GET /v1/a", "second": "GET /b"}
    assert list(another_request(before, {"first": "GET /v2/a", "second": "GET /b", "third": "GET /c"})) == [
        "at first GET /v1/a was broken before, which is not asked for now: GET /v2/a is broken instead"
    ]


def test_what_runs_no_more() -> None:
    """Recorded subjects and scenarios are named, but none that are left out or red with a reason of their own."""
    left = subject("left", healthy="same").model_copy(update={"left_out": (LeftOut(scenario="silent", why="no TLS"),)})
    ran = [subject(healthy="same"), left, subject("failed", verdict="unmeasured")]
    recorded = {"s3": ["healthy", "silent"], "left": ["healthy", "silent"], "failed": ["silent"], "gone": ["silent"]}
    assert list(run_no_more(ran, recorded)) == [
        "s3 is recorded in silent, and does not run that any more",
        "gone is recorded, and is not asked any more",
    ]
