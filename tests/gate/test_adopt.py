"""What `init` finds in a repository, and the configuration that it makes of it."""

import shutil
from pathlib import Path

import pytest

from failsame.config.reading import parse_config
from failsame.errors import UsageError
from failsame.gate import Options, configuration, find_sdks, plan

FIXTURES = Path(__file__).parents[2] / "fixtures"
HTTPX = "h11==0.16.0\nhttpx==0.28.1\n    # via -r requirements.in\n"


def test_both_languages(tmp_path: Path) -> None:
    """SDKs that are required directly are found with their versions, in the parts of a large repository too."""
    (tmp_path / "requirements.txt").write_text(HTTPX)
    for part in ("services/api", "services/web", "services/api/node_modules/lost"):
        (tmp_path / part).mkdir(parents=True)
        for name in ("package.json", "package-lock.json"):
            shutil.copy(FIXTURES / "node-batch" / name, tmp_path / part)
    found = find_sdks(tmp_path)
    assert [(each.name, each.builtin, each.lock) for each in found] == [
        ("httpx", "httpx", "requirements.txt"),
        ("aws-sdk-s3", "aws-sdk-s3", "services/api/package-lock.json"),
        ("services-web-aws-sdk-s3", "aws-sdk-s3", "services/web/package-lock.json"),
    ]


def test_the_configuration_is_one(tmp_path: Path) -> None:
    """What is written is read again, and leads to the subjects that were found, each with its own lock file."""
    (tmp_path / "requirements.txt").write_text(HTTPX)
    (tmp_path / "web").mkdir()
    for name in ("package.json", "package-lock.json"):
        shutil.copy(FIXTURES / "node-batch" / name, tmp_path / "web")
    found = find_sdks(tmp_path)
    text = configuration(found)
    assert [section.called for section in parse_config(text.encode(), "it").config.subjects] == ["httpx", "aws-sdk-s3"]
    assert "httpx 0.28.1 in requirements.txt" in text
    (tmp_path / "failsame.yml").write_text(text)
    planned = plan(Options(folder=tmp_path))
    assert [(each.name, each.lock.relative_to(tmp_path).as_posix()) for each in planned.subjects] == [
        (each.name, each.lock) for each in found
    ]


def test_no_lock_file(tmp_path: Path) -> None:
    """A repository without a lock file is told to make one."""
    with pytest.raises(UsageError, match=r"no lock file \(.*uv\.lock.*\): make one"):
        find_sdks(tmp_path)
