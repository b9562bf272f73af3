"""Finds a project's lock file and reads it by the reader for its kind."""

from collections.abc import Callable, Mapping
from pathlib import Path, PurePosixPath

from failsame.errors import UsageError
from failsame.language import Language
from failsame.pins.files import Files, read_text
from failsame.pins.model import LANGUAGES, LockKind, Pins
from failsame.pins.package_lock import read_package_lock
from failsame.pins.pnpm_lock import read_pnpm
from failsame.pins.pylock import read_pylock
from failsame.pins.quoting import shown
from failsame.pins.requirements import read_requirements
from failsame.pins.uv import read_uv
from failsame.pins.yarn_blocks import yarn_kind
from failsame.pins.yarn_lock import read_yarn

LOCK_NAMES: Mapping[Language, tuple[str, ...]] = {
    # A uv.lock is the source of the others where a project keeps several.
    "python": ("uv.lock", "pylock.toml", "requirements.txt"),
    # npm itself takes the first of its two; of several package managers one has been left behind, and `lock:` says so.
    "node": ("npm-shrinkwrap.json", "package-lock.json", "pnpm-lock.yaml", "yarn.lock"),
}
"""The lock files of each language, in the order in which they are looked for."""

LOCK_COMMANDS: Mapping[Language, str] = {"python": "uv lock", "node": "npm install --package-lock-only"}
"""A command that makes one, for each language."""

# Lock files of other tools, and how each writes one that failsame reads.
_FOREIGN: Mapping[Language, Mapping[str, str]] = {
    "python": {
        "poetry.lock": "poetry export -o requirements.txt",
        "Pipfile.lock": "pipenv requirements --hash > requirements.txt",
        "pdm.lock": "pdm export -o requirements.txt",
    },
    "node": {
        "bun.lock": "npm install --package-lock-only",
        "bun.lockb": "npm install --package-lock-only",
        "deno.lock": "npm install --package-lock-only",
    },
}

_READERS: Mapping[LockKind, Callable[[Files, str], Pins]] = {
    "uv": read_uv,
    "pylock": read_pylock,
    "requirements": read_requirements,
    "package-lock": read_package_lock,
    "pnpm": read_pnpm,
    "yarn": read_yarn,
    "yarn-berry": read_yarn,
}

_KINDS: Mapping[str, LockKind] = {
    ".toml": "pylock",
    ".txt": "requirements",
    ".json": "package-lock",
    ".yaml": "pnpm",
    ".yml": "pnpm",
}


def find_lock(root: Path, language: Language) -> Path | None:
    """Find the lock file of the project in a folder, the first of `LOCK_NAMES`; None if it has none.

    UsageError for a folder that has only one of another tool: a search upwards must not go past it.
    """
    for name in LOCK_NAMES[language]:
        if (root / name).is_file():
            return root / name
    for name, command in _FOREIGN[language].items():
        if (root / name).is_file():
            raise UsageError(
                f"{root} has no lock file but {name}, which failsame does not read: keep one made by `{command}`"
            )
    return None


def lock_language(files: Files, path: str) -> Language:
    """Whose packages a lock file pins; UsageError for what is no lock file."""
    return LANGUAGES[_kind(files, path)]


def read_lock(files: Files, path: str) -> Pins:
    """Read a lock file of any kind; one clear UsageError for every text that is none."""
    return _READERS[_kind(files, path)](files, path)


def _kind(files: Files, path: str) -> LockKind:
    """The kind of a lock file, by its name; which of the two `.lock` files it is, its text says."""
    name = PurePosixPath(path)
    foreign = {name: command for commands in _FOREIGN.values() for name, command in commands.items()}
    if name.name not in foreign:
        if name.name == "yarn.lock":
            return "yarn"
        if name.suffix == ".lock":
            return yarn_kind(read_text(files, path)) or "uv"
        if name.suffix in _KINDS:
            return _KINDS[name.suffix]
    known = ", ".join(name for names in LOCK_NAMES.values() for name in names)
    remedy = f"make one with `{foreign[name.name]}`" if name.name in foreign else f"use {known}"
    raise UsageError(f"{shown(path)} is no lock file that failsame reads: {remedy}")
