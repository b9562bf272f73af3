"""A lock file where it lies, and what to install of it."""

from dataclasses import dataclass
from pathlib import Path

from failsame.config import Subject
from failsame.environments import Recipe
from failsame.pins import Files, Pins, Tree, read_lock


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


def locked(lock: Path, folder: Path) -> Locked:
    """A lock file of the working tree; one from outside it brings its own folder."""
    if lock.is_relative_to(folder):
        return Locked(Tree(folder), lock.relative_to(folder).as_posix())
    return Locked(Tree(lock.parent), lock.name)
