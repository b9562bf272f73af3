"""Where lock files are read from: a source of files, path by path, that may be a folder or a commit."""

import os
import posixpath
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Protocol

from failsame.errors import UsageError
from failsame.pins.quoting import shown

LARGEST = 20_000_000
"""Bytes. The largest lock files of real monorepos have a few MB; what is larger is no lock file."""


_GIT = ".git"


class Files(Protocol):
    """A tree of files. Paths are relative to its root, with `/`, and hold no `..`."""

    def read(self, path: str) -> bytes | None:
        """Read one file; None if there is none.

        Raises UsageError for what cannot be read: no regular file, larger than `LARGEST`, outside the tree, in `.git`.
        """

    def folders(self, path: str) -> tuple[str, ...]:
        """The names of the folders in a folder (the root is ""), links not counted; none if it is no folder."""

    def named(self, path: str) -> str:
        """Name a file as messages do."""


@dataclass(frozen=True)
class Tree:
    """The files below a folder, but for git's own; symbolic links may not lead out of it."""

    root: Path

    def read(self, path: str) -> bytes | None:
        """Read one file; see `Files.read`."""
        try:
            root, file = self.root.resolve(), (self.root / path).resolve(strict=True)
            if not file.is_relative_to(root):
                raise UsageError(f"{self.named(path)} leads outside {root}: put a copy of the file inside")
            if _GIT in file.relative_to(root).parts:
                # It may hold the job's token, and a line that is no requirement is quoted.
                raise UsageError(f"{self.named(path)} is git's own: name a file of the project's")
            if not file.is_file():
                raise UsageError(f"{self.named(path)} is not a file: name the lock file itself")
            check_size(self.named(path), file.stat().st_size)
            return file.read_bytes()
        except (FileNotFoundError, NotADirectoryError):
            return None
        except (OSError, RuntimeError, ValueError) as error:
            # Path.resolve: RuntimeError for a loop of links (before Python 3.13), ValueError for a NUL.
            reason = getattr(error, "strerror", None) or str(error)
            raise UsageError(f"{self.named(path)} cannot be read: {shown(reason)}") from error

    def folders(self, path: str) -> tuple[str, ...]:
        """The names of the folders in a folder; see `Files.folders`."""
        try:
            root, folder = self.root.resolve(), (self.root / path).resolve(strict=True)
            inside = os.scandir(folder) if folder.is_relative_to(root) else ()
            return tuple(sorted(each.name for each in inside if each.is_dir(follow_symlinks=False)))
        except (OSError, RuntimeError, ValueError):
            return ()

    def named(self, path: str) -> str:
        """Name a file as messages do."""
        return shown(path)


@dataclass(frozen=True)
class Recorder:
    """A source of files that keeps what was read from it: a lock file together with all that it includes.

    `asked` has the paths of what was there and of what was not.
    """

    files: Files
    contents: dict[str, bytes] = field(default_factory=dict)
    asked: set[str] = field(default_factory=set)

    def read(self, path: str) -> bytes | None:
        """Read one file; see `Files.read`."""
        self.asked.add(path)
        content = self.files.read(path)
        if content is not None:
            self.contents[path] = content
        return content

    def folders(self, path: str) -> tuple[str, ...]:
        """The names of the folders in a folder; see `Files.folders`."""
        return self.files.folders(path)

    def named(self, path: str) -> str:
        """Name a file as messages do."""
        return self.files.named(path)


def check_size(name: str, size: int) -> None:
    """Raise UsageError for a file larger than `LARGEST` bytes."""
    if size > LARGEST:
        limit = LARGEST // 1_000_000
        raise UsageError(f"{name} is larger than {limit} MB: that is no lock file; name another with `lock:` or --lock")


def read_text(files: Files, path: str, missing: Callable[[str], str] | None = None) -> str:
    """Read a file as UTF-8, with or without a byte order mark.

    `missing` turns the file's name into the message for a file that is not there.
    """
    name = files.named(path)
    content = files.read(path)
    if content is None:
        raise UsageError(
            missing(name) if missing else f"{name} is not there: name the lock file with `lock:` or --lock"
        )
    try:
        return content.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = content.count(b"\n", 0, error.start) + 1
        raise UsageError(
            f"{name} line {line}: byte {content[error.start]:#04x} is not UTF-8: save it as UTF-8"
        ) from error


def included(path: str, target: str) -> str | None:
    """Resolve what the file at `path` includes, in text alone; None if it lies outside the tree."""
    if posixpath.isabs(target):
        return None
    joined = posixpath.normpath(posixpath.join(posixpath.dirname(path), target))
    return None if joined == ".." or joined.startswith("../") else joined
