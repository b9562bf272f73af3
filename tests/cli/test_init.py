"""`failsame init` in a repository that has never seen failsame."""

import subprocess
from pathlib import Path

import pytest
import yaml
from tests.cli.commanding import Project

LOCK = "certifi==2026.2.25\ncharset-normalizer==3.4.4\nidna==3.11\nrequests==2.32.5\nurllib3==2.6.3\n"


@pytest.fixture(scope="module")
def started(tmp_path_factory: pytest.TempPathFactory, cache: Path) -> tuple[Project, str]:
    """The repository after `init`, and what it said."""
    project = Project(tmp_path_factory.mktemp("first"), cache)
    project.write("requirements.txt", LOCK)
    project.write(".github/workflows/failsame-accept.yml", "# ours\n")
    for command in (("init", "--quiet", "--initial-branch=trunk"), ("add", "."), ("commit", "--quiet", "-m", "first")):
        as_someone = ("-c", "user.name=x", "-c", "user.email=x@example.com")
        subprocess.run(("git", *as_someone, *command), cwd=project.folder, check=True)
    subprocess.run(("git", "update-ref", "refs/remotes/origin/trunk", "HEAD"), cwd=project.folder, check=True)
    head = ("git", "symbolic-ref", "refs/remotes/origin/HEAD", "refs/remotes/origin/trunk")
    subprocess.run(head, cwd=project.folder, check=True)
    done = project.run("init")
    assert done.status == 0, done.err
    return project, done.out


@pytest.mark.install
def test_it_says_what_it_found_and_wrote(started: tuple[Project, str]) -> None:
    """The SDK with its version and lock file, each file that was written, and the one that was left alone."""
    _, said = started
    assert said.splitlines()[:5] == [
        "found requests 2.32.5 in requirements.txt: subject requests",
        ".github/failsame.yml written",
        ".github/workflows/failsame.yml written",
        ".github/workflows/failsame-accept.yml is there already, and stays as it is",
        "baselines/requests.json written",
    ]


@pytest.mark.install
def test_it_overwrites_nothing(started: tuple[Project, str]) -> None:
    """What was there is as it was; a second run changes nothing."""
    project, _ = started
    assert (project.folder / ".github/workflows/failsame-accept.yml").read_text() == "# ours\n"
    files = [".github/failsame.yml", ".github/workflows/failsame.yml", "baselines/requests.json"]
    before = {name: (project.folder / name).read_bytes() for name in files}
    again = project.run("init")
    assert (again.status, again.out.count("stays as it is")) == (0, 3)
    assert {name: (project.folder / name).read_bytes() for name in files} == before


@pytest.mark.install
def test_the_workflow_runs_on_the_default_branch(started: tuple[Project, str]) -> None:
    """Whatever the default branch is called."""
    project, _ = started
    workflow = yaml.safe_load((project.folder / ".github/workflows/failsame.yml").read_text())
    assert workflow[True]["push"] == {"branches": ["trunk"]}  # YAML 1.1 reads the key `on` as true


@pytest.mark.install
def test_a_check_is_green_at_once(started: tuple[Project, str]) -> None:
    """What `init` has recorded holds."""
    project, _ = started
    done = project.run("check", "--scenario", "status-500")
    assert done.status == 0, done.out + done.err
