"""As whom probes and package managers run: in the image as users of their own, elsewhere as failsame itself."""

import contextlib
import os
import pwd
import signal
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
        """Make it the owner of a file or folder. A link is not followed."""
        os.chown(path, self.uid, self.gid, follow_symlinks=False)

    def give_all(self, folder: Path) -> None:
        """Make it the owner of a folder, and of all that is in it."""
        self.give(folder)
        # By descriptors: whoever changes a folder into a link meanwhile gains nothing by it.
        for _, folders, files, descriptor in os.fwalk(folder):
            for name in (*folders, *files):
                os.chown(name, self.uid, self.gid, dir_fd=descriptor, follow_symlinks=False)

    def end_all(self) -> None:
        """Kill every process of this user, for one that nobody else is; those that they leave behind, too.

        Raises ValueError for the user that failsame itself runs as: it would end the whole machine's work.
        """
        if self.uid in {0, os.geteuid()}:
            raise ValueError(f"user {self.uid} runs more than package managers: give them a user of their own")
        while left := [int(each.name) for each in Path("/proc").iterdir() if each.name.isdigit() and self._runs(each)]:
            for process in left:
                with contextlib.suppress(ProcessLookupError):
                    os.kill(process, signal.SIGKILL)

    def _runs(self, process: Path) -> bool:
        with contextlib.suppress(OSError):
            # One that is dead and not reaped yet is root's: it has no memory any more (proc(5), dumpable).
            return process.stat().st_uid == self.uid and (process / "exe").exists()
        return False


ROOT = Account(0, 0)


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
        """What was in force, in words for a report of one client."""
        says = "runs as a user of its own that gains no privileges"
        if not self.landlock:
            return f"{says}; as this kernel has no Landlock, it can read .git and connect to any port"
        says += f", within Landlock {self.landlock}: of the job it sees the checkout alone, and no .git"
        if self.landlock < TCP:
            return f"{says}; it can connect to any port"
        says += ", and it connects to no other port than its server's"
        return says if self.landlock >= SIGNALS else f"{says}; it can signal its server"


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
