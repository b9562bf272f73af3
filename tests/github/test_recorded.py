"""What a run recorded, by hand or on a schedule, becomes a pull request; and nothing else does."""

import json
from collections.abc import Callable, Mapping

import pytest
from tests.github.hub.server import Hub
from tests.github.hub.state import ACTIONS
from tests.github.reported import BASELINE, FILES, REPORT_FILE
from tests.report.reports import failing, report, subject

from failsame.baseline import lay_out
from failsame.errors import FailsameError
from failsame.github import accept
from failsame.github.job import Job
from failsame.report.file import to_json

pytestmark = pytest.mark.install

COMING = "baselines/coming/batch-s3@0a1b2c3d.json"
NEW = lay_out(BASELINE.model_copy(update={"runtime": "python 3.14"}))


@pytest.fixture
def hub(new_hub: Callable[..., Hub]) -> Hub:
    hub = new_hub({**FILES, COMING: "{}"})
    hub.grant(contents="write", pull_requests="write", actions="read")
    return hub


@pytest.fixture
def ran(hub: Hub, new_job: Callable[..., Job]) -> Callable[..., None]:
    """A run recorded files, and its second job proposes them."""

    def ran(written: Mapping[str, str | None], ref: str = "refs/heads/main", command: str = "record") -> None:
        run = hub.repository.add_run(
            head_sha=hub.repository.tip.sha, head_branch="main", conclusion=None, event="schedule"
        )
        told = report("same", subject("batch-s3", failing("status-500", (1.0,))), written=written, command=command)
        hub.repository.upload(run, "failsame-report", {REPORT_FILE: to_json(told).encode()})
        accept(new_job("schedule", {"schedule": "0 0 * * 0"}, run=run.id, ref=ref))

    return ran


def test_what_was_recorded_is_proposed(hub: Hub, ran: Callable[..., None]) -> None:
    """One signed commit writes the baseline and removes what was folded in; the body says what was measured."""
    ran({"baselines/batch-s3.json": NEW, COMING: None})
    (made,) = hub.repository.pulls.values()
    assert (made.head, made.base, made.labels) == ("failsame/record-main", "main", ["failsame:baseline"])
    assert made.title == "Record how batch-s3 fails"
    assert "Recorded how your clients fail" in made.body
    commit = hub.repository.commits[hub.repository.head_sha(made)]
    assert (commit.signed, commit.author) == (True, ACTIONS)
    assert commit.files["baselines/batch-s3.json"].decode() == NEW
    assert COMING not in commit.files


def test_a_later_recording_goes_onto_the_same_pull_request(hub: Hub, ran: Callable[..., None]) -> None:
    """Week after week there is one: changed where something new was recorded, left alone where not."""
    ran({"baselines/batch-s3.json": NEW, COMING: None})
    newer = NEW.replace("3.14", "3.15")
    ran({"baselines/batch-s3.json": newer, COMING: None})
    (made,) = hub.repository.pulls.values()
    head = hub.repository.head_sha(made)
    assert hub.repository.commits[head].files["baselines/batch-s3.json"].decode() == newer
    ran({"baselines/batch-s3.json": newer, COMING: None})
    assert hub.repository.head_sha(made) == head
    hub.repository.merge(made)
    ran({"baselines/batch-s3.json": NEW})
    assert len(hub.repository.pulls) == 2


def test_nothing_new_is_nothing_to_do(hub: Hub, ran: Callable[..., None], log: list[str]) -> None:
    """No branch, no pull request."""
    ran({})
    assert hub.repository.pulls == {}
    assert "hold all that was recorded" in log[-1]


NO_BASELINES: dict[str, dict[str, str | None]] = {
    "a workflow": {".github/workflows/failsame.yml": "on: push"},
    "up": {"baselines/../.github/workflows/failsame.yml": "on: push"},
    "absolute": {"/baselines/batch-s3.json": NEW},
    "elsewhere": {"src/batch-s3.json": NEW},
    "another kind": {"baselines/batch-s3.py": NEW},
    "removing a baseline": {"baselines/batch-s3.json": None},
    "writing a coming file": {COMING: NEW},
    "no baseline": {"baselines/batch-s3.json": "on: push"},
    "another's baseline": {"baselines/upload.json": NEW},
}


@pytest.mark.parametrize("case", NO_BASELINES)
def test_what_is_no_baseline_is_not_written(hub: Hub, ran: Callable[..., None], case: str) -> None:
    """Whatever a report asks to be written: nothing but baselines, in their folder, as failsame lays them out."""
    with pytest.raises(FailsameError):
        ran(NO_BASELINES[case])
    assert hub.repository.pulls == {}
    assert {each.method for each in hub.seen} == {"GET"}


def test_a_baseline_is_laid_out_anew(hub: Hub, ran: Callable[..., None]) -> None:
    """Its text is parsed and written again: nothing of another's layout comes along."""
    ran({"baselines/batch-s3.json": json.dumps(json.loads(NEW), indent=7)})
    (made,) = hub.repository.pulls.values()
    assert hub.repository.commits[hub.repository.head_sha(made)].files["baselines/batch-s3.json"].decode() == NEW


def test_on_another_branch_or_none(hub: Hub, ran: Callable[..., None]) -> None:
    """Baselines are proposed for the branch that the run is on; a tag has none."""
    hub.repository.push("release", {"x": "1"})
    ran({"baselines/batch-s3.json": NEW}, "refs/heads/release")
    (made,) = hub.repository.pulls.values()
    assert (made.head, made.base) == ("failsame/record-release", "release")
    with pytest.raises(FailsameError, match="refs/tags/v1 is no branch"):
        ran({"baselines/batch-s3.json": NEW}, "refs/tags/v1")


def test_a_report_that_is_no_recording(hub: Hub, ran: Callable[..., None], new_job: Callable[..., Job]) -> None:
    """A check's report, or none: said, with what to do."""
    with pytest.raises(FailsameError, match="is one of `check`: record in a job before this one"):
        ran({}, command="check")
    with pytest.raises(FailsameError, match="this run has no report"):
        accept(
            new_job(
                "workflow_dispatch",
                {},
                run=hub.repository.add_run(head_sha="a" * 40, head_branch="main", conclusion=None).id,
            )
        )


def test_the_configuration_says_where(hub: Hub, ran: Callable[..., None]) -> None:
    """The folder is the one of the branch's own configuration, not one that a report names."""
    hub.repository.push("main", {".github/failsame.yml": "version: 1\nbaselines: tests/baselines\n"})
    ran({"tests/baselines/batch-s3.json": NEW})
    with pytest.raises(FailsameError, match="writes what is no baseline"):
        ran({"baselines/batch-s3.json": NEW})
