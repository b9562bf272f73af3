"""What is to be measured, and what moved: from options, configuration and lock files."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import Literal

from failsame.config import (
    ConfigFile,
    Lock,
    Locks,
    Subject,
    check_words,
    find_config,
    read_config,
    subjects,
)
from failsame.environments import Recipe
from failsame.errors import UsageError
from failsame.pins import (
    Change,
    Files,
    Pins,
    Repository,
    Tree,
    changes,
    direct_requirements,
    find_lock,
    lock_language,
    read_lock,
)
from failsame.probes.builtin import BUILTINS
from failsame.suite import Scenario
from failsame.words import unknown


@dataclass(frozen=True)
class Before:
    """The project's files before the upgrade, by paths from its folder, and the commits that are compared."""

    files: Files
    base: str
    commit: str


@dataclass(frozen=True)
class Options:
    """What the command line said; None and empty where it said nothing."""

    folder: Path
    config: Path | None = None
    baselines: Path | None = None
    subjects: tuple[str, ...] = ()
    scenarios: frozenset[str] = frozenset()
    horizon: float | None = None
    lock: Path | None = None
    old_lock: Path | None = None
    base: str | None = None
    before: Before | None = None
    """Where the old files come from, if not from git."""


@dataclass(frozen=True)
class Locked:
    """A lock file in a source of files: the working tree, or a revision."""

    files: Files
    path: str

    def pins(self) -> Pins:
        """Read it; UsageError if it cannot be."""
        return read_lock(self.files, self.path)

    def recipe(self, subject: Subject) -> Recipe:
        """What to install for a subject."""
        return Recipe(
            files=self.files,
            lock=self.path,
            python=subject.python,
            groups=subject.groups,
            extras=subject.extras,
            package=subject.package,
            build=subject.build,
        )


@dataclass(frozen=True)
class Plan:
    """What a command is to do."""

    folder: Path
    mode: Literal["block", "warn"]
    baselines: Path
    shown_baselines: str
    """The folder of the baselines as the user knows it, wherever they are read from."""
    subjects: tuple[Subject, ...]
    own: tuple[Scenario, ...]
    named: frozenset[str]
    """Scenarios and groups of the command line."""
    every: tuple[Subject, ...]
    """All subjects, chosen or not."""
    old: dict[Path, Locked] = field(default_factory=dict)
    """A subject's lock file -> the same before the upgrade, where it is known."""
    changes: dict[Path, tuple[Change, ...]] = field(default_factory=dict)
    """A subject's lock file -> what the upgrade moved in it."""
    commit: str | None = None
    base: str | None = None
    notes: tuple[str, ...] = ()

    @property
    def all_changes(self) -> tuple[Change, ...]:
        """What the upgrade moved, over all lock files, each once."""
        return tuple(dict.fromkeys(change for each in self.changes.values() for change in each))


def locked(lock: Path, folder: Path) -> Locked:
    """A lock file of the working tree; one from outside it brings its own folder."""
    if lock.is_relative_to(folder):
        return Locked(Tree(folder), lock.relative_to(folder).as_posix())
    return Locked(Tree(lock.parent), lock.name)


def plan(options: Options) -> Plan:
    """Read configuration and lock files, and find what moved.

    Raises UsageError for whatever an edit mends: no lock file, an unknown key, a subject that is not there.
    """
    folder = options.folder.resolve()
    file = _config(options, folder)
    own = file.config.own if file else ()
    check_words(options.scenarios, own)
    every = subjects(file, folder, BUILTINS, _locks(options, folder))
    chosen = _chosen(every, options.subjects)
    now = {subject.lock: locked(subject.lock, folder).pins() for subject in chosen}
    old, commit, base, notes = _before(options, folder, now)
    own_folder = folder / (file.config.baselines if file else "baselines")
    baselines = options.baselines.resolve() if options.baselines else own_folder
    return Plan(
        folder=folder,
        mode=file.config.mode if file else "block",
        baselines=baselines,
        shown_baselines=str(baselines.relative_to(folder) if baselines.is_relative_to(folder) else baselines),
        subjects=chosen,
        own=own,
        named=options.scenarios,
        every=every,
        old=old,
        changes={lock: changes(before.pins(), now[lock]) for lock, before in old.items()},
        commit=commit,
        base=base,
        notes=notes,
    )


def _config(options: Options, folder: Path) -> ConfigFile | None:
    path = options.config.resolve() if options.config else find_config(folder)
    return read_config(path, folder) if path else None


def _locks(options: Options, folder: Path) -> Locks:
    @cache
    def read(lock: Path) -> Lock:
        pins = locked(lock, folder).pins()
        return Lock(path=lock, pinned=frozenset(pins.pins), direct=frozenset(direct_requirements(pins)))

    given = options.lock.resolve() if options.lock else None
    if given is None:
        return Locks(find=find_lock, read=read)
    if not given.is_file():
        raise UsageError(f"there is no lock file {options.lock}: name one that is there with --lock")
    where = locked(given, folder)
    return Locks(find=find_lock, read=read, given={lock_language(where.files, where.path): given})


def _chosen(every: tuple[Subject, ...], names: tuple[str, ...]) -> tuple[Subject, ...]:
    known = {subject.name: subject for subject in every}
    for name in names:
        if name not in known:
            raise UsageError(unknown("subject", name, known))
    return tuple(known[name] for name in dict.fromkeys(names)) if names else every


def _before(
    options: Options, folder: Path, locks: Mapping[Path, Pins]
) -> tuple[dict[Path, Locked], str | None, str | None, tuple[str, ...]]:
    """Each lock file as it was before the upgrade; the commit measured, and the one compared with."""
    if options.before is not None:
        known, commit, base = options.before.files, options.before.commit, options.before.base
        inside = {lock: lock.relative_to(folder).as_posix() for lock in locks}
        there = {lock: Locked(known, path) for lock, path in inside.items() if known.read(path) is not None}
        return there, commit, base, ()
    if options.old_lock is not None:
        old = options.old_lock.resolve()
        if not old.is_file():
            raise UsageError(f"there is no lock file {options.old_lock}: name one that is there with --old-lock")
        before = Locked(Tree(old.parent), old.name)
        language = lock_language(before.files, before.path)
        return {lock: before for lock, now in locks.items() if now.language == language}, None, None, ()
    try:
        repository = Repository.around(options.folder)
        commit = repository.commit("HEAD")
        base = repository.commit(options.base) if options.base else repository.merge_base()
        revision = repository.files(base)
        paths = {lock: repository.path_of(lock) for lock in locks}
    except UsageError as error:
        if options.base:
            raise
        return {}, None, None, (f"what the upgrade moved is not known: {error}",)
    there = {lock: Locked(revision, path) for lock, path in paths.items() if revision.read(path) is not None}
    return there, commit, base, ()
