"""`failsame github comment`: the right pull request or none, whatever the judged run says of itself."""

from collections.abc import Callable
from typing import Any

import pytest
from tests.github.hub.server import Hub
from tests.github.hub.state import NAME, Pull, Run, zipped
from tests.github.reported import REPORT_FILE, drifting, judged, open_upgrade

from failsame.errors import ExitCode
from failsame.github import comment
from failsame.github.job import Job
from failsame.github.uploaded import UnusableError
from failsame.report.file import to_json

pytestmark = pytest.mark.install

FORK = "mallory/batch"


@pytest.fixture
def ended(hub: Hub, new_job: Callable[..., Job]) -> Callable[..., ExitCode]:
    """A run ended, and the workflow that comments runs for it."""

    def ended(run: Run, **more: Any) -> ExitCode:
        told = {**hub.shapes.run(run), "pull_requests": [{"number": 999}], **more}
        return comment(new_job("workflow_run", {"action": "completed", "workflow_run": told}))

    return ended


@pytest.fixture
def fork(hub: Hub) -> Pull:
    """A stranger's pull request; the job may do no more than comment."""
    hub.grant(pull_requests="write", actions="read")
    return open_upgrade(hub.repository, fork=FORK)


def test_a_fork_gets_its_comment(hub: Hub, ended: Callable[..., ExitCode], fork: Pull, log: list[str]) -> None:
    """Though its own run could not write one: after a failed run, and once."""
    run = judged(hub.repository, fork, drifting())
    assert ended(run) is ExitCode.SAME
    assert ended(run) is ExitCode.SAME
    (made,) = hub.repository.comments
    assert made.issue == fork.number
    assert "fail differently" in made.body or "changes how your clients fail" in made.body
    assert any(made.body.count(each) for each in ("failsame:accept",))


def test_a_pull_request_is_not_chosen_by_its_branch(hub: Hub, ended: Callable[..., ExitCode], fork: Pull) -> None:
    """Another pull request from a branch of that name, in another fork or here, gets nothing."""
    other = open_upgrade(hub.repository, fork="alice/batch")
    ended(judged(hub.repository, fork, drifting()))
    assert [each.issue for each in hub.repository.comments] == [fork.number]
    assert other.number != fork.number


def test_a_head_that_moved_on(hub: Hub, ended: Callable[..., ExitCode], fork: Pull, log: list[str]) -> None:
    """A report on an older commit is not posted."""
    run = judged(hub.repository, fork, drifting())
    hub.repository.push("main", {"x": "1"}, repository=FORK)
    assert ended(run) is ExitCode.SAME
    assert hub.repository.comments == []
    assert "0 open pull requests have the head that was judged" in log[-1]


def test_two_pull_requests_with_one_head(hub: Hub, ended: Callable[..., ExitCode], fork: Pull, log: list[str]) -> None:
    """Where it is not clear which is meant, neither gets a comment."""
    hub.repository.push("release", {"y": "1"})
    hub.repository.open_pull("main", author="mallory", base="release", repository=FORK)
    ended(judged(hub.repository, fork, drifting()))
    assert hub.repository.comments == []
    assert "2 open pull requests" in log[-1]


def test_a_run_that_judged_no_pull_request(hub: Hub, ended: Callable[..., ExitCode], fork: Pull) -> None:
    """A merge queue's run, a push, a fork that is gone: nothing to do."""
    run = judged(hub.repository, fork, drifting())
    for more in ({"event": "push"}, {"event": "merge_group"}, {"head_repository": None}, {"head_branch": None}):
        assert ended(run, **more) is ExitCode.SAME
    assert hub.repository.comments == []


def test_a_run_without_a_report(hub: Hub, ended: Callable[..., ExitCode], fork: Pull, log: list[str]) -> None:
    """It ended before there was one: said in the log."""
    run = hub.repository.add_run(
        head_sha=hub.repository.head_sha(fork), head_branch="main", conclusion="failure", repository=FORK
    )
    assert ended(run) is ExitCode.SAME
    assert any("uploaded no `failsame-report`" in line for line in log)


def test_the_report_names_another_pull_request(hub: Hub, ended: Callable[..., ExitCode], fork: Pull) -> None:
    """What the report says about commits, and what the event's list says, decides nothing."""
    victim = hub.repository.open_pull("main", author="alice", base="main")
    report = drifting().model_copy(update={"commit": hub.repository.head_sha(victim), "notes": (f"#{victim.number}",)})
    ended(judged(hub.repository, fork, report))
    assert [each.issue for each in hub.repository.comments] == [fork.number]


def test_a_hostile_archive(hub: Hub, ended: Callable[..., ExitCode], fork: Pull) -> None:
    """The job is red and says why; nothing is posted."""
    run = judged(hub.repository, fork, zipped({f"../{REPORT_FILE}": to_json(drifting()).encode()}))
    with pytest.raises(UnusableError, match="holds 0 files"):
        ended(run)
    assert hub.repository.comments == []


def test_it_asks_for_no_more_rights(hub: Hub, ended: Callable[..., ExitCode], fork: Pull) -> None:
    """Nothing but reading, and comments: no file, no branch, no label, no run."""
    ended(judged(hub.repository, fork, drifting()))
    changes = {(each.method, each.target) for each in hub.seen if each.method != "GET"}
    assert changes == {("POST", f"/repos/{NAME}/issues/{fork.number}/comments")}
