"""What was there before the upgrade: from git, from an old lock file, or as whoever asks has it."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

from failsame.errors import UsageError
from failsame.gate.locked import Locked
from failsame.pins import Files, Pins, Repository, Tree, lock_language


@dataclass(frozen=True)
class Before:
    """The project's files before the upgrade, by paths from its folder, and the commits that are compared."""

    files: Files
    base: str
    commit: str
    paths: frozenset[str] | None = None
    """The files that changed; None where nobody knows all of them."""


@dataclass(frozen=True)
class Earlier:
    """Each lock file as it was, the commit that is measured, the one it is compared with, and what changed between."""

    locks: dict[Path, Locked] = field(default_factory=dict)
    commit: str | None = None
    base: str | None = None
    paths: frozenset[str] | None = None
    """From the folder; None where that is not known."""
    notes: tuple[str, ...] = ()


def given(before: Before, folder: Path, locks: Mapping[Path, Pins]) -> Earlier:
    """As whoever asks has it."""
    inside = {lock: lock.relative_to(folder).as_posix() for lock in locks}
    there = {lock: Locked(before.files, path) for lock, path in inside.items() if before.files.read(path) is not None}
    return Earlier(there, before.commit, before.base, before.paths)


def named(old_lock: Path, locks: Mapping[Path, Pins]) -> Earlier:
    """From an old lock file, for the locks of its language. Raises UsageError where there is none."""
    old = old_lock.resolve()
    if not old.is_file():
        raise UsageError(f"there is no lock file {old_lock}: name one that is there with --old-lock")
    before = Locked(Tree(old.parent), old.name)
    language = lock_language(before.files, before.path)
    return Earlier({lock: before for lock, now in locks.items() if now.language == language})


def from_git(folder: Path, base: str | None, locks: Mapping[Path, Pins]) -> Earlier:
    """From the revision `base`, or the merge base with the default branch; a note where there is no such.

    Raises UsageError where a revision was asked for that git does not know.
    """
    try:
        repository = Repository.around(folder)
        commit = repository.commit("HEAD")
        since = repository.commit(base) if base else repository.merge_base()
        revision = repository.files(since)
        paths = {lock: repository.path_of(lock) for lock in locks}
        changed = {repository.root.resolve() / path for path in repository.changed(since)}
    except UsageError as error:
        if base:
            raise
        return Earlier(notes=(f"which packages moved is not known: {error}",))
    return Earlier(
        {lock: Locked(revision, path) for lock, path in paths.items() if revision.read(path) is not None},
        commit,
        since,
        frozenset(path.relative_to(folder).as_posix() for path in changed if path.is_relative_to(folder)),
    )
