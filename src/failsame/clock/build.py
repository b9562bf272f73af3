"""Compile what is written in C: `python -m failsame.clock`, and the package's own build (hatch_build.py).

Nothing but the standard library is imported here, since the build of the package has nothing else.
"""

import os
import platform
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import NamedTuple

PACKAGE = Path(__file__).parents[1]

NATIVE = Path("clock/native")
SHIM = NATIVE / "build/libfailsame_clock.so"
ARBITER = NATIVE / "build/failsame-arbiter"
HARNESS = NATIVE / "build/libfailsame_harness.so"
FORKS = Path("probes/node/native/build/forks.node")

_FLAGS = ("-std=gnu11", "-O2", "-Wall", "-Wextra", "-fvisibility=hidden", "-fno-strict-aliasing")
# Programs of another libc load our libraries too: it may have no checked variants of its functions.
_LIBRARY = ("-shared", "-fPIC", "-U_FORTIFY_SOURCE")
_LIBRARIES = ("-ldl", "-lpthread", "-lrt")
_COMPILERS = ("cc", "gcc", "clang")
_ARCHITECTURES = ("x86_64", "aarch64")


class BuildError(Exception):
    """The native parts cannot be compiled here: in one line, why."""


class Part(NamedTuple):
    """What is compiled into one file, with paths within the package."""

    name: str
    built: Path
    sources: tuple[str, ...]
    """As patterns; headers are part of them."""
    flags: tuple[str, ...] = ()

    def files(self) -> list[Path]:
        """All files that it is compiled from, headers included."""
        return sorted(path for pattern in self.sources for path in PACKAGE.glob(pattern))

    def is_current(self, built: Path) -> bool:
        """Whether `built` exists and is newer than everything it is compiled from."""
        return built.exists() and all(source.stat().st_mtime <= built.stat().st_mtime for source in self.files())


PARTS = (
    Part(
        "shim",
        SHIM,
        (f"{NATIVE}/shim/*.[ch]", f"{NATIVE}/world.h"),
        (*_LIBRARY, "-Wl,-z,defs", "-Wl,-z,nodelete", *_LIBRARIES),
    ),
    Part("arbiter", ARBITER, (f"{NATIVE}/arbiter/*.[ch]", f"{NATIVE}/world.h"), _LIBRARIES),
    Part("harness", HARNESS, (f"{NATIVE}/harness/*.[ch]",), _LIBRARY),
    # Node itself has the functions that it lacks when it is linked.
    Part("forks", FORKS, ("probes/node/native/*.[ch]",), (*_LIBRARY, *_LIBRARIES)),
)


def build(package: Path = PACKAGE) -> tuple[Path, ...]:
    """Compile what is missing or stale into the folder of a package, and return the paths of all parts.

    Raises BuildError without Linux, glibc, a known architecture or a compiler, or when compiling fails.
    """
    missing = [part for part in PARTS if not part.is_current(package / part.built)]
    if missing:
        compiler = _compiler()
        for part in missing:
            _compile(compiler, part, package / part.built)
    return tuple(package / part.built for part in PARTS)


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


def _compile(compiler: str, part: Part, built: Path) -> None:
    """Into a temporary file first: another process may be starting the old one, or compiling too."""
    files = [str(source) for source in part.files() if source.suffix == ".c"]
    try:
        built.parent.mkdir(parents=True, exist_ok=True)
        handle, name = tempfile.mkstemp(dir=built.parent, prefix=built.name)
    except OSError as error:
        raise BuildError(f"{built.parent} cannot be written: {error.strerror}") from None
    os.close(handle)
    try:
        command = [*compiler.split(), *_FLAGS, "-o", name, *files, *part.flags]
        run = subprocess.run(command, capture_output=True, text=True, check=False)
        if run.returncode != 0:
            lines = [line for line in run.stderr.splitlines() if "error" in line] or run.stderr.splitlines() or ["?"]
            raise BuildError(f"{compiler} failed on the {part.name}: {lines[0]}")
        Path(name).chmod(0o755)
        Path(name).replace(built)
    except FileNotFoundError:
        raise BuildError(f"the C compiler {compiler} (from CC) does not exist") from None
    except OSError as error:
        raise BuildError(f"{built.parent} cannot be written: {error.strerror}") from None
    finally:
        Path(name).unlink(missing_ok=True)
