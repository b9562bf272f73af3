"""Which lock file is a project's."""

import os
from pathlib import Path

import pytest

from failsame.errors import UsageError
from failsame.language import Language
from failsame.pins import LOCK_NAMES, Tree, find_lock, lock_language, read_lock


@pytest.mark.parametrize("language", LOCK_NAMES)
def test_precedence(tmp_path: Path, language: Language) -> None:
    """Of each language's lock files the first counts: uv.lock, npm-shrinkwrap.json; the others' are not seen."""
    for name in reversed(LOCK_NAMES[language]):
        (tmp_path / name).touch()
        assert find_lock(tmp_path, language) == tmp_path / name
    for other in set(LOCK_NAMES) - {language}:
        assert find_lock(tmp_path, other) is None


def test_none(tmp_path: Path) -> None:
    """A folder without a lock file is no error, so that the search may go on above it."""
    assert find_lock(tmp_path, "python") is None


@pytest.mark.parametrize(
    ("language", "name", "command"),
    [
        ("python", "poetry.lock", "poetry export"),
        ("python", "Pipfile.lock", "pipenv requirements"),
        ("python", "pdm.lock", "pdm export"),
        ("node", "bun.lock", "npm install --package-lock-only"),
        ("node", "bun.lockb", "npm install --package-lock-only"),
    ],
)
def test_another_tools_lock_file(tmp_path: Path, language: Language, name: str, command: str) -> None:
    """A lock file of another tool is named, with the command that makes one of ours, found or given by name."""
    (tmp_path / name).touch()
    with pytest.raises(UsageError, match=rf"{name}, which failsame does not read: keep one made by `{command}"):
        find_lock(tmp_path, language)
    with pytest.raises(UsageError, match=rf"{name} is no lock file that failsame reads: make one with `{command}"):
        read_lock(Tree(tmp_path), name)


@pytest.mark.parametrize(
    ("name", "text", "language"),
    [
        ("old.txt", "six==1.17.0", "python"),
        ("old.lock", "version = 1\n", "python"),
        ("old.lock", "# yarn lockfile v1\n\n", "node"),
        ("old.lock", "__metadata:\n  version: 8\n", "node"),
        ("old.json", "{}", "node"),
        ("old.yaml", "", "node"),
    ],
)
def test_a_lock_file_under_any_name(tmp_path: Path, name: str, text: str, language: Language) -> None:
    """One that was put aside is told by its suffix, and of the two `.lock` files by its text."""
    (tmp_path / name).write_text(text)
    assert lock_language(Tree(tmp_path), name) == language


def test_what_is_no_file(tmp_path: Path) -> None:
    """A folder, a pipe that nobody writes to, a loop of links and a missing file end in a message, none in a hang."""
    (tmp_path / "folder.txt").mkdir()
    os.mkfifo(tmp_path / "pipe.json")
    (tmp_path / "loop.lock").symlink_to("loop.lock")
    for name, said in {
        "folder.txt": "folder.txt is not a file",
        "pipe.json": "pipe.json is not a file",
        "loop.lock": "loop.lock cannot be read",
        "gone.yaml": "gone.yaml is not there",
        "six==1": "is no lock file that failsame reads",
    }.items():
        with pytest.raises(UsageError, match=said):
            read_lock(Tree(tmp_path), name)
