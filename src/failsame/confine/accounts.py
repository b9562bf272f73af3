"""As whom probes and package managers run: in the image as users of their own, elsewhere as failsame itself."""

import os
import pwd
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from failsame.confine.launch import SIGNALS, TCP, landlock

PROBES = "failsame-probes"
PACKAGES = "failsame-packages"
"""The image's users; where they are missing nothing is confined."""


@dataclass(frozen=True)
class Account:
    """An unprivileged user, and its group."""

    uid: int
    gid: int

    def give(self, path: Path) -> None:
        """Make it the owner of a file, or of a folder with all that is in it. Links are not followed."""
        for each in _below(path):
            os.chown(each, self.uid, self.gid, follow_symlinks=False)


def _below(path: Path) -> Iterator[Path]:
    yield path
    if path.is_dir() and not path.is_symlink():
        for folder, folders, files in os.walk(path):
            for name in (*folders, *files):
                yield Path(folder, name)


@dataclass(frozen=True)
class Confinement:
    """What keeps clients and packages from the job's tokens and files."""

    probes: Account
    """Runs the clients, and the broken servers that they talk to."""
    packages: Account
    """Runs package managers."""
    landlock: int
    """The version of the kernel's Landlock; 0 if it has none."""

    @property
    def says(self) -> str:
        """What is in force, in words for a report."""
        users = "clients ran as a user of their own that gains no privileges"
        if not self.landlock:
            return f"{users}; this kernel has no Landlock, so what every user may read (`.git` as well) was readable"
        closed = "saw no `.git` and no file of the job but the checkout's"
        ports = "connected to their own server's ports alone" if self.landlock >= TCP else "to any TCP port"
        open_ = () if self.landlock >= SIGNALS else ("could signal their own server",)
        return "; ".join((f"{users}, {closed}, {ports} (Landlock {self.landlock})", *open_))


@cache
def confinement() -> Confinement | None:
    """What is in force in this process; None unless it is root and the image's users exist."""
    if os.geteuid() != 0:
        return None
    try:
        probes, packages = pwd.getpwnam(PROBES), pwd.getpwnam(PACKAGES)
    except KeyError:
        return None
    return Confinement(
        probes=Account(probes.pw_uid, probes.pw_gid),
        packages=Account(packages.pw_uid, packages.pw_gid),
        landlock=landlock(),
    )
