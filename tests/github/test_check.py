"""`failsame github check` as a job runs it: the verdict, and everything it leaves behind."""

import json
import subprocess
import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from graphql import GraphQLSchema
from tests.github.acting import Action, Ended
from tests.github.conftest import hubs
from tests.github.contract import Contract
from tests.github.hub.routes import Answer, problem
from tests.github.hub.server import Hub
from tests.github.hub.state import ACTIONS, NAME, Pull
from tests.github.projects import CONFIG, locked
from tests.github.reported import drifting

from failsame.github import sticky
from failsame.github.check import comment
from failsame.github.event import PullRequest, read
from failsame.github.job import Job
from failsame.github.sticky import State
from failsame.report import Report

pytestmark = pytest.mark.install


def upgrade(hub: Hub, **more: str | None) -> Pull:
    """Dependabot upgrades six."""
    changes = {"requirements.txt": locked("1.16.0"), **more}
    hub.repository.push("dependabot/pip/six-1.16.0", changes, author="dependabot[bot]")
    return hub.repository.open_pull("dependabot/pip/six-1.16.0", author="dependabot[bot]", title="Bump six")


@dataclass(frozen=True)
class Red:
    """A check that found a drift."""

    hub: Hub
    pull: Pull
    ended: Ended


@pytest.fixture(scope="module")
def red(
    contract: Contract,
    graphql: GraphQLSchema,
    recorded: dict[str, str],
    cache: Path,
    tmp_path_factory: pytest.TempPathFactory,
) -> Iterator[Red]:
    """Measured once. The client looks for the job's token, and fails to be well if it finds it."""
    with hubs(contract, graphql) as make:
        hub = make(recorded)
        pull = upgrade(hub)
        secrets = {"GITHUB_TOKEN": "ghs_other", "ACTIONS_RUNTIME_TOKEN": "x"}
        yield Red(hub, pull, Action(hub, tmp_path_factory.mktemp("red"), cache).check(pull, **secrets))


def test_a_drift_is_red(red: Red) -> None:
    """Exit 1, the verdict and the fingerprint as outputs, and the report in the workspace."""
    assert red.ended.status == 1
    assert red.ended.outputs == {
        "verdict": "drift",
        "fingerprint": red.ended.report["fingerprint"],
        "report": "failsame-report.json",
        "comment-url": f"https://github.com/{NAME}/pull/{red.pull.number}#issuecomment-1001",
    }
    assert red.ended.report["verdict"] == "drift"
    assert red.ended.report["base"] == red.hub.repository.tip.sha
    assert red.ended.report["commit"] == red.hub.repository.merged_tree(red.pull).sha


def test_a_drift_is_annotated_on_its_line(red: Red) -> None:
    """One command to the runner, on the lock file's line, and no other in the whole log."""
    (command,) = red.ended.annotations
    assert command.startswith("::error file=requirements.txt,line=2,title=unit fails differently::six 1.15.0 -> 1.16.0")
    assert command.endswith(": When the service answers 500, unit now tries 3 times instead of 5.")


def test_a_drift_is_said_once(red: Red) -> None:
    """One comment, with the three choices; the summary says the same."""
    (made,) = red.hub.repository.comments
    assert (made.author, made.issue) == (ACTIONS, red.pull.number)
    for words in ("six 1.15.0 → **1.16.0** (`requirements.txt` line 2)", "adds the label `failsame:accept`"):
        assert words in made.body
        assert words in red.ended.summary
    assert red.ended.summary.startswith("### failsame\n\n> [!CAUTION]")


def test_a_drift_was_found_in_few_questions(red: Red) -> None:
    """One comparison, one old lock file, two listings of baselines; then the head, and the comment."""
    asked = [(each.method, each.target.removeprefix(f"/repos/{NAME}/").partition("?")[0]) for each in red.hub.seen]
    merged = red.hub.repository.merged_tree(red.pull).sha
    assert asked == [
        ("GET", f"compare/main...{merged}"),
        ("GET", "contents/requirements.txt"),
        ("GET", "contents/baselines"),
        ("GET", "contents/baselines/coming"),
        ("GET", f"pulls/{red.pull.number}"),
        ("POST", f"issues/{red.pull.number}/comments"),
    ]


def test_nothing_watched_changed(upgrading: Hub, action: Action) -> None:
    """Text, a workflow, another project's lock file: one question to GitHub, and green under the same name."""
    files = {"README.md": "# New\n", ".github/workflows/ci.yml": "on: push\n", "web/requirements.txt": locked("1.16.0")}
    upgrading.repository.push("docs", files)
    ended = action.check(upgrading.repository.open_pull("docs", author="octocat"))
    assert ended.status == 0
    assert ended.outputs == {
        "verdict": "same",
        "fingerprint": "",
        "report": "failsame-report.json",
        "comment-url": "",
    }
    assert ended.summary == (
        "### failsame\n\nNothing that failsame watches changed: no lock file, configuration, client file or baseline.\n"
    )
    assert ended.annotations == []
    assert [each.target.partition("?")[0].rpartition("/")[2][:6] for each in upgrading.seen] == ["main.."]


def test_a_drift_that_was_taken_back(upgrading: Hub, action: Action) -> None:
    """Nothing watched differs any more: the comment of before is mended, without a measurement."""
    upgrading.repository.push("docs", {"README.md": "# New\n"})
    pull = upgrading.repository.open_pull("docs", author="octocat")
    told = sticky.compose("failsame", State(fingerprint="0" * 8), "", "red")
    upgrading.repository.add_comment(pull.number, ACTIONS, told)
    ended = action.check(pull, "synchronize")
    assert ended.status == 0
    assert upgrading.repository.comments[0].body.endswith("**Your clients fail the same again.**\n")


def test_a_broken_configuration(upgrading: Hub, action: Action) -> None:
    """Exit 2: an annotation, the summary and the outputs say that nothing could be judged."""
    upgrading.repository.push("up", {"failsame.yml": "version: 1\nsubject: []\n"})
    ended = action.check(upgrading.repository.open_pull("up", author="octocat"))
    assert ended.status == 2
    assert ended.outputs == {"verdict": "unmeasured"}
    (annotation,) = ended.annotations
    assert annotation.startswith("::error title=failsame::failsame.yml line 2: ")
    assert "failsame.yml line 2" in ended.summary
    assert ended.report is None


def test_a_token_that_may_not_read(upgrading: Hub, action: Action) -> None:
    """Exit 3: what GitHub refuses is never green, and the YAML is named."""
    upgrading.trouble("GET", "compare", problem(404, "Not Found"))
    ended = action.check(upgrade(upgrading))
    assert ended.status == 3
    assert "give the job `permissions: {contents: read}`" in ended.annotations[0]


def test_an_event_that_brings_rights(upgrading: Hub, action: Action) -> None:
    """Exit 2 before anything is asked or run."""
    pull = upgrade(upgrading)
    payload = upgrading.shapes.event(pull, "opened")
    ended = action.run("check", "pull_request_target", payload, upgrading.repository.head_sha(pull))
    assert (ended.status, upgrading.seen) == (2, [])
    assert "use `pull_request`" in ended.annotations[0]


def test_outside_of_a_job(tmp_path: Path) -> None:
    """One line that says what is missing."""
    ran = subprocess.run(
        [sys.executable, "-I", "-m", "failsame", "github", "check"], env={}, capture_output=True, text=True, check=False
    )
    assert ran.returncode == 2
    assert ran.stdout.startswith("failsame: INPUT_TOKEN: is not set: pass `token: ${{ github.token }}`")


@pytest.mark.parametrize(
    ("refusal", "level"),
    [(problem(403, "Resource not accessible by integration"), "notice"), (problem(422, "Spammed"), "warning")],
)
def test_the_verdict_does_not_hang_on_the_comment(
    hub: Hub, new_job: Callable[..., Job], log: list[str], refusal: Any, level: str
) -> None:
    """A refusal is told, to a fork's run as something to be expected; nothing is raised."""
    hub.repository.push("up", {"a": "1"})
    pull = hub.shapes.pull(hub.repository.open_pull("up", author="octocat"))
    hub.trouble("POST", "comments", refusal)
    job = new_job("pull_request", {"action": "opened", "pull_request": pull})
    comment(job, read(PullRequest, pull, "it"), drifting())
    assert any(line.startswith(f"::{level} title=failsame::GitHub did not comment") for line in log)


@pytest.mark.parametrize(
    ("asked", "answer"),
    [
        ("GET comments", Answer(200, b"garbage", {"Content-Encoding": "gzip"})),
        ("GET comments", Answer(200, {"message": "no list"})),
        ("GET comments", Answer(200, [{"id": 1, "body": 5}])),
        ("POST comments", Answer(201, {"id": "none"})),
        ("POST graphql", Answer(200, [])),
        ("POST graphql", Answer(200, {"data": {"viewer": None}})),
        ("GET pulls/", Answer(200, {"number": 1})),
    ],
)
def test_the_verdict_does_not_hang_on_what_github_answers(
    hub: Hub, new_job: Callable[..., Job], log: list[str], asked: str, answer: Answer
) -> None:
    """An answer that cannot be read, or is not as GitHub documents it, is a warning; nothing is raised."""
    hub.repository.push("up", {"a": "1"})
    pull = hub.repository.open_pull("up", author="octocat")
    hub.repository.add_comment(pull.number, "somebody", sticky.compose("failsame", State(), "", "theirs"))
    method, path = asked.split()
    hub.trouble(method, path, answer, times=5)
    job = new_job("pull_request", {"action": "synchronize", "pull_request": hub.shapes.pull(pull)})
    comment(job, read(PullRequest, hub.shapes.pull(pull), "it"), drifting())
    (warning,) = [line for line in log if line.startswith(("::warning", "::error"))]
    assert warning.startswith("::warning title=failsame::")
    assert warning.endswith("The summary of this run says it all")


def test_a_comment_without_a_text(hub: Hub, new_job: Callable[..., Job]) -> None:
    """Somebody's comment whose text is null is one of somebody else's."""
    hub.repository.push("up", {"a": "1"})
    pull = hub.repository.open_pull("up", author="octocat")
    hub.trouble("GET", "comments", Answer(200, [{"id": 1, "body": None, "user": {"login": "octocat"}}]))
    job = new_job("pull_request", {"action": "synchronize", "pull_request": hub.shapes.pull(pull)})
    comment(job, read(PullRequest, hub.shapes.pull(pull), "it"), drifting())
    assert len(hub.repository.comments) == 1


def test_a_run_again_looks_for_its_comment(hub: Hub, new_job: Callable[..., Job]) -> None:
    """The event is `opened` still, but its first run may have commented."""
    hub.repository.push("up", {"a": "1"})
    pull = hub.shapes.pull(hub.repository.open_pull("up", author="octocat"))
    for attempt in (1, 2):
        job = new_job("pull_request", {"action": "opened", "pull_request": pull}, attempt=attempt)
        comment(job, read(PullRequest, pull, "it"), drifting())
    assert len(hub.repository.comments) == 1


def test_recording_leaves_the_workspace_alone(upgrading: Hub, action: Action) -> None:
    """By hand: what differs goes into the report, and no file of the checkout is touched."""
    sha = upgrading.repository.push("main", {"requirements.txt": locked("1.16.0")})
    ended = action.run("check", "workflow_dispatch", {"repository": {"full_name": NAME}}, sha)
    assert ended.status == 0, ended.log
    assert upgrading.seen == []
    assert ended.outputs["verdict"] == "same"
    (path,) = ended.report["written"]
    assert path == "baselines/unit.json"
    assert json.loads(ended.report["written"][path])["scenarios"]["status-500"]["call 1"]["attempts"] == 3
    files = upgrading.repository.commits[sha].files
    assert (ended.folder / path).read_bytes() == files[path]
    assert Report.model_validate(ended.report).command == "record"


@pytest.mark.parametrize(
    ("config", "says"),
    [
        ("version: 1\n", "unit is recorded, and is not asked any more"),
        (CONFIG.replace("status-500", "control"), "unit is recorded in status-500, and does not run that any more"),
    ],
)
def test_a_configuration_that_asks_for_less(config: str, says: str, upgrading: Hub, action: Action) -> None:
    """It is green, since a person may want that; but the pull request says what nobody guards any more."""
    pull = upgrade(upgrading, **{"failsame.yml": config})
    ended = action.check(pull)
    assert ended.status == 0
    assert ended.outputs["verdict"] == "same"
    assert says in ended.summary
    (comment,) = upgrading.repository.comments
    assert "[!WARNING]\n> **Less is guarded than was recorded.**" in comment.body
    assert f"Note: {says}" in comment.body


def test_a_client_that_leaves_with_its_baseline(upgrading: Hub, action: Action) -> None:
    """Nothing is recorded any more; the pull request says what was."""
    pull = upgrade(upgrading, **{"failsame.yml": "version: 1\n", "baselines/unit.json": None})
    assert action.check(pull).status == 0
    (comment,) = upgrading.repository.comments
    assert "Note: unit was recorded, and is neither asked nor recorded any more" in comment.body
