"""Where the configuration is looked for."""

from pathlib import Path

import pytest

from failsame.errors import UsageError
from failsame.gate import Options, plan


@pytest.mark.parametrize("place", ["failsame.yml", ".github/failsame.yml"])
def test_from_a_folder_below(place: str, tmp_path: Path) -> None:
    """Run below the configuration, failsame says where to run instead of passing it over."""
    (tmp_path / ".git").mkdir()
    (tmp_path / place).parent.mkdir(exist_ok=True)
    (tmp_path / place).write_text("version: 1\n")
    below = tmp_path / "services/orders"
    below.mkdir(parents=True)
    (below / "requirements.txt").write_text("six==1.17.0\n")
    with pytest.raises(UsageError, match=f"{place} is the configuration of this project: run failsame in {tmp_path}$"):
        plan(Options(folder=below))


def test_not_above_the_repository(tmp_path: Path) -> None:
    """A configuration above the repository belongs to another project."""
    (tmp_path / "failsame.yml").write_text("version: 1\n")
    repository = tmp_path / "inner"
    (repository / ".git").mkdir(parents=True)
    (repository / "requirements.txt").write_text("six==1.17.0\n")
    assert plan(Options(folder=repository)).subjects == ()
