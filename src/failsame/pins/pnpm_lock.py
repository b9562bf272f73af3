"""Reads pnpm-lock.yaml of lockfileVersion 6 (pnpm 8) and 9 (pnpm 9 and newer): https://github.com/pnpm/spec."""

from collections import defaultdict
from collections.abc import Iterator

from failsame.errors import UsageError
from failsame.pins.files import Files, included, read_text
from failsame.pins.model import Pins
from failsame.pins.packages import Entry, checked_entry, pins_of
from failsame.pins.quoting import shown
from failsame.pins.yaml_lines import Table, load_yaml

_VERSIONS = ("6.0", "6.1", "9.0")
_REMEDY = "write it again with `pnpm install --lockfile-only`"
_REQUIRES = ("dependencies", "optionalDependencies")
_DIRECT = (*_REQUIRES, "devDependencies")


def read_pnpm(files: Files, path: str) -> Pins:
    """Read a pnpm-lock.yaml; the workspace's own packages are no pins, what they require is direct.

    A package that stands there once for each set of peers is one entry.
    """
    name = files.named(path)
    lock = _parse(files, path)
    packages = lock.table("packages")
    required: dict[str, set[str]] = defaultdict(set)
    # Version 9 has what a package requires in a part of its own, once for each set of peers.
    apart = lock.text("lockfileVersion") == "9.0"
    snapshots = lock.table("snapshots") if apart else packages
    for key, snapshot in snapshots.items():
        where = f"{name} line {snapshots.lines[key]}"
        requires = required[_bare(key) if apart else key]
        for section in _REQUIRES if isinstance(snapshot, Table) else ():
            requires.update(_referred(where, snapshot.table(section), packages))
    entries: dict[str, Entry] = {}
    for key, package in packages.items():
        line = packages.lines[key]
        where = f"{name} line {line}"
        if not isinstance(package, Table):
            raise UsageError(f"{where}: {shown(key)} is no package; {_REMEDY}")
        if package.table("resolution").text("type") == "directory":  # the project's own, copied instead of linked
            continue
        if key not in required:
            raise UsageError(f"{where}: {shown(key)} has no snapshot, the file is cut off; {_REMEDY}")
        called, version = _name_and_version(key)
        entries[key] = checked_entry(
            where,
            package.text("name") or called,
            package.text("version") or version,
            line,
            frozenset(required[key]),
        )
    direct = {each for where, table in _importers(name, lock) for each in _referred(where, table, packages)}
    return pins_of(path, "pnpm", entries, direct)


def own_folders(files: Files, path: str) -> tuple[str, ...]:
    """Folders, relative to the lock file's, of the workspace's own packages."""
    return (*(_parse(files, path).table("importers") or {".": None}),)


def own_patches(files: Files, path: str) -> tuple[str, ...]:
    """Paths, from the root of the tree, of the patches that the project lays over packages."""
    patched = _parse(files, path).table("patchedDependencies").values()
    written = [each.text("path") for each in patched if isinstance(each, Table)]
    targets = [included(path, each) for each in written if each]
    return tuple(target for target in targets if target is not None)


def lock_version(files: Files, path: str) -> str:
    """The file's lockfileVersion: `6.0`, `9.0`."""
    return _parse(files, path).text("lockfileVersion") or ""


def _importers(name: str, lock: Table) -> Iterator[tuple[str, Table]]:
    """What each of the own packages requires; a file of a single package has it at its top."""
    importers = lock.table("importers")
    for key, importer in importers.items() or [(".", lock)]:
        where = f"{name} line {importers.lines.get(key, 1)}"
        for section in _DIRECT if isinstance(importer, Table) else ():
            table = Table()
            for required, value in importer.table(section).items():
                reference = value.text("version") if isinstance(value, Table) else value
                if reference is not None:
                    table[required] = reference
            yield where, table


def _referred(where: str, table: Table, packages: Table) -> Iterator[str]:
    """The keys in `packages` of what a table of names and references requires; links lead to own packages."""
    for required, reference in table.texts():
        if reference.startswith("link:"):
            continue
        candidates = (reference, f"{required}@{reference}", f"/{required}@{reference}")
        found = next((each for full in candidates for each in (full, _bare(full)) if each in packages), None)
        if found is None:  # also how a file shows that was cut off between two packages
            raise UsageError(f"{where}: {shown(required)} {shown(reference)} is not in the file; {_REMEDY}")
        yield found


def _bare(key: str) -> str:
    """A key without the peers that stand behind it: `a@1.0.0(b@2.0.0)`."""
    return key.partition("(")[0]


def _name_and_version(key: str) -> tuple[str, str]:
    """`/@scope/name@1.0.0(peer@2.0.0)` -> its name and version."""
    called, _, version = _bare(key).removeprefix("/").rpartition("@")
    return called, version


def _parse(files: Files, path: str) -> Table:
    name, text = files.named(path), read_text(files, path)
    lock = load_yaml(name, text, _REMEDY)
    version = lock.get("lockfileVersion")
    if version not in _VERSIONS:
        raise UsageError(
            f"{name} says lockfileVersion {shown(repr(version))}, and failsame reads {', '.join(_VERSIONS)}: "
            f"{_REMEDY}, pnpm 8 or newer, or update failsame"
        )
    return lock
