"""Compile the shim and the arbiter: `python -m failsame.clock`, and the package's own build (hatch_build.py).

Nothing but the standard library is imported here, since the build of the package has nothing else.
"""

import os
import platform
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

NATIVE = Path(__file__).parent / "native"
SHIM = "libfailsame_clock.so"
ARBITER = "failsame-arbiter"

_FLAGS = ("-std=gnu11", "-O2", "-Wall", "-Wextra", "-fvisibility=hidden", "-fno-strict-aliasing")
_SHIM_FLAGS = ("-shared", "-fPIC", "-Wl,-z,defs", "-Wl,-z,nodelete")
_LIBRARIES = ("-ldl", "-lpthread", "-lrt")
_COMPILERS = ("cc", "gcc", "clang")
_ARCHITECTURES = ("x86_64", "aarch64")


class BuildError(Exception):
    """The native parts cannot be compiled here: in one line, why."""


def sources(part: str) -> list[Path]:
    """All files that `part` (`shim` or `arbiter`) is compiled from, headers included."""
    return sorted([*(NATIVE / part).glob("*.[ch]"), NATIVE / "world.h"])


def is_current(built: Path, part: str) -> bool:
    """Whether `built` exists and is newer than everything it is compiled from."""
    return built.exists() and all(source.stat().st_mtime <= built.stat().st_mtime for source in sources(part))


def build(target: Path = NATIVE / "build") -> tuple[Path, Path]:
    """Compile what is missing or stale into `target` and return the paths of the shim and of the arbiter.

    Raises BuildError without Linux, glibc, a known architecture or a compiler, or when compiling fails.
    """
    shim, arbiter = target / SHIM, target / ARBITER
    if is_current(shim, "shim") and is_current(arbiter, "arbiter"):
        return shim, arbiter
    compiler = _compiler()
    try:
        target.mkdir(parents=True, exist_ok=True)
        _compile(compiler, "shim", _SHIM_FLAGS, shim)
        _compile(compiler, "arbiter", (), arbiter)
    except OSError as error:
        raise BuildError(f"{target} cannot be written: {error.strerror}") from None
    return shim, arbiter


def _compiler() -> str:
    if sys.platform != "linux" or platform.machine() not in _ARCHITECTURES:
        raise BuildError(
            f"time can be skipped on Linux on x86-64 and aarch64, not on {sys.platform} {platform.machine()}"
        )
    if platform.libc_ver()[0] != "glibc":
        raise BuildError("time can be skipped with glibc only")
    named = os.environ.get("CC")
    found = named or next((name for name in _COMPILERS if shutil.which(name)), None)
    if found is None:
        raise BuildError("there is no C compiler (cc, gcc or clang)")
    return found


def _compile(compiler: str, part: str, flags: tuple[str, ...], built: Path) -> None:
    """Into a temporary file first: another process may be starting the old one, or compiling too."""
    files = [str(source) for source in sources(part) if source.suffix == ".c"]
    handle, name = tempfile.mkstemp(dir=built.parent, prefix=built.name)
    os.close(handle)
    try:
        command = [*compiler.split(), *_FLAGS, *flags, "-o", name, *files, *_LIBRARIES]
        run = subprocess.run(command, capture_output=True, text=True, check=False)
        if run.returncode != 0:
            lines = [line for line in run.stderr.splitlines() if "error" in line] or run.stderr.splitlines() or ["?"]
            raise BuildError(f"{compiler} failed on the {part}: {lines[0]}")
        Path(name).chmod(0o755)
        Path(name).replace(built)
    except FileNotFoundError:
        raise BuildError(f"the C compiler {compiler} (from CC) does not exist") from None
    finally:
        Path(name).unlink(missing_ok=True)
