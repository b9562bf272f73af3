"""Where package managers work, and as whom.

In the image they are a user of their own, which reads and writes nothing but failsame's cache: their own caches and
settings lie in it, and their input is copied into it.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from failsame.confine import ROOT, Account, Command, Reach, confined, confinement
from failsame.environments.cache import cache_folder

# Folders that a package manager would use in the place of its home's.
_OWN_FOLDERS = (
    "XDG_",
    "UV_CACHE_DIR",
    "UV_PYTHON_INSTALL_DIR",
    "PNPM_HOME",
    "COREPACK_HOME",
    "YARN_CACHE_FOLDER",
    "YARN_GLOBAL_FOLDER",
)


@dataclass(frozen=True)
class Workplace:
    """failsame's cache, and the user that fills it; None for failsame's own user, who is not confined."""

    cache: Path
    account: Account | None = None

    @classmethod
    def of(cls, environ: Mapping[str, str]) -> "Workplace":
        """The one of this process."""
        confinement_here = confinement()
        return cls(cache_folder(environ), confinement_here.packages if confinement_here else None)

    @property
    def fetches_pythons(self) -> bool:
        """Whether a Python that a project asks for is fetched: the image has one, and none of the project's own."""
        return self.account is not None

    @property
    def environments(self) -> Path:
        """The folder of environments."""
        return self.cache / "environments"

    @property
    def _home(self) -> Path:
        return self.cache / "home"

    def open(self) -> None:
        """Make the folders. Raises OSError."""
        self.environments.mkdir(parents=True, exist_ok=True)
        if self.account is not None:
            self._home.mkdir(exist_ok=True)
            if self.cache.stat().st_uid != self.account.uid:  # new, or brought back from an earlier job
                self.account.give_all(self.cache)

    def give(self, folder: Path) -> None:
        """Let package managers write to a folder in the cache, and to all that is in it."""
        if self.account is not None:
            self.account.give_all(folder)

    def take(self, folder: Path) -> None:
        """Take back a folder, and all that is in it: no package manager changes it from now on."""
        if self.account is not None:
            ROOT.give_all(folder)

    def clear(self) -> None:
        """End what a package manager has left behind: it may run code of the project (`yarnPath`), and of packages."""
        if self.account is not None:
            self.account.end_all()

    def variables(self, allowed: Mapping[str, str]) -> dict[str, str]:
        """The environment of a package manager, of what it is allowed to see."""
        if self.account is None:
            return dict(allowed)
        kept = {name: value for name, value in allowed.items() if not name.startswith(_OWN_FOLDERS)}
        return {**kept, "HOME": str(self._home), "TMPDIR": str(self._home)}

    def command(self, program: Sequence[str]) -> Command:
        """How a package manager is started, or a program that it has installed."""
        return confined(self.account, Reach(written=(self.cache,)), program)
