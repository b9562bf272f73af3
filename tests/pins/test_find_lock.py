"""Which lock file is a project's."""

import os
from pathlib import Path

import pytest

from failsame.errors import UsageError
from failsame.pins import Tree, find_lock, read_lock


def test_precedence(tmp_path: Path) -> None:
    """uv.lock wins over pylock.toml, which wins over requirements.txt."""
    for name in ("requirements.txt", "pylock.toml", "uv.lock"):
        (tmp_path / name).touch()
        assert find_lock(tmp_path).name == name


def test_none(tmp_path: Path) -> None:
    """Without a lock file the message says which there might be, and how to make one."""
    with pytest.raises(UsageError, match=r"no lock file \(uv.lock, pylock.toml, requirements.txt\): make one"):
        find_lock(tmp_path)


@pytest.mark.parametrize("name", ["poetry.lock", "Pipfile.lock", "pdm.lock"])
def test_another_tools_lock_file(tmp_path: Path, name: str) -> None:
    """A lock file of another tool is named, with the command that makes one of ours, found or given by name."""
    (tmp_path / name).touch()
    with pytest.raises(UsageError, match=rf"{name}, which failsame does not read: keep one made by `p\w+ "):
        find_lock(tmp_path)
    with pytest.raises(UsageError, match=rf"{name} is no lock file that failsame reads: make one with `p\w+ "):
        read_lock(Tree(tmp_path), name)


def test_what_is_no_file(tmp_path: Path) -> None:
    """A folder, a pipe that nobody writes to, a loop of links and a missing file end in a message, none in a hang."""
    (tmp_path / "folder.txt").mkdir()
    os.mkfifo(tmp_path / "pipe.txt")
    (tmp_path / "loop.txt").symlink_to("loop.txt")
    for name, said in {
        "folder.txt": "folder.txt is not a file",
        "pipe.txt": "pipe.txt is not a file",
        "loop.txt": "loop.txt cannot be read",
        "gone.txt": "gone.txt is not there",
        "six==1": "is no lock file that failsame reads",
    }.items():
        with pytest.raises(UsageError, match=said):
            read_lock(Tree(tmp_path), name)
