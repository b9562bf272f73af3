"""pylock.toml: what is pinned, on which line; and what is refused."""

from pathlib import Path

import pytest

from failsame.errors import UsageError
from failsame.pins import Pins, Tree, direct_requirements, read_lock

LOCK = """\
lock-version = "1.0"
created-by = "uv"
requires-python = ">=3.11"

[[packages]]
name = "boto3"
version = "1.44.8"
wheels = [{ url = "https://example.com/boto3-1.44.8-py3-none-any.whl", hashes = { sha256 = "aa" } }]

[[packages]]
name = "botocore"
wheels = [{ url = "https://example.com/botocore-1.44.8-py3-none-any.whl", hashes = { sha256 = "aa" } }]
version = "1.44.8"
"""
GIT = """
[[packages]]
name = "a"
vcs = { type = "git", url = "https://example.com/a", commit-id = "1" }
"""
DEPENDENCIES = LOCK.replace('name = "boto3"\n', 'name = "boto3"\ndependencies = [{ name = "botocore" }]\n')


def read(root: Path, text: str) -> Pins:
    (root / "pylock.toml").write_text(text, encoding="utf-8")
    return read_lock(Tree(root), "pylock.toml")


def test_lines(tmp_path: Path) -> None:
    """A pin stands on the line of its version, wherever in its table that is; who required it is not told."""
    pins = read(tmp_path, LOCK)
    assert [(pin.package, pin.line, pin.direct) for held in pins.pins.values() for pin in held] == [
        ("boto3", 7, None),
        ("botocore", 13, None),
    ]
    assert pins.requires_python == ">=3.11"
    assert direct_requirements(pins) == {"boto3", "botocore"}


def test_dependencies_where_they_are_told(tmp_path: Path) -> None:
    """Where the file has dependencies, what no other package requires counts as direct."""
    pins = read(tmp_path, DEPENDENCIES)
    assert pins.pins["botocore"][0].required_by == ("boto3",)
    assert direct_requirements(pins) == {"boto3"}


def test_the_project_itself(tmp_path: Path) -> None:
    """A package that is a folder is the project, and what it requires is direct."""
    own = '\n[[packages]]\nname = "app"\ndirectory = { path = "." }\ndependencies = [{ name = "botocore" }]\n'
    pins = read(tmp_path, DEPENDENCIES + own)
    assert set(pins.pins) == {"boto3", "botocore"}
    assert direct_requirements(pins) == {"botocore"}


@pytest.mark.parametrize(
    ("text", "said"),
    [
        (LOCK[:-5], "pylock.toml is cut off or no TOML"),
        (LOCK.replace('"1.0"', '"1.1"'), "pylock.toml says lock-version '1.1', and failsame reads 1.0"),
        (LOCK.replace('lock-version = "1.0"\n', ""), "pylock.toml says lock-version None"),
        (LOCK.replace('created-by = "uv"\n', ""), "pylock.toml does not keep to the pylock format"),
        (LOCK.replace('"boto3"', '"Boto3"'), "not normalized"),
        ('lock-version = "1.0"\ncreated-by = "x"\npackages = 3\n', "pylock.toml does not keep to the pylock format"),
        (LOCK + GIT, "pylock.toml line 15: a has no version"),
    ],
)
def test_what_is_refused(tmp_path: Path, text: str, said: str) -> None:
    """What is cut off, of another version, or against the specification, is one clear line."""
    with pytest.raises(UsageError) as caught:
        read(tmp_path, text)
    assert said in str(caught.value)
    assert str(caught.value).isprintable()
