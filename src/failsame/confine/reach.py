"""What of the file system a confined program sees."""

import os
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path

# Programs, libraries, time zones, certificates; the kernel's own folders. Secrets of root's are root's to read.
_SYSTEM = ("/usr", "/bin", "/sbin", "/lib", "/lib32", "/lib64", "/etc", "/opt", "/proc", "/sys")
_DEVICES = tuple(f"/dev/{name}" for name in ("null", "zero", "full", "random", "urandom", "shm"))

_GIT = ".git"


@dataclass(frozen=True)
class Reach:
    """What a program may use beside the system and itself."""

    checkout: Path | None = None
    """Read, but for every `.git` in it: that may hold the token it was checked out with."""
    read: tuple[Path, ...] = ()
    written: tuple[Path, ...] = ()
    ports: range | None = None
    """The TCP ports that it may connect to; None for all."""

    def order(self, program: str) -> dict[str, object]:
        """What `launch.py` takes, for a program by its path. It follows no link: those of our own are followed here."""
        checkout = () if self.checkout is None else _without_git(self.checkout)
        return {
            "listed": [path for path, whole in checkout if not whole],
            "read": [
                *_real(*_SYSTEM, *_prefixes(program), *self.read),
                *(path for path, whole in checkout if whole),
            ],
            "written": _real(*_DEVICES, *self.written),
            "ports": None if self.ports is None else [self.ports[0], self.ports[-1]],
        }


def _real(*paths: str | Path) -> list[str]:
    return [os.path.realpath(path) for path in paths]


def _prefixes(program: str) -> Iterator[Path]:
    """Where a program is installed, and where the file is that its path leads to: Pythons of environments are links."""
    for path in {Path(program), Path(os.path.realpath(program))}:
        prefix = path.parent.parent
        if prefix != Path("/"):
            yield prefix


@cache  # asked for each process that is started; a run's checkout stays as it is
def _without_git(checkout: Path) -> tuple[tuple[str, bool], ...]:
    """The folder, or in its place what is in it but `.git`; and whether all of that may be read, or only its names.

    Links are left out. What one leads to in the checkout has a rule of its own, and what else it may lead to, `.git` or
    the job's own files, is for whoever committed the link to choose.
    """
    return tuple(_parts(os.path.realpath(checkout)))


def _parts(checkout: str) -> Iterator[tuple[str, bool]]:
    holding, left = _holding_git(checkout), [checkout]
    while left:
        path = left.pop()
        yield path, path not in holding
        if path in holding:
            left += [entry.path for entry in _entries(path) if entry.name != _GIT and not entry.is_symlink()]


def _holding_git(checkout: str) -> set[str]:
    """The folders with a `.git` in them, at whatever depth: `path:` of actions/checkout may be any."""
    holding, left = set[str](), [checkout]
    while left:
        folder = left.pop()
        entries = _entries(folder)
        if any(entry.name == _GIT for entry in entries):
            holding |= {folder, *map(str, Path(folder).parents)}
        left += [entry.path for entry in entries if entry.name != _GIT and entry.is_dir(follow_symlinks=False)]
    return holding


def _entries(path: str) -> list["os.DirEntry[str]"]:
    try:
        with os.scandir(path) as found:
            return list(found)
    except OSError:
        return []
