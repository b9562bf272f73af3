"""Lock files at a git revision, and the revision to compare with."""

import os
import subprocess
from pathlib import Path

import pytest

from failsame.errors import UsageError
from failsame.pins import Repository, read_lock


def git(folder: Path, *arguments: str) -> str:
    identity = {
        "GIT_AUTHOR_NAME": "a",
        "GIT_AUTHOR_EMAIL": "a@b",
        "GIT_COMMITTER_NAME": "a",
        "GIT_COMMITTER_EMAIL": "a@b",
    }
    done = subprocess.run(
        ("git", "-C", folder, "-c", "protocol.file.allow=always", *arguments),
        env={**os.environ, **identity},
        check=True,
        capture_output=True,
        text=True,
    )
    return done.stdout.strip()


def commit(folder: Path, message: str, **files: str) -> str:
    for name, text in files.items():
        path = folder / f"{name}.txt"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    git(folder, "add", "-A")
    git(folder, "commit", "-qm", message)
    return git(folder, "rev-parse", "HEAD")


@pytest.fixture
def repository(tmp_path: Path) -> Path:
    folder = tmp_path / "repository"
    folder.mkdir()
    git(folder, "init", "-q", "-b", "main")
    commit(folder, "one", requirements="-r base.txt\nsix==1.16.0\n", base="idna==3.9\n")
    return folder


def test_a_lock_file_and_its_includes_at_a_revision(repository: Path) -> None:
    """The old file is read with the old includes, whatever the working tree holds."""
    commit(repository, "two", requirements="six==1.17.0\n", base="idna==3.10\n")
    files = Repository.around(repository).files("HEAD~1")
    pins = read_lock(files, "requirements.txt").pins
    assert {name: held[0].version for name, held in pins.items()} == {"six": "1.16.0", "idna": "3.9"}


def test_links_within_and_out_of_a_revision(repository: Path) -> None:
    """A link within the commit is followed, one that leads out is refused, one to nowhere is no file."""
    (repository / "inside.txt").symlink_to("requirements.txt")
    (repository / "outside.txt").symlink_to("../secret.txt")
    (repository / "nowhere.txt").symlink_to("gone.txt")
    (repository / "loop.txt").symlink_to("loop.txt")
    commit(repository, "links", **{"folder/requirements": "six==1.17.0\n"})
    files = Repository.around(repository).files("HEAD")
    assert "six" in read_lock(files, "inside.txt").pins
    for name, said in {
        "outside.txt": r"outside\.txt \(at [0-9a-f]{8}\) leads outside",
        "nowhere.txt": "is not there",
        "loop.txt": "is a link to itself",
        "folder.txt": "is not there",
    }.items():
        with pytest.raises(UsageError, match=said):
            read_lock(files, name)
    assert files.read("folder\nHEAD:requirements.txt") is None
    with pytest.raises(UsageError, match="is not a file"):
        files.read("folder")


def test_a_file_too_large_at_a_revision(repository: Path) -> None:
    """The size is asked for before the content."""
    with (repository / "requirements.txt").open("wb") as file:
        file.truncate(20_000_001)
    commit(repository, "huge")
    with pytest.raises(UsageError, match="larger than 20 MB"):
        read_lock(Repository.around(repository).files("HEAD"), "requirements.txt")


@pytest.mark.parametrize("revision", ["gone", "--output=/tmp/x", "-h", "", "HEAD\nHEAD", "HEAD:requirements.txt"])
def test_an_unknown_revision(repository: Path, revision: str) -> None:
    """What is no commit, or might be an option, is refused with a remedy."""
    with pytest.raises(UsageError, match="--old-lock") as caught:
        Repository.around(repository).commit(revision)
    assert str(caught.value).isprintable()


def test_nothing_committed_yet(tmp_path: Path) -> None:
    """A repository without a commit has nothing to compare with: the remedy comes first."""
    subprocess.run(["git", "init", "-q", tmp_path], check=True)
    with pytest.raises(UsageError, match=r"nothing is committed in .* yet: commit first, or name the old file"):
        Repository.around(tmp_path).commit("HEAD")


def test_no_repository(tmp_path: Path) -> None:
    """A folder without git names the other way."""
    with pytest.raises(UsageError, match=r"is in no git repository .* --old-lock"):
        Repository.around(tmp_path)


def test_no_git(repository: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Without the program the message says so."""
    monkeypatch.setenv("PATH", "/nonexistent")
    with pytest.raises(UsageError, match="git is not installed"):
        Repository.around(repository)


def test_a_hooks_variables_do_not_mislead(repository: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Within a git hook of another repository the question still goes to this one."""
    monkeypatch.setenv("GIT_DIR", str(tmp_path / "elsewhere"))
    assert Repository.around(repository).root == repository


def test_the_merge_base(repository: Path) -> None:
    """The commit at which the branch left main, though both went on; on main itself its head."""
    base = git(repository, "rev-parse", "HEAD")
    git(repository, "checkout", "-qb", "upgrade")
    commit(repository, "upgrade", requirements="six==1.17.0\n")
    git(repository, "checkout", "-q", "main")
    head = commit(repository, "other", other="x")
    assert Repository.around(repository).merge_base() == head
    git(repository, "checkout", "-q", "upgrade")
    assert Repository.around(repository).merge_base() == base


def test_the_merge_base_with_the_remotes_default_branch(repository: Path, tmp_path: Path) -> None:
    """origin/HEAD says which branch is the default one, whatever its name."""
    git(repository, "branch", "-m", "main", "trunk")
    base = git(repository, "rev-parse", "HEAD")
    clone = tmp_path / "clone"
    git(tmp_path, "clone", "-q", str(repository), str(clone))
    git(clone, "checkout", "-qb", "upgrade")
    commit(clone, "upgrade", requirements="six==1.17.0\n")
    assert Repository.around(clone).merge_base() == base


def test_a_shallow_clone(repository: Path, tmp_path: Path) -> None:
    """A clone too shallow for the merge base names fetch-depth and the other ways."""
    git(repository, "checkout", "-qb", "upgrade")
    commit(repository, "upgrade", requirements="six==1.17.0\n")
    git(repository, "checkout", "-q", "main")
    commit(repository, "other", other="x")
    clone = tmp_path / "clone"
    git(tmp_path, "clone", "-q", "--depth", "1", "--no-single-branch", f"file://{repository}", str(clone))
    git(clone, "checkout", "-q", "upgrade")
    with pytest.raises(UsageError, match=r"no merge base .*fetch-depth: 0.*--base.*--old-lock"):
        Repository.around(clone).merge_base()
    with pytest.raises(UsageError, match=r"shallow clone; .*fetch-depth: 0"):
        Repository.around(clone).commit("HEAD~1")


def test_paths_within_the_repository(repository: Path, tmp_path: Path) -> None:
    """A file is known to revisions by its path from the root; one outside is refused."""
    here = Repository.around(repository)
    assert here.path_of(repository / "services" / ".." / "requirements.txt") == "requirements.txt"
    with pytest.raises(UsageError, match="is outside the repository"):
        here.path_of(tmp_path / "requirements.txt")
