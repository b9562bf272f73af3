"""What a subject is once all is resolved, and what the resolution is given."""

from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Protocol

from failsame.budgets import Budget, Declared
from failsame.language import Language
from failsame.pins import LockKind
from failsame.suite import GoodAnswer

BUILT_IN = "built-in"


class BuiltIn(Protocol):
    """A subject that comes with failsame, as the table of probes has it."""

    @property
    def name(self) -> str:
        """What `builtin:` calls it."""

    @property
    def file(self) -> Path:
        """Its program; absolute."""

    @property
    def distribution(self) -> str | None:
        """The name of what has to be pinned; None for what comes with the runtime."""

    @property
    def dialect(self) -> str:
        """What its service speaks."""

    @property
    def language(self) -> Language:
        """What it is written in."""


@dataclass(frozen=True, slots=True)
class Lock:
    """A lock file: the names of all it pins, and of those that the project itself requires."""

    path: Path
    kind: LockKind
    pinned: Collection[str]
    direct: Collection[str]


@dataclass(frozen=True, slots=True)
class Locks:
    """How lock files are found and read.

    `find` takes a folder and gives the language's lock file in it, or None; UsageError ends the search, as at a lock
    file of a kind that failsame does not read. `read` raises UsageError too. `given`, from the command line, takes the
    place of every other of its language, readable or not.
    """

    find: Callable[[Path, Language], Path | None]
    read: Callable[[Path], Lock]
    given: Mapping[Language, Path] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Subject:
    """One client to measure. All paths are absolute."""

    name: str
    origin: str
    """`built-in`, or the path of its file from the repository's root."""
    file: Path
    root: Path
    project: Path
    """The folder of the project's own lock file, whatever lock file the command line names."""
    lock: Path
    endpoints: Mapping[str, str]
    """Name -> dialect, in the order in which they are called; mostly one, `main`."""
    language: Language = "python"
    distribution: str | None = None
    """What a built-in subject needs to be pinned."""
    informational: bool = False
    """Found by itself: reported, never red."""
    python: str | None = None
    groups: tuple[str, ...] = ()
    extras: tuple[str, ...] = ()
    package: str | None = None
    build: tuple[str, ...] = ()
    watch: tuple[str, ...] = ()
    """Patterns from the repository's root."""
    scenarios: tuple[str, ...] = ()
    """Names and groups; all that fit if there are none."""
    env: Mapping[str, str] = field(default_factory=dict)
    tls: bool = False
    hosts: Mapping[str, str] = field(default_factory=dict)
    """Host name -> endpoint."""
    good: GoodAnswer | None = None
    declared: Declared = field(default_factory=dict)
    budgets: tuple[Budget, ...] = ()

    @property
    def dialect(self) -> str:
        """That of its first endpoint."""
        return next(iter(self.endpoints.values()))
