"""The native parts are built with the package, and where they cannot be, everything else is."""

import ctypes
import os
import shutil
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

from failsame.clock.build import PARTS, BuildError, build
from failsame.clock.native import CannotSkipError, find

ROOT = Path(__file__).parents[2]
AARCH64 = "aarch64-linux-gnu-gcc"


def built_wheel(tmp_path: Path, **variables: str) -> Path:
    """A wheel made from a copy of the sources."""
    copy = tmp_path / "copy"
    ignored = shutil.ignore_patterns("build", "__pycache__")
    for folder in ("src", "fixtures", "examples"):
        shutil.copytree(ROOT / folder, copy / folder, ignore=ignored)
    for name in ("pyproject.toml", "hatch_build.py", "README.md"):
        shutil.copy(ROOT / name, copy / name)
    command = [sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", str(tmp_path / "dist")]
    subprocess.run(command, cwd=copy, env={**os.environ, **variables}, check=True, capture_output=True)
    (wheel,) = (tmp_path / "dist").iterdir()
    return wheel


def native_files(wheel: Path) -> list[str]:
    with zipfile.ZipFile(wheel) as archive:
        return sorted(name for name in archive.namelist() if "/native/build/" in name)


def test_a_wheel_holds_the_native_parts(tmp_path: Path) -> None:
    """With a compiler: all parts are in it, and its name says that it is for one platform; demo and workflows too."""
    wheel = built_wheel(tmp_path)
    assert native_files(wheel) == sorted(f"failsame/{part.built}" for part in PARTS)
    assert "-py3-none-linux_" in wheel.name
    with zipfile.ZipFile(wheel) as archive:  # what `demo` and `init` need
        assert {"failsame/demo/requirements.txt", "failsame/workflows/simple.yml"} <= set(archive.namelist())


def test_a_wheel_without_a_compiler(tmp_path: Path) -> None:
    """Without one the package is built all the same, for any platform, and says at run time what is missing."""
    wheel = built_wheel(tmp_path, PATH="/nonexistent", CC="")
    assert native_files(wheel) == []
    assert wheel.name.endswith("-py3-none-any.whl")
    with pytest.raises(CannotSkipError, match=r"without its native parts .* `python -m failsame.clock`"):
        find(tmp_path)


@pytest.mark.parametrize(
    ("compiler", "says"), [("/no/such/compiler", "does not exist"), ("false", "failed on the shim")]
)
def test_a_compiler_that_does_not_work(
    compiler: str, says: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """CC that is not there, or fails: one line that names it, and nothing half-written."""
    monkeypatch.setenv("CC", compiler)
    with pytest.raises(BuildError, match=says):
        build(tmp_path)
    assert [path for path in tmp_path.rglob("*") if path.is_file()] == []


def test_only_what_is_stale_is_compiled(monkeypatch: pytest.MonkeyPatch) -> None:
    """A second build has nothing to do, so it needs no compiler."""
    built = build()
    monkeypatch.setenv("CC", "/no/such/compiler")
    assert build() == built


@pytest.mark.parametrize("compiler", ["gcc", "clang", AARCH64])
def test_the_code_compiles_without_a_warning(compiler: str) -> None:
    """For both architectures, and by whichever compilers are here."""
    if shutil.which(compiler) is None:
        pytest.skip(f"no {compiler} here")
    files = [path for part in PARTS for path in part.files() if path.suffix == ".c"]
    flags = ["-std=gnu11", "-O2", "-Wall", "-Wextra", "-Werror", "-fsyntax-only"]
    subprocess.run([compiler, *flags, *files], check=True)


def test_only_wrappers_are_visible() -> None:
    """The shim adds no name of its own to a program: what it exports are names of libc's."""
    listed = subprocess.run(
        ["nm", "-D", "--defined-only", find().shim], check=True, capture_output=True, text=True
    ).stdout
    exported = {line.split()[-1].split("@")[0] for line in listed.splitlines()}
    libraries = [ctypes.CDLL(name) for name in ("libc.so.6", "libpthread.so.0", "librt.so.1")]
    assert "clock_gettime" in exported
    assert [name for name in exported if not any(hasattr(library, name) for library in libraries)] == []
