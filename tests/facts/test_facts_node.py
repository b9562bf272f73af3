"""What is told of Node's clients beside their rows, and that both languages stand in one report."""

import pytest
from tests.facts.measuring import scenario_of, sides, subject_of

from failsame.observation import Jitter
from failsame.report import Report

pytestmark = pytest.mark.install


def test_two_languages_in_one_report(measured: Report) -> None:
    """Subjects of both languages are measured in one run, each at its own lock file and on its own runtime."""
    runtimes = {(subject.language, (subject.runtime or "").partition(" ")[0]) for subject in measured.subjects}
    assert runtimes == {("python", "python"), ("node", "node")}
    assert {subject.language: subject.isolation for subject in measured.subjects} == {"python": "fork", "node": "fork"}


def test_the_dated_tree(measured: Report) -> None:
    """What npm resolves to at a date is what is installed: the deciding packages of a transitive kind included."""
    packages = subject_of(measured, "node-s3").packages
    assert packages["@aws-sdk/client-s3"] == "3.1152.0"
    assert packages["@smithy/node-http-handler"] == "4.12.1"
    plugged = subject_of(measured, "node-s3-handler-4-3").packages
    assert plugged["@smithy/node-http-handler (nested)"] == "4.3.0"


def test_headers(measured: Report) -> None:
    """Attempts carry their number and how many there will be, and all attempts of a call one invocation id."""
    scenario = scenario_of(measured, "node-s3", "status-500")
    assert scenario is not None
    said = "attempts carry amz-sdk-request: attempt=1; max=3, attempt=2; max=3, attempt=3; max=3"
    assert said in scenario.notes
    outage = scenario_of(measured, "node-s3", "quota-500")
    if outage is not None:
        kept = [seen.call.key_kept for each in sides(outage) for seen in each.values()]
        assert kept == [True] * 2 * 25 + [None] * 2 * 45


def test_a_timeout_that_only_warns(measured: Report) -> None:
    """One warning, and then the client waits on."""
    scenario = scenario_of(measured, "node-s3-request-timeout", "silent")
    assert scenario is not None
    assert sum("a request has exceeded the configured" in note for note in scenario.notes) == 1


# Subject -> when it gives up on silence, at jitter low and high.
EXACTLY: dict[str, dict[Jitter, float]] = {
    "node-s3-throws-after-2s": {"low": 6.0, "high": 6.3},
    "node-s3-throws-after-5s": {"low": 15.0, "high": 15.3},
    "node-timeout-before": {"low": 3.0, "high": 3.3},
    "fetch": {"low": 300.4, "high": 300.4},
}


@pytest.mark.parametrize("subject", EXACTLY)
def test_skipped_time_is_good_to_milliseconds(measured: Report, subject: str) -> None:
    """Node counts whole milliseconds, and a wait of none is one: no more than that is off, on a busy machine too."""
    scenario = scenario_of(measured, subject, "silent")
    assert scenario is not None
    if scenario.clock == "real":
        return
    (call,) = sides(scenario)
    for jitter, expected in EXACTLY[subject].items():
        assert call[jitter].call.give_up == pytest.approx(expected, abs=0.004)
