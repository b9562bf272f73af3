"""Which packages an environment for Node holds, and whose the files are that were loaded."""

import json
import os
from collections.abc import Iterable, Iterator
from functools import cmp_to_key
from pathlib import Path

from failsame.pins.versions import order

_MODULES = "node_modules"


def all_packages(tree: Path) -> dict[str, str]:
    """All packages below a folder, nested copies included; see `by_name`."""
    return by_name(found for folder in module_folders(tree) for found in _within(folder))


def owners(tree: Path, files: Iterable[str | os.PathLike[str]]) -> dict[str, str]:
    """The packages that files of the folder belong to, by their real paths; see `by_name`.

    A package is what lies in a `node_modules`; a package.json further down (`dist/esm/package.json`) only says how its
    files are read. Files outside, such as the project's own, belong to none.
    """
    root = os.path.realpath(tree)
    folders = {_package_of(root, os.path.realpath(file)) for file in files}
    return by_name(found for folder in folders if folder for found in _named(Path(folder)))


def by_name(found: Iterable[tuple[str, str]]) -> dict[str, str]:
    """Packages by name -> version, sorted. Where several versions are there, the name stands for the highest.

    The others are called `name (nested)`, `name (nested 2)`, …, from the highest down.
    """
    versions: dict[str, set[str]] = {}
    for name, version in found:
        versions.setdefault(name, set()).add(version)
    named: dict[str, str] = {}
    for name in sorted(versions):
        highest_first = sorted(sorted(versions[name]), key=cmp_to_key(_compared), reverse=True)
        for place, version in enumerate(highest_first):
            nested = "" if place == 0 else " (nested)" if place == 1 else f" (nested {place})"
            named[name + nested] = version
    return named


def module_folders(tree: Path) -> Iterator[Path]:
    """The `node_modules` of the project and its workspaces: those that lie in no other."""
    for folder, names, _ in os.walk(tree):
        if _MODULES in names:
            yield Path(folder, _MODULES)
        names[:] = [name for name in names if name != _MODULES]


def entries(modules: Path) -> Iterator[Path]:
    """What can be imported from a `node_modules`: packages, or links to them, those of scopes included."""
    for entry in sorted(modules.iterdir()):
        if entry.name.startswith("@") and not entry.is_symlink():
            yield from sorted(entry.iterdir())
        elif not entry.name.startswith("."):
            yield entry


def _within(modules: Path) -> Iterator[tuple[str, str]]:
    """Names and versions of all packages in a `node_modules`, at any depth; links lead to what is met anyway."""
    waiting = [modules]
    while waiting:
        folder = waiting.pop()
        if not folder.is_dir() or folder.is_symlink():
            continue
        # pnpm keeps each package once, in a `node_modules` of its own with links to what it requires.
        store = folder / ".pnpm"
        waiting += [each / _MODULES for each in store.iterdir()] if store.is_dir() else []
        for package in entries(folder):
            if package.is_dir() and not package.is_symlink():
                yield from _named(package)
                waiting.append(package / _MODULES)


def _package_of(root: str, file: str) -> str | None:
    """The folder of the package that a file belongs to; None for a file of no package below the root."""
    before, modules, inside = file.rpartition(f"{os.sep}{_MODULES}{os.sep}")
    if not modules or not f"{before}{os.sep}".startswith(f"{root}{os.sep}"):
        return None
    parts = Path(inside).parts
    return os.path.join(before, _MODULES, *parts[: 2 if parts[0].startswith("@") else 1])  # noqa: PTH118


def _named(package: Path) -> Iterator[tuple[str, str]]:
    """The name and version that a package gives itself, if it does."""
    try:
        about = json.loads((package / "package.json").read_bytes())
    except (OSError, ValueError, RecursionError):
        return
    if isinstance(about, dict):
        name, version = about.get("name"), about.get("version")
        if isinstance(name, str) and isinstance(version, str):
            yield name, version


def _compared(one: str, two: str) -> int:
    return order(one, two) or 0
