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
_DEEPEST = 3
"""How deep below a folder other checkouts are looked for (`path:` of actions/checkout)."""
_NO_CHECKOUTS = frozenset({"node_modules", ".venv"})


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
        """What `launch.py` takes, for a program by its path."""
        checkout = () if self.checkout is None else _without_git(self.checkout)
        return {
            "listed": [str(path) for path, whole in checkout if not whole],
            "read": [
                *_SYSTEM,
                *map(str, (*_prefixes(program), *self.read)),
                *(str(path) for path, whole in checkout if whole),
            ],
            "written": [*_DEVICES, *map(str, self.written)],
            "ports": None if self.ports is None else [self.ports[0], self.ports[-1]],
        }


def _prefixes(program: str) -> Iterator[Path]:
    """Where a program is installed, and where the file is that its path leads to: Pythons of environments are links."""
    for path in {Path(program), Path(os.path.realpath(program))}:
        prefix = path.parent.parent
        if prefix != Path("/"):
            yield prefix


@cache  # asked for each process that is started; a run's checkout stays as it is
def _without_git(checkout: Path) -> tuple[tuple[Path, bool], ...]:
    """The folder, or in its place what is in it but `.git`; and whether all of that may be read, or only its names."""
    return tuple(_parts(checkout, _DEEPEST))


def _parts(path: Path, deepest: int) -> Iterator[tuple[Path, bool]]:
    if not _holds_git(path, deepest):
        yield path, True
        return
    yield path, False
    for entry in _entries(path):
        if entry.name != _GIT:
            yield from _parts(Path(entry), deepest - 1)


def _holds_git(path: Path, deepest: int) -> bool:
    entries = _entries(path)
    if any(entry.name == _GIT for entry in entries):
        return True
    return deepest > 0 and any(_holds_git(Path(entry), deepest - 1) for entry in entries if _is_folder(entry))


def _entries(path: Path) -> list["os.DirEntry[str]"]:
    try:
        with os.scandir(path) as found:
            return list(found)
    except OSError:
        return []


def _is_folder(entry: "os.DirEntry[str]") -> bool:
    return entry.name not in _NO_CHECKOUTS and entry.is_dir(follow_symlinks=False)
