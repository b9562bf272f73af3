"""First steps in a repository: the SDKs in it that failsame has a subject for, and a configuration that names them."""

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

from failsame.config import Lock, Locks, subjects
from failsame.errors import UsageError
from failsame.gate.locked import locked
from failsame.pins import LOCK_NAMES, direct_requirements, find_lock
from failsame.probes.builtin import BUILTINS

_DEEPEST = 3
"""How deep below the repository's root the parts of a large one are looked for."""

_LOCK_NAMES = frozenset(name for names in LOCK_NAMES.values() for name in names)
_NO_PROJECTS = frozenset({"node_modules", "fixtures", "vendor", "dist", "build"})

_HEAD = """\
# What failsame measures; `failsame record` writes its baselines. Every key is in
# https://github.com/failsame/failsame/blob/main/docs/configuration.md
version: 1
"""
_TAIL = """
# A client as your own code makes it says more than one at its defaults: a file with two functions, `client(endpoint)`,
# which makes it, and `call(client)`, which uses it once.
#  - name: billing
#    file: failsame/billing.py
"""


@dataclass(frozen=True)
class Found:
    """One SDK that a project requires directly, and the built-in subject for it; `lock` from the repository's root."""

    name: str
    builtin: str
    package: str
    version: str
    lock: str

    @property
    def nested(self) -> bool:
        """Whether its project is not at the root."""
        return "/" in self.lock


def find_sdks(repository: Path) -> tuple[Found, ...]:
    """Look through the lock files of a repository, those of its root first.

    Raises UsageError for one that cannot be read, and where there is none.
    """
    projects = list(_projects(repository, _DEEPEST))
    if not projects:
        raise UsageError(
            f"{repository} has no lock file ({', '.join(sorted(_LOCK_NAMES))}): make one, and run it again"
        )
    found: list[Found] = []
    for project in projects:
        for each in _in_project(project, repository):
            taken = any(other.name == each.name for other in found)
            found.append(_renamed(each) if taken else each)
    return tuple(found)


def configuration(found: Iterable[Found]) -> str:
    """The text of a configuration with these subjects."""
    return _HEAD + "subjects:\n" + "".join(map(_entry, found)) + _TAIL


def _entry(each: Found) -> str:
    lines = [f"builtin: {each.builtin} # {each.package} {each.version} in {each.lock}"]
    if each.name != each.builtin:
        lines.insert(0, f"name: {each.name}")
    if each.nested:
        lines.append(f"lock: {each.lock}")
    return "".join(f"  {'-' if number == 0 else ' '} {line}\n" for number, line in enumerate(lines))


def _projects(folder: Path, deepest: int) -> Iterator[Path]:
    entries = sorted(folder.iterdir())
    if any(entry.name in _LOCK_NAMES and entry.is_file() for entry in entries):
        yield folder
    for entry in entries:
        inside = entry.is_dir() and not entry.is_symlink() and not entry.name.startswith(".")
        if deepest and inside and entry.name not in _NO_PROJECTS:
            yield from _projects(entry, deepest - 1)


def _in_project(project: Path, repository: Path) -> Iterator[Found]:
    def read(lock: Path) -> Lock:
        pins = locked(lock, repository).pins()
        direct = frozenset(direct_requirements(pins))
        return Lock(path=lock, kind=pins.kind, pinned=frozenset(pins.pins), direct=direct)

    for subject in subjects(None, project, BUILTINS, Locks(find=find_lock, read=read)):
        package = subject.distribution or ""
        pins = locked(subject.lock, repository).pins()
        lock = subject.lock.relative_to(repository).as_posix()
        yield Found(subject.name, subject.name, package, pins.pins[package][0].version, lock)


def _renamed(each: Found) -> Found:
    """Called after its folder as well, where its name is taken."""
    folder = re.sub(r"[^a-z0-9]+", "-", each.lock.rpartition("/")[0].lower()).strip("-")
    return Found(f"{folder}-{each.builtin}", each.builtin, each.package, each.version, each.lock)
