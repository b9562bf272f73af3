"""What is asked of an environment, and what it is once it stands."""

from dataclasses import dataclass
from pathlib import Path

from failsame.language import Language
from failsame.pins import Files


@dataclass(frozen=True)
class Recipe:
    """The lock file of a project and the parts of it that a subject needs.

    `files` is the repository, as a folder or as a commit; `lock` is a path in it. `groups`, `extras` and `package`
    choose from a uv.lock, groups and extras also from a pylock.toml. Without `groups` the project's own requirements
    are installed, which as a group are called `main`. Packages in `build` are built from source, by code of theirs.
    Of all these Node's lock files take none: they are installed whole.
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

    `interpreter` is the Python or Node that runs in it, `version` its full version (`3.13.1`), `runtime` how reports
    name it (`python 3.13`, `node 20.20`), `lock` the lock file by its path in the repository. `folders` hold the
    packages: Python's site-packages; for Node one folder, laid out as the repository is, with `node_modules` at the
    places where the package manager puts them.
    """

    language: Language
    interpreter: Path
    version: str
    folders: tuple[Path, ...]
    runtime: str
    lock: Path
