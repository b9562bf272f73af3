"""What the lock files of npm, pnpm and yarn have in common: packages that require one another, at semantic versions."""

import re
from collections import defaultdict
from collections.abc import Collection, Mapping
from dataclasses import dataclass

from failsame.errors import UsageError
from failsame.pins.model import LockKind, Pin, Pins
from failsame.pins.quoting import shown
from failsame.pins.versions import is_semver

# What a registry takes, old names with capitals included (validate-npm-package-name): nothing that a URL would escape.
_NAME = re.compile(r"(?:@[A-Za-z0-9._~!'()*-]+/)?[A-Za-z0-9_~!'()*-][A-Za-z0-9._~!'()*-]*")
_LONGEST_NAME = 214


@dataclass(frozen=True)
class Entry:
    """One package in a lock file: its name and version, its line (from 1), and the keys of what it requires."""

    package: str
    version: str
    line: int
    requires: frozenset[str]


def checked_entry(where: str, package: str, version: object, line: int, requires: frozenset[str]) -> Entry:
    """Make an entry of what a file says, or raise UsageError; `where` names the file and the line."""
    if len(package) > _LONGEST_NAME or not _NAME.fullmatch(package):
        raise UsageError(f"{where}: {shown(repr(package))} is no package name: lock again")
    if not isinstance(version, str) or not is_semver(version):
        instead = "" if version is None else f", but {shown(repr(version))}"
        raise UsageError(f"{where}: {shown(package)} has no version{instead}: lock again")
    return Entry(package, version, line, requires)


def pins_of(path: str, kind: LockKind, entries: Mapping[str, Entry], direct: Collection[str] | None) -> Pins:
    """Turn entries, by any keys, into pins by name; `direct` are the keys of what the project itself requires."""
    requirers: dict[str, set[str]] = defaultdict(set)
    for entry in entries.values():
        for key in entry.requires:
            requirers[key].add(entry.package)
    pins: dict[str, list[Pin]] = defaultdict(list)
    for key, entry in entries.items():
        pins[entry.package].append(
            Pin(
                package=entry.package,
                version=entry.version,
                lock=path,
                line=entry.line,
                direct=None if direct is None else key in direct,
                required_by=tuple(sorted(requirers[key] - {entry.package})),
            )
        )
    return Pins(lock=path, kind=kind, pins={name: tuple(pins[name]) for name in sorted(pins)})
