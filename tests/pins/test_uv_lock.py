"""uv.lock: what is pinned, on which line, by whom; and what is refused."""

from pathlib import Path

import pytest

from failsame.errors import UsageError
from failsame.pins import Pins, Tree, direct_requirements, read_lock
from failsame.pins.uv import own_folders

LOCK = """\
version = 1
revision = 5
requires-python = ">=3.11"

[manifest]
members = [
    "app",
    "lib",
]

[[package]]
name = "app"
version = "0.1.0"
source = { virtual = "." }
dependencies = [
    { name = "lib" },
    { name = "boto3" },
]

[package.dev-dependencies]
dev = [
    { name = "numpy", version = "2.1.0", source = { registry = "https://pypi.org/simple" } },
]

[[package]]
name = "boto3"
version = "1.44.8"
source = { registry = "https://pypi.org/simple" }
dependencies = [
    { name = "botocore" },
]

[[package]]
name = "botocore"
version = "1.44.8"
source = { registry = "https://pypi.org/simple" }

[[package]]
name = "lib"
version = "0.2.0"
source = { editable = "packages/lib" }

[package.optional-dependencies]
x = [
    { name = "numpy", version = "1.26.4", source = { registry = "https://pypi.org/simple" } },
]

[[package]]
name = "numpy"
version = "1.26.4"
source = { registry = "https://pypi.org/simple" }
resolution-markers = [
    "python_full_version < '3.12'",
]

[[package]]
name = "numpy"
version = "2.1.0"
source = { registry = "https://pypi.org/simple" }
"""


def read(root: Path, text: str) -> Pins:
    (root / "uv.lock").write_text(text, encoding="utf-8")
    return read_lock(Tree(root), "uv.lock")


def test_lines_and_requirers(tmp_path: Path) -> None:
    """A pin stands on the line of its version; what the workspace's packages require is direct."""
    pins = read(tmp_path, LOCK)
    assert [
        (pin.package, pin.version, pin.line, pin.direct, pin.required_by) for held in pins.pins.values() for pin in held
    ] == [
        ("boto3", "1.44.8", 27, True, ()),
        ("botocore", "1.44.8", 35, False, ("boto3",)),
        ("numpy", "1.26.4", 50, True, ()),
        ("numpy", "2.1.0", 58, True, ()),
    ]
    assert pins.requires_python == ">=3.11"
    assert direct_requirements(pins) == {"boto3", "numpy"}


def test_the_projects_own_folders(tmp_path: Path) -> None:
    """The workspace's packages are where the lock file says."""
    (tmp_path / "uv.lock").write_text(LOCK)
    assert own_folders(Tree(tmp_path), "uv.lock") == (".", "packages/lib")


def test_a_workspace_without_a_project(tmp_path: Path) -> None:
    """Requirements of groups and scripts stand in the manifest, and are direct."""
    text = LOCK.replace('members = [\n    "app",\n    "lib",\n]', 'requirements = [{ name = "botocore" }]')
    assert "botocore" in direct_requirements(read(tmp_path, text))


@pytest.mark.parametrize(
    ("text", "said"),
    [
        (LOCK[:-60], "uv.lock is cut off or no TOML"),
        (
            LOCK[: LOCK.index('[[package]]\nname = "lib"')],
            "uv.lock line 13: app requires lib, which is not in the file",
        ),
        (LOCK.replace("version = 1\n", "version = 2\n", 1), "uv.lock says version 2, and failsame reads version 1"),
        ("[tool]\n", "uv.lock says version None"),
        (LOCK.replace('"1.44.8"', '"latest"', 1), "uv.lock line 27: 'latest"),
        (LOCK.replace('"botocore"', '"boto core"'), "is no package name"),
        (LOCK.replace('version = "2.1.0"\nsource', "source"), "numpy has no version"),
        ("version = 1\npackage = 3\n", "uv.lock: package: "),
        ('version = 1\n[[package]]\nname = "a"\nversion = "1"\nsource = 3\n', "uv.lock: package.0.source: "),
        (
            'version = 1\npackage = [{name = "six", version = "1", source = {registry = "x"}}]\n',
            "not laid out one key a line",
        ),
        ("version = 1\na = " + "[" * 5000 + "]" * 5000, "nests or counts too far"),
        ("version = 1\na = " + "9" * 5000, "nests or counts too far"),
    ],
)
def test_what_is_refused(tmp_path: Path, text: str, said: str) -> None:
    """What is cut off, of another version, or not as uv writes it, is one clear line."""
    with pytest.raises(UsageError) as caught:
        read(tmp_path, text)
    assert said in str(caught.value)
    assert str(caught.value).isprintable()


def test_a_string_cannot_fake_a_line(tmp_path: Path) -> None:
    """A table inside a string of several lines is noticed, not counted."""
    fake = "note = '''\n[[package]]\nname = \"six\"\nversion = \"1\"\n'''\n"
    with pytest.raises(UsageError, match="not laid out one key a line"):
        read(tmp_path, LOCK.replace("revision = 5\n", f"revision = 5\n{fake}"))


def test_a_file_too_large(tmp_path: Path) -> None:
    """More than 20 MB are not even read."""
    with (tmp_path / "uv.lock").open("wb") as file:
        file.truncate(20_000_001)
    with pytest.raises(UsageError, match=r"uv\.lock is larger than 20 MB"):
        read_lock(Tree(tmp_path), "uv.lock")
