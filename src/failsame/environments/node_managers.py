"""The package managers of Node, as a table: which program installs each kind of lock file, and how."""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from failsame.environments.node_tools import Tools
from failsame.errors import UnmeasuredError
from failsame.pins.model import LockKind
from failsame.pins.quoting import shown

_VERSION = re.compile(r"(\d+)\.\d+\.\d+\S*")


@dataclass(frozen=True)
class Manager:
    """How one package manager installs exactly what is locked, and runs no script of any package."""

    program: str
    install: tuple[str, ...]
    majors: range
    """The major versions that read the lock file."""
    remedy: str
    """How to get one."""
    lock: str
    """The command that locks again."""


_PNPM = (
    *("install", "--frozen-lockfile", "--ignore-scripts", "--ignore-pnpmfile", "--reporter=append-only"),
    # All of it below the project, whatever the project's settings say: the environment is moved, and kept.
    *("--config.virtual-store-dir=node_modules/.pnpm", "--config.enable-global-virtual-store=false"),
)

_ANY = 1_000

_NPM = Manager(
    "npm",
    ("ci", "--ignore-scripts", "--loglevel=error"),
    range(7, _ANY),
    "it comes with Node: install Node again",
    "npm install --package-lock-only",
)
_PNPM_6 = Manager(
    "pnpm",
    _PNPM,
    range(8, 9),
    "`npm install --global pnpm@8`, or lock again with a newer pnpm",
    "pnpm install --lockfile-only",
)
_PNPM_9 = Manager(
    "pnpm",
    _PNPM,
    range(9, _ANY),
    "`corepack enable pnpm` or `npm install --global pnpm`",
    "pnpm install --lockfile-only",
)
_YARN = Manager(
    "yarn",
    ("install", "--frozen-lockfile", "--ignore-scripts", "--non-interactive", "--no-progress"),
    range(1, 2),
    "`corepack enable yarn` or `npm install --global yarn@1`",
    "yarn install",
)
_BERRY = Manager(
    "yarn",
    ("install", "--immutable", "--mode=skip-build"),
    range(3, _ANY),
    "`corepack enable yarn` or `npm install --global @yarnpkg/cli-dist`",
    "yarn install",
)

_BY_KIND: Mapping[LockKind, Manager] = {"package-lock": _NPM, "pnpm": _PNPM_9, "yarn": _YARN, "yarn-berry": _BERRY}


def manager_for(kind: LockKind, version: str | None) -> Manager:
    """The package manager of a lock file; `version` is that of its format, where one kind has several."""
    return _PNPM_6 if kind == "pnpm" and version is not None and version.startswith("6.") else _BY_KIND[kind]


@dataclass(frozen=True)
class Program:
    """An installed package manager: its program and its version."""

    path: Path
    version: str


def find_manager(manager: Manager, tools: Tools, project: Path) -> Program:
    """The installed package manager, asked in the project: launchers start the version that a project names.

    Raises UnmeasuredError where it is missing, or does not read the lock file.
    """
    path = tools.find(manager.program)
    if path is None:
        raise UnmeasuredError(f"{manager.program} is not installed: {manager.remedy}")
    answer = tools.run(path, "--version", folder=project)
    lines = answer.output.split()
    found = _VERSION.fullmatch(lines[-1]) if lines and not answer.status else None
    if found is None:
        said = shown((answer.said or answer.output).strip() or f"status {answer.status}")
        raise UnmeasuredError(f"{manager.program} does not run: {said}: {manager.remedy}")
    if int(found[1]) not in manager.majors:
        what = f"{manager.program} {found[0]} does not read this lock file"
        raise UnmeasuredError(f"{what}: {manager.remedy}")
    return Program(path, found[0])
