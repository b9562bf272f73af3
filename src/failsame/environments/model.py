"""What is asked of an environment, and what it is once it stands."""

from dataclasses import dataclass
from pathlib import Path

from failsame.pins import Files


@dataclass(frozen=True)
class Recipe:
    """The lock file of a project and the parts of it that a subject needs.

    `files` is the repository, as a folder or as a commit; `lock` is a path in it. `groups`, `extras` and `package`
    choose from a uv.lock, groups and extras also from a pylock.toml. Without `groups` the project's own requirements
    are installed, which as a group are called `main`. Packages in `build` are built from source, by code of theirs.
    """

    files: Files
    lock: str
    python: str | None = None
    groups: tuple[str, ...] = ()
    extras: tuple[str, ...] = ()
    package: str | None = None
    build: tuple[str, ...] = ()


@dataclass(frozen=True)
class Environment:
    """An isolated environment. It is shared and cached: nothing may write into it.

    `version` is the full version of Python (`3.13.1`), `runtime` how reports name it (`python 3.13`), `lock` the lock
    file by its path in the repository.
    """

    python: Path
    version: str
    site_packages: tuple[Path, ...]
    runtime: str
    lock: Path
