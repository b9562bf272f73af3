"""A copy of a project's code in which Node finds an environment's packages.

Node looks for a package in the `node_modules` beside the importing file's real path and in those above it, and ES
modules have no other search path. So the packages have to stand among the code, and the user's tree is left alone.
Only what may import is copied; data, caches and the packages are linked, so that a copy takes little time and room.
"""

import os
import shutil
import threading
from pathlib import Path

from failsame.environments.cache import digest
from failsame.environments.model import Environment
from failsame.environments.node_packages import entries, module_folders
from failsame.errors import UnmeasuredError
from failsame.pins.quoting import shown

# Whatever may import a package: its real path decides where from. (Node reads a file without a suffix as a module.)
_MODULES = frozenset({".js", ".mjs", ".cjs", ".ts", ".mts", ".cts", ".jsx", ".tsx", ""})
_LEFT_OUT = frozenset({"node_modules", ".git"})

# The standard marks of folders that hold no code of a project's: caches, and Python's virtual environments.
_MARKS = ("CACHEDIR.TAG", "pyvenv.cfg")

_ONE_AT_A_TIME = threading.Lock()


def copy_for(file: Path, environment: Environment, *, repository: Path, project: Path, into: Path) -> Path:
    """The subject's file in a copy below `into`, which is made once for each environment.

    `project` is the folder in the repository that the environment's lock file is for. A file that is not of the
    repository (a built-in subject) is put beside the project's packages. Raises UnmeasuredError where nothing can be
    written.
    """
    key = digest({"environment": str(environment.folders[0]), "project": str(project)}, {})
    copy = into / key
    try:
        with _ONE_AT_A_TIME:
            if not copy.exists():
                _copy(repository, copy, without=into)
                _furnish(copy, environment, repository, project)
            if file.is_relative_to(repository):
                return copy / file.relative_to(repository)
            beside = copy / project.relative_to(repository) / f".failsame-{key}"
            beside.mkdir(parents=True, exist_ok=True)
            return Path(shutil.copyfile(file, beside / file.name))
    except OSError as error:
        reason = shown(error.strerror or str(error))
        raise UnmeasuredError(f"{repository} cannot be copied to {into}: {reason}: set TMPDIR elsewhere") from error


def _copy(repository: Path, copy: Path, *, without: Path) -> None:
    copy.mkdir(parents=True)
    for folder, names, files in os.walk(repository):
        here = Path(folder)
        there = copy / here.relative_to(repository)
        inside = []
        for name in names:
            if name in _LEFT_OUT or here / name == without:
                continue
            if (here / name).is_symlink():
                _link_again(here / name, there / name, repository)
            elif any((here / name / mark).exists() for mark in _MARKS):
                (there / name).symlink_to(here / name)
            else:
                (there / name).mkdir()
                inside.append(name)
        names[:] = inside
        for name in files:
            if name in _LEFT_OUT:
                continue
            if (here / name).is_symlink():
                _link_again(here / name, there / name, repository)
            elif Path(name).suffix in _MODULES and (here / name).is_file():
                shutil.copyfile(here / name, there / name)
            else:
                (there / name).symlink_to(here / name)


def _link_again(link: Path, copy: Path, repository: Path) -> None:
    """A link within the repository leads to the copy's file, another where it led before."""
    target = Path(os.path.realpath(link))
    if target.is_relative_to(repository):
        copy.symlink_to(os.path.relpath(target, link.parent))
    else:
        copy.symlink_to(target)


def _furnish(copy: Path, environment: Environment, repository: Path, project: Path) -> None:
    """Link the environment's packages into the copy, at the places where the package manager put them."""
    tree = environment.folders[0]
    installed = tree / environment.lock.parent
    at = copy / project.relative_to(repository)
    for modules in module_folders(tree):
        place = at / os.path.relpath(modules, installed)
        for entry in entries(modules):
            link = place / entry.relative_to(modules)
            # A workspace that is a link out of the repository: nothing is written there.
            if Path(os.path.realpath(link.parent)).is_relative_to(os.path.realpath(copy)):
                link.parent.mkdir(parents=True, exist_ok=True)
                link.symlink_to(_target(entry, installed, at))
    # Code beside the project, as a folder of subjects at the top of the repository, finds them there.
    if at != copy and not (copy / "node_modules").exists() and (at / "node_modules").exists():
        (copy / "node_modules").symlink_to(at / "node_modules")


def _target(entry: Path, installed: Path, at: Path) -> Path:
    """A package of the environment; or of a link to one of the project's own packages, that package in the copy."""
    inside = Path(os.path.relpath(os.path.realpath(entry), os.path.realpath(installed)))
    return at / inside if entry.is_symlink() and "node_modules" not in inside.parts else entry
