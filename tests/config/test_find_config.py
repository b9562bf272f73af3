"""Where the configuration is, and what is said when it cannot be read."""

from pathlib import Path

import pytest

from failsame.config import find_config, read_config
from failsame.errors import UsageError


def written(repository: Path, name: str, text: str = "version: 1\n") -> Path:
    path = repository / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text)
    return path


def test_none_is_needed(tmp_path: Path) -> None:
    """A repository without a configuration, or with a folder of its name, has none."""
    (tmp_path / "failsame.yml").mkdir()
    assert find_config(tmp_path) is None


@pytest.mark.parametrize("name", [".github/failsame.yml", "failsame.yml"])
def test_either_place_is_found(tmp_path: Path, name: str) -> None:
    """The configuration stands in one of two places, and errors call it by its path from the repository."""
    path = written(tmp_path, name, "version: 1\nmod: warn\n")
    assert find_config(tmp_path) == path
    with pytest.raises(UsageError, match=f'^{name} line 2: unknown key "mod", did you mean "mode"'):
        read_config(path, tmp_path)


def test_two_are_one_too_many(tmp_path: Path) -> None:
    """With both files there is no telling which one is meant."""
    written(tmp_path, "failsame.yml")
    written(tmp_path, ".github/failsame.yml")
    with pytest.raises(UsageError, match=r"^both .github/failsame.yml and failsame.yml exist: keep one$"):
        find_config(tmp_path)


def test_one_from_elsewhere_keeps_its_whole_path(tmp_path: Path) -> None:
    """`--config` may name a file outside the repository."""
    path = written(tmp_path, "elsewhere/mine.yml", "version: 3\n")
    with pytest.raises(UsageError, match=f"^{path} line 1: version"):
        read_config(path, tmp_path / "repository")


def test_what_cannot_be_opened_is_a_usage_error(tmp_path: Path) -> None:
    """A missing file and a folder are named with the system's reason."""
    with pytest.raises(
        UsageError, match=r"^none.yml: cannot be read \(No such file or directory\): name another with --config$"
    ):
        read_config(tmp_path / "none.yml", tmp_path)
    with pytest.raises(UsageError, match=r"cannot be read \(Is a directory\)"):
        read_config(tmp_path, tmp_path)
