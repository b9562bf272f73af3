"""Whole stories, with real measurements: an upgrade is opened, blocked, accepted, merged."""

import shutil
from collections.abc import Callable
from pathlib import Path

import pytest
from tests.cli.commanding import Project
from tests.github.acting import Action, label, merge
from tests.github.hub.server import Hub
from tests.github.hub.state import ACTIONS
from tests.github.projects import GROUP_CONFIG, locked, project

pytestmark = pytest.mark.install

ACCEPT = "failsame:accept"
BATCH = Path(__file__).parents[2] / "fixtures" / "python-batch"
BATCH_CONFIG = """\
version: 1
subjects:
  - name: batch-s3
    file: failsame/batch_s3.py
    dialect: s3
    scenarios: [status-500, throttled]
"""


def files_of(folder: Path) -> dict[str, bytes]:
    return {
        file.relative_to(folder).as_posix(): file.read_bytes()
        for file in folder.rglob("*")
        if file.is_file() and "__pycache__" not in file.parts
    }


def full_rights(hub: Hub) -> None:
    """What the workflow that accepts may do."""
    hub.grant(contents="write", pull_requests="write", actions="write")


def test_dependabot(new_hub: Callable[..., Hub], tmp_path: Path, cache: Path) -> None:
    """The whole story on the example project: botocore's change of November 2026."""
    upgraded = files_of(BATCH)
    before = {**upgraded, "requirements.txt": upgraded["before/requirements.txt"], ".github/failsame.yml": BATCH_CONFIG}
    hub = new_hub(before)
    repository, action = hub.repository, Action(hub, tmp_path, cache)
    repository.permissions |= {"hubot": "write", "triager": "triage"}
    branch = "dependabot/pip/boto3-1.44.8"
    repository.push(branch, {"requirements.txt": upgraded["requirements.txt"]}, author="dependabot[bot]")
    pull = repository.open_pull(branch, author="dependabot[bot]", title="Bump boto3 from 1.43.127 to 1.44.8")
    tested = repository.merged_tree(pull).sha

    red = action.check(pull)
    assert (red.status, red.outputs["verdict"]) == (1, "drift")
    (comment,) = repository.comments
    assert "botocore 1.43.127 → **1.44.8** (`requirements.txt` line 7, through boto3)" in comment.body
    assert "`AWS_RETRY_MODE=legacy`" in comment.body
    assert "```mermaid\ngantt" in comment.body.partition("<details>")[2]

    full_rights(hub)
    told = comment.body
    for nobody, says in {"triager": "may not write here", "dependabot[bot]": "a program"}.items():
        ended = label(action, pull, ACCEPT, nobody)
        assert (ended.status, comment.body, len(repository.pulls)) == (0, told, 1)
        assert says in ended.log
        pull.labels.remove(ACCEPT)

    ended = label(action, pull, ACCEPT, "hubot")
    assert ended.status == 0, ended.log
    proposed = repository.pulls[int(ended.outputs["pull-request"])]
    assert (proposed.labels, pull.labels) == (["failsame:baseline"], [])
    commit = repository.commits[repository.head_sha(proposed)]
    assert (commit.signed, commit.author, commit.parents) == (True, ACTIONS, (repository.tip.sha,))
    assert f"merge #{proposed.number}" in comment.body

    assert merge(action, proposed).status == 0
    assert repository.runs[0].rerun_by == [ACTIONS]
    assert "The check runs again." in comment.body

    # A run again has the commit of the first run: what was merged since, it has to fetch.
    payload = hub.shapes.event(pull, "opened")
    green = action.run("check", "pull_request", payload, tested, GITHUB_RUN_ATTEMPT="2")
    assert (green.status, green.outputs["verdict"]) == (0, "same"), green.log
    mended = (
        f"**Your clients fail the same again.** `hubot` accepted `{red.outputs['fingerprint']}` in #{proposed.number}."
    )
    assert comment.body.endswith(f"{mended}\n")
    assert len(repository.comments) == 1

    repository.merge(pull)
    repository.push("fewer", {".github/failsame.yml": f"{BATCH_CONFIG}    env: {{AWS_MAX_ATTEMPTS: '2'}}\n"})
    another = repository.open_pull("fewer", author="octocat", title="Fewer attempts")
    red = action.check(another)
    assert (red.status, red.outputs["verdict"]) == (1, "drift")
    assert "failsame record --subject batch-s3" in repository.comments[1].body
    ended = label(action, another, ACCEPT, "hubot")
    assert ended.status == 2
    assert "failsame record --subject batch-s3" in repository.comments[1].body.partition("<!-- failsame:report -->")[0]
    assert another.labels == []


def test_a_later_upgrade_is_not_covered(upgrading: Hub, action: Action) -> None:
    """What was accepted for one version is not accepted for the next that fails otherwise again."""
    repository = upgrading.repository
    full_rights(upgrading)
    repository.push("up", {"requirements.txt": locked("1.16.0")}, author="dependabot[bot]")
    pull = repository.open_pull("up", author="dependabot[bot]")
    first = action.check(pull)
    ended = label(action, pull, ACCEPT, "hubot")
    merge(action, repository.pulls[int(ended.outputs["pull-request"])])
    repository.push("up", {"requirements.txt": locked("1.17.0")}, author="dependabot[bot]")
    red = action.check(pull, "synchronize")
    assert (red.status, red.outputs["verdict"]) == (1, "drift")
    assert red.outputs["fingerprint"] != first.outputs["fingerprint"]
    (comment,) = repository.comments
    assert "but that was another change: this one is new." in comment.body
    assert "gives up at once, **2 attempts**" in comment.body


def test_a_fork(upgrading: Hub, action: Action) -> None:
    """A stranger's upgrade: judged without rights, commented on from another workflow, accepted all the same."""
    repository, fork = upgrading.repository, "mallory/batch"
    repository.push("main", {"requirements.txt": locked("1.16.0")}, author="mallory", repository=fork)
    pull = repository.open_pull("main", author="mallory", title="Upgrade", repository=fork)

    def commented() -> None:
        upgrading.grant(pull_requests="write", actions="read")
        payload = {"action": "completed", "workflow_run": upgrading.shapes.run(repository.runs[-1])}
        assert action.run("comment", "workflow_run", payload, None).status == 0

    upgrading.grant(contents="read", pull_requests="read", actions="read")
    red = action.check(pull)
    assert (red.status, repository.comments) == (1, [])
    assert any(line.startswith("::notice title=failsame::GitHub did not comment") for line in red.annotations)
    commented()
    (comment,) = repository.comments
    assert "changes how your clients fail" in comment.body

    full_rights(upgrading)
    assert label(action, pull, ACCEPT, "mallory", "pull_request_target").status == 0
    pull.labels.remove(ACCEPT)
    assert len(repository.pulls) == 1
    ended = label(action, pull, ACCEPT, "hubot", "pull_request_target")
    merge(action, repository.pulls[int(ended.outputs["pull-request"])])
    assert repository.runs[-1].rerun_by == [ACTIONS]

    upgrading.grant(contents="read", pull_requests="read", actions="read")
    green = action.check(pull)
    assert green.status == 0, green.log
    commented()
    assert comment.body.endswith("in #12.\n")
    assert len(repository.comments) == 1


@pytest.fixture
def grouped(new_hub: Callable[..., Hub], tmp_path: Path, cache: Path) -> Action:
    """A project with two recorded clients."""
    made = Project(tmp_path / "recorded", cache)
    files = project(**{"failsame.yml": GROUP_CONFIG})
    for path, text in files.items():
        made.write(path, text)
    assert made.run("record").status == 0
    hub = new_hub({**files, **{f"baselines/{path}": text for path, text in made.baselines().items()}})
    hub.repository.permissions["hubot"] = "admin"
    shutil.rmtree(made.folder)
    return Action(hub, tmp_path, cache)


def test_a_renovate_group_through_a_merge_queue(grouped: Action) -> None:
    """One pull request moves two packages and changes two clients: one comment, one acceptance; the queue agrees."""
    hub, repository = grouped.hub, grouped.hub.repository
    repository.push("renovate/all", {"requirements.txt": locked("1.16.0", toml="0.10.2")}, author="renovate[bot]")
    pull = repository.open_pull("renovate/all", author="renovate[bot]", title="Update all")

    red = grouped.check(pull)
    assert (red.status, len(red.annotations)) == (1, 2)
    (comment,) = repository.comments
    assert "2 of 2 subjects behave differently" in comment.body
    assert "six 1.15.0 → **1.16.0**" in comment.body
    assert "toml 0.10.1 → **0.10.2**" in comment.body

    def queued() -> tuple[int, str]:
        """The queue tests what it would merge."""
        group, base = repository.merged_tree(pull), repository.tip.sha
        told = {"head_sha": group.sha, "base_sha": base, "base_ref": "refs/heads/main", "head_ref": "refs/heads/gh"}
        ended = grouped.run("check", "merge_group", {"action": "checks_requested", "merge_group": told}, group.sha)
        return ended.status, ended.outputs["verdict"]

    assert queued() == (1, "drift")
    full_rights(hub)
    ended = label(grouped, pull, ACCEPT, "hubot")
    assert "Renovate's box to rebase" in comment.body
    proposed = repository.pulls[int(ended.outputs["pull-request"])]
    assert proposed.title == f"Accept how unit and other fail after #{pull.number}"
    files = repository.commits[repository.head_sha(proposed)].files
    assert sorted(path.partition("@")[0] for path in files if "/coming/" in path) == [
        "baselines/coming/other",
        "baselines/coming/unit",
    ]
    merge(grouped, proposed)
    assert queued() == (0, "same")
    assert len(repository.comments) == 1


def test_first_adoption(new_hub: Callable[..., Hub], tmp_path: Path, cache: Path) -> None:
    """Nothing is recorded: red, with what to do; recorded by hand, proposed by a second job, merged: green."""
    hub = new_hub(project())
    repository, action = hub.repository, Action(hub, tmp_path, cache)
    repository.push("docs", {"README.md": "# New\n"})
    pull = repository.open_pull("docs", author="octocat")
    red = action.check(pull)
    assert (red.status, red.outputs["verdict"]) == (1, "new")

    hub.grant(contents="read")
    ended = action.run("check", "workflow_dispatch", {}, repository.tip.sha)
    assert (ended.status, hub.asked("POST", "pulls")) == (0, [])
    run = repository.add_run(
        head_sha=repository.tip.sha, head_branch="main", conclusion=None, event="workflow_dispatch"
    )
    repository.upload(
        run, "failsame-report", {"failsame-report.json": (ended.folder / "failsame-report.json").read_bytes()}
    )
    full_rights(hub)
    ended = action.run("accept", "workflow_dispatch", {}, None, GITHUB_RUN_ID=str(run.id))
    assert ended.status == 0, ended.log
    merge(action, repository.pulls[int(ended.outputs["pull-request"])])

    green = action.check(pull, "synchronize")
    assert (green.status, green.outputs["verdict"]) == (0, "same")
    assert repository.comments[0].body.endswith("**Your clients fail the same again.**\n")
