"""Environments are built once, whole or not at all."""

import os
import subprocess
import sys
import threading
from pathlib import Path

import pytest

from failsame.environments.cache import build_once, cache_folder, digest


def whole(made: Path) -> bool:
    return (made / "whole").exists()


def build(made: Path) -> None:
    (made / "whole").touch()


def test_where_the_cache_is() -> None:
    """FAILSAME_CACHE, else the user's cache folder by the XDG specification, which ignores relative paths."""
    assert cache_folder({"FAILSAME_CACHE": "/c", "XDG_CACHE_HOME": "/x"}) == Path("/c")
    assert cache_folder({"XDG_CACHE_HOME": "/x", "HOME": "/h"}) == Path("/x/failsame")
    assert cache_folder({"XDG_CACHE_HOME": "x", "HOME": "/h"}) == Path("/h/.cache/failsame")


def test_the_key_is_the_content() -> None:
    """Any content, name or setting changes the key; the order of settings does not."""
    keys = {
        digest({"a": 1, "b": 2}, {"x": b"1"}),
        digest({"b": 2, "a": 1}, {"x": b"1"}),
        digest({"a": 1, "b": 3}, {"x": b"1"}),
        digest({"a": 1, "b": 2}, {"x": b"2"}),
        digest({"a": 1, "b": 2}, {"y": b"1"}),
    }
    assert len(keys) == 4


def test_built_once(tmp_path: Path) -> None:
    """The second time nothing is built."""
    made = build_once(tmp_path, "key", build, whole)
    assert build_once(tmp_path, "key", lambda _: pytest.fail("built again"), whole) == made == tmp_path / "key"


def test_a_failed_build_leaves_nothing(tmp_path: Path) -> None:
    """An error, or an interrupt, takes the unfinished folder with it."""

    def fail(made: Path) -> None:
        (made / "half").touch()
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        build_once(tmp_path, "key", fail, whole)
    assert not list(tmp_path.iterdir())


def test_a_killed_build_is_not_taken_for_whole(tmp_path: Path) -> None:
    """What a killed process left is neither used nor in the way, and goes after a day."""
    program = (
        "import os, sys; from pathlib import Path; from failsame.environments.cache import build_once\n"
        "def build(made):\n"
        "    (made / 'whole').touch(); os.kill(os.getpid(), 9)\n"
        "build_once(Path(sys.argv[1]), 'key', build, lambda made: (made / 'whole').exists())\n"
    )
    done = subprocess.run((sys.executable, "-c", program, tmp_path), check=False)
    assert done.returncode == -9
    (left,) = tmp_path.iterdir()
    assert left.name.startswith(".building-")
    build_once(tmp_path, "key", build, whole)
    assert left.exists()
    os.utime(left, (0, 0))
    build_once(tmp_path, "other", build, whole)
    assert {each.name for each in tmp_path.iterdir()} == {"key", "other"}


def test_two_builds_at_once(tmp_path: Path) -> None:
    """Of two that build the same at the same time both get the one finished folder."""
    both = threading.Barrier(2)
    found: list[Path] = []

    def slow(made: Path) -> None:
        both.wait(timeout=30)  # both are at work before either is done
        build(made)

    threads = [
        threading.Thread(target=lambda: found.append(build_once(tmp_path, "key", slow, whole))) for _ in range(2)
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(timeout=30)
    assert found == [tmp_path / "key"] * 2
    assert [each.name for each in tmp_path.iterdir()] == ["key"]


def test_one_that_is_no_longer_usable(tmp_path: Path) -> None:
    """An environment whose Python is gone is built again in its place."""
    made = build_once(tmp_path, "key", build, whole)
    (made / "whole").unlink()
    assert whole(build_once(tmp_path, "key", build, whole))
    assert [each.name for each in tmp_path.iterdir()] == ["key"]
