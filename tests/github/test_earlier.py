"""Old files and the baselines that count, through the API, beside a checkout that has no history."""

from contextlib import nullcontext
from pathlib import Path

import pytest
from tests.github.conftest import environment
from tests.github.hub.server import Hub
from tests.github.hub.state import NAME

from failsame.errors import UsageError
from failsame.github import standing
from failsame.github.api import Comparison, Repository
from failsame.github.earlier import Earlier, blob_id, checked_out
from failsame.github.settings import settings
from failsame.pins import read_lock

pytestmark = pytest.mark.install


def test_only_what_changed_is_asked_for(hub: Hub, github: Repository, tmp_path: Path) -> None:
    """A changed lock file comes from the merge base, its unchanged include from the workspace, each asked once."""
    old = hub.repository.push("main", {"requirements.txt": "-r more.txt\na==1\n", "more.txt": "b==1\n", "x/y/z": "1"})
    hub.repository.push("up", {"requirements.txt": "-r more.txt\na==2\n", "new.txt": "c==1\n"})
    hub.repository.check_out(hub.repository.branches[NAME, "up"], tmp_path)
    files = Earlier(github, github.compare("main", "up"), tmp_path)
    for _ in range(2):
        pins = read_lock(files, "requirements.txt").pins
        assert {name: pin[0].version for name, pin in pins.items()} == {"a": "1", "b": "1"}
    assert files.read("new.txt") is None
    assert files.folders("x") == ("y",)
    assert [each.target for each in hub.asked("GET", "contents")] == [
        f"/repos/{NAME}/contents/{path}?ref={old}" for path in ("requirements.txt", "new.txt")
    ]


def test_folders_and_links_that_changed(hub: Hub, github: Repository, tmp_path: Path) -> None:
    """A folder in which something changed is listed as it was; what a link leads to is asked for when that changed."""
    hub.repository.push("main", {"a/b/c": "1", "a/d/e": "1", "locks/one.txt": "a==1\n"})
    hub.repository.push("up", {"a/b/c": None, "a/f/g": "1", "locks/one.txt": "a==2\n"})
    hub.repository.check_out(hub.repository.branches[NAME, "up"], tmp_path)
    (tmp_path / "requirements.txt").symlink_to("locks/one.txt")
    files = Earlier(github, github.compare("main", "up"), tmp_path)
    assert files.folders("a") == ("b", "d")
    assert files.read("requirements.txt") is None  # the hub has no links; what counts is that it was asked
    assert hub.asked("GET", "contents/requirements.txt")


def test_a_large_lock_file_is_refused(hub: Hub, github: Repository, tmp_path: Path) -> None:
    """Nothing of 20 MB is a lock file."""
    hub.repository.push("main", {"uv.lock": b"x" * 20_000_001})
    hub.repository.push("up", {"uv.lock": "1"})
    files = Earlier(github, github.compare("main", "up"), tmp_path)
    with pytest.raises(UsageError, match=r"uv.lock \(at \w{8}\) is larger than 20 MB"):
        files.read("uv.lock")


def test_which_baselines_count(hub: Hub, github: Repository, tmp_path: Path) -> None:
    """The pull request's own where it changed them; else the base branch's as they are now, merged since or gone."""
    names = ("own", "merged", "same", "gone")
    hub.repository.push("main", {f"baselines/{name}.json": "1" for name in names} | {"baselines/notes.txt": "1"})
    hub.repository.push("up", {"baselines/own.json": "mine", "baselines/coming/own@00000000.json": "mine"})
    pull = hub.repository.open_pull("up", author="octocat")
    merged = hub.repository.merged_tree(pull)
    hub.repository.check_out(merged.sha, tmp_path / "work")
    hub.repository.push(
        "main",
        {"baselines/merged.json": "2", "baselines/coming/merged@11111111.json": "2", "baselines/gone.json": None},
    )
    comparison = github.compare("main", merged.sha)
    for paths in (comparison.paths, None):  # told by the comparison, or found out where that is too long
        into = tmp_path / f"into-{paths is None}"
        into.mkdir()
        standing.lay_out(
            "baselines",
            workspace=tmp_path / "work",
            branch="main",
            comparison=Comparison(comparison.base, comparison.head, paths),
            github=github,
            into=into,
        )
        assert {str(file.relative_to(into)): file.read_text() for file in into.rglob("*") if file.is_file()} == {
            "own.json": "mine",
            "coming/own@00000000.json": "mine",
            "merged.json": "2",
            "coming/merged@11111111.json": "2",
            "same.json": "1",
        }


@pytest.mark.parametrize(
    ("target", "says"),
    [
        ("/proc/self/mem", "baselines/own.json leads outside"),
        ("../.git/HEAD", "baselines/own.json is git's own"),
        ("own.json", ""),
    ],
)
def test_baselines_that_are_links(hub: Hub, github: Repository, tmp_path: Path, target: str, says: str) -> None:
    """A link to the machine's files or to git's is refused in one line, and one that leads nowhere is no baseline."""
    hub.repository.push("main", {"baselines/own.json": "1"})
    hub.repository.check_out(hub.repository.tip.sha, tmp_path / "work")
    file = tmp_path / "work/baselines/own.json"
    file.unlink()
    file.symlink_to(target)
    comparison = Comparison(hub.repository.tip.sha, hub.repository.tip.sha, frozenset({"baselines/own.json"}))
    (tmp_path / "into").mkdir()
    with pytest.raises(UsageError, match=says) if says else nullcontext():
        standing.lay_out(
            "baselines",
            workspace=tmp_path / "work",
            branch="main",
            comparison=comparison,
            github=github,
            into=tmp_path / "into",
        )
    assert not (tmp_path / "into/own.json").exists()


def test_which_commit_is_checked_out(hub: Hub, tmp_path: Path) -> None:
    """HEAD where it is detached, else the event's commit; and an empty workspace is told."""
    told = settings(environment(hub, tmp_path, GITHUB_SHA="e" * 40))
    told = told.model_copy(update={"workspace": tmp_path / "work"})
    with pytest.raises(UsageError, match="is empty: put `uses: actions/checkout"):
        checked_out(told)
    hub.repository.check_out(hub.repository.tip.sha, told.workspace)
    assert checked_out(told) == hub.repository.tip.sha
    for head in ("ref: refs/heads/main\n", "../../etc\n", ""):
        (told.workspace / ".git" / "HEAD").write_text(head)
        assert checked_out(told) == "e" * 40


def test_ids_are_gits() -> None:
    """`printf hello | git hash-object --stdin`."""
    assert blob_id(b"hello") == "b6fc4c620b67d95f953a5c1c1230aaab5db5a1b0"
