"""Finds a project's lock file and reads it by the reader for its kind."""

from collections.abc import Callable
from pathlib import Path, PurePosixPath

from failsame.errors import UsageError
from failsame.pins.files import Files
from failsame.pins.model import LockKind, Pins
from failsame.pins.pylock import read_pylock
from failsame.pins.quoting import shown
from failsame.pins.requirements import read_requirements
from failsame.pins.uv import read_uv

# In this order: a uv.lock is the source of the others where a project keeps several.
_NAMES = ("uv.lock", "pylock.toml", "requirements.txt")

# Lock files of other tools, and how each writes one that failsame reads.
_FOREIGN = {
    "poetry.lock": "poetry export -o requirements.txt",
    "Pipfile.lock": "pipenv requirements --hash > requirements.txt",
    "pdm.lock": "pdm export -o requirements.txt",
}

_READERS: dict[LockKind, Callable[[Files, str], Pins]] = {
    "uv": read_uv,
    "pylock": read_pylock,
    "requirements": read_requirements,
}

_KINDS: dict[str, LockKind] = {".lock": "uv", ".toml": "pylock", ".txt": "requirements"}


def find_lock(root: Path) -> Path:
    """Find the lock file of the project in a folder: uv.lock, else pylock.toml, else requirements.txt."""
    for name in _NAMES:
        if (root / name).is_file():
            return root / name
    for name, command in _FOREIGN.items():
        if (root / name).is_file():
            raise UsageError(
                f"{root} has no lock file but {name}, which failsame does not read: keep one made by `{command}`"
            )
    raise UsageError(
        f"{root} has no lock file ({', '.join(_NAMES)}): make one, for example with `uv lock`, "
        "or name it with `lock:` or --lock"
    )


def read_lock(files: Files, path: str) -> Pins:
    """Read a lock file of any kind; one clear UsageError for every text that is none."""
    name = PurePosixPath(path)
    kind = _KINDS.get(name.suffix)
    if kind is None or name.name in _FOREIGN:
        remedy = f"make one with `{_FOREIGN[name.name]}`" if name.name in _FOREIGN else f"use {', '.join(_NAMES)}"
        raise UsageError(f"{shown(path)} is no lock file that failsame reads: {remedy}")
    return _READERS[kind](files, path)
