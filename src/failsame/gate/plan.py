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
from failsame.errors import UsageError
from failsame.gate.earlier import Before, Earlier, from_git, given, named
from failsame.gate.locked import Locked, locked
from failsame.pins import Change, Pins, changes, direct_requirements, find_lock, lock_language
from failsame.probes.builtin import BUILTINS
from failsame.suite import Scenario
from failsame.words import unknown


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
    paths: frozenset[str] | None = None
    """The files that changed, from its folder; None where that is not known."""
    commit: str | None = None
    base: str | None = None
    notes: tuple[str, ...] = ()
    config: Path | None = None
    """The configuration; None where there is none."""

    @property
    def all_changes(self) -> tuple[Change, ...]:
        """What the upgrade moved, over all lock files, each once."""
        return tuple(dict.fromkeys(change for each in self.changes.values() for change in each))


def plan(options: Options) -> Plan:
    """Read configuration and lock files, and find what moved.

    Raises UsageError for whatever an edit mends: no lock file, an unknown key, a subject that is not there.
    """
    folder = options.folder.resolve()
    config = options.config.resolve() if options.config else find_config(folder)
    file = _config(config, folder)
    own = file.config.own if file else ()
    check_words(options.scenarios, own)
    every = subjects(file, folder, BUILTINS, _locks(options, folder))
    chosen = _chosen(every, options.subjects)
    now = {subject.lock: locked(subject.lock, folder).pins() for subject in chosen}
    earlier = _earlier(options, folder, now)
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
        old=earlier.locks,
        changes={lock: changes(before.pins(), now[lock]) for lock, before in earlier.locks.items()},
        paths=earlier.paths,
        commit=earlier.commit,
        base=earlier.base,
        notes=earlier.notes,
        config=config,
    )


def _config(path: Path | None, folder: Path) -> ConfigFile | None:
    if path is None:
        _check_above(folder)
    return read_config(path, folder) if path else None


def _check_above(folder: Path) -> None:
    """Complain of a configuration in a folder above, up to the repository's: it would be passed over in silence."""
    if (folder / ".git").exists():
        return
    above = list(folder.parents)
    top = next((place for place, parent in enumerate(above, start=1) if (parent / ".git").exists()), 0)
    for parent in above[:top]:
        if (found := find_config(parent)) is not None:
            raise UsageError(f"{found} is the configuration of this project: run failsame in {parent}")


def _locks(options: Options, folder: Path) -> Locks:
    @cache
    def read(lock: Path) -> Lock:
        pins = locked(lock, folder).pins()
        direct = frozenset(direct_requirements(pins))
        return Lock(path=lock, kind=pins.kind, pinned=frozenset(pins.pins), direct=direct)

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


def _earlier(options: Options, folder: Path, now: Mapping[Path, Pins]) -> Earlier:
    if options.before is not None:
        return given(options.before, folder, now)
    if options.old_lock is not None:
        return named(options.old_lock, now)
    return from_git(folder, options.base, now)
