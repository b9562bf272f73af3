"""Which Python a subject runs on: the one that the project asks for, among those that are installed."""

import json
import posixpath
import re
import tomllib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from packaging.specifiers import InvalidSpecifier, SpecifierSet
from packaging.version import Version

from failsame.environments.model import Recipe
from failsame.environments.uv import Uv
from failsame.errors import UnmeasuredError, UsageError
from failsame.pins import Pins
from failsame.pins.files import Files, read_text
from failsame.pins.quoting import shown

_OLDEST = Version("3.9")  # what the probe runs on

# Of all that uv takes, versions alone: a path would be run, by a file that a pull request may have written.
_WANTED = re.compile(r"(?:(?:cpython|python)[-@]?)?(\d+(?:\.\d+){0,2})")


@dataclass(frozen=True)
class Interpreter:
    """An installed CPython; `key` tells version, platform and architecture."""

    key: str
    version: Version
    path: Path


@dataclass(frozen=True)
class Wish:
    """The Python that a project asks for: a version or a part of it, or a range; and who says so."""

    version: str | None
    allowed: SpecifierSet
    source: str


@cache
def installed_interpreters(uv: Uv, folder: Path) -> tuple[Interpreter, ...]:
    """All CPythons that uv finds, in its order of preference.

    Kept for the process: uv runs every Python on the PATH to find out, most of a second where there are many.
    """
    answer = uv.run("python", "list", "--only-installed", "--output-format", "json", folder=folder)
    try:
        listed = json.loads(answer.output)
        return tuple(
            Interpreter(each["key"], Version(each["version"]), Path(each["path"]))
            for each in listed
            if each["implementation"] == "cpython" and each["variant"] == "default" and each["path"]
        )
    except (ValueError, KeyError, TypeError) as error:
        raise UnmeasuredError(
            f"uv lists no Pythons: {shown(answer.said.strip() or answer.output)}: run again"
        ) from error


def wish(recipe: Recipe, pins: Pins) -> Wish:
    """What the project asks for: configuration, else .python-version, else requires-python, else anything."""
    if recipe.python is not None:
        return Wish(_version(recipe.python, "`python:` in the configuration"), SpecifierSet(), "`python:`")
    for path in _upwards(recipe.lock, ".python-version"):
        if recipe.files.read(path) is not None:
            source = recipe.files.named(path)
            lines = [line.strip() for line in read_text(recipe.files, path).splitlines()]
            first = next((line for line in lines if line and not line.startswith("#")), "")
            if first and first != "system":  # pyenv's word for whatever is there
                return Wish(_version(first, source), SpecifierSet(), source)
            break
    requires, source = pins.requires_python, recipe.files.named(recipe.lock)
    if requires is None:
        path = posixpath.join(posixpath.dirname(recipe.lock), "pyproject.toml")
        requires, source = _project_requires(recipe.files, path), recipe.files.named(path)
    try:
        return Wish(None, SpecifierSet(requires or ""), f"requires-python in {source}")
    except InvalidSpecifier as error:
        raise UsageError(f"{source}: requires-python is no range of versions: {shown(repr(requires))}") from error


def interpreter_for(wanted: Wish, uv: Uv, folder: Path) -> Interpreter:
    """The Python that fits, fetched if it has to be and may be. Raises UnmeasuredError if there is none."""
    try:
        return choose(installed_interpreters(uv, folder), wanted)
    except UnmeasuredError:
        if not uv.workplace.fetches_pythons:
            raise
    asked = wanted.version or str(wanted.allowed)
    answer = uv.run("python", "install", "--no-bin", asked, folder=folder)
    if answer.status:
        said = shown((answer.said.strip().splitlines() or ["uv said nothing"])[-1].strip())
        raise UnmeasuredError(
            f"Python {asked}, asked for by {wanted.source}, is not in the image, and cannot be fetched ({said}): "
            "check the network, name a mirror with UV_PYTHON_INSTALL_MIRROR, or choose another with `python:`"
        )
    installed_interpreters.cache_clear()
    return choose(installed_interpreters(uv, folder), wanted)


def choose(installed: Sequence[Interpreter], wanted: Wish) -> Interpreter:
    """The newest installed Python that fits, or UnmeasuredError that names what to install."""
    fitting = [
        each
        for each in installed
        if each.version >= _OLDEST
        and wanted.allowed.contains(each.version, prereleases=wanted.version is not None)
        and (wanted.version is None or _starts_with(each.version, wanted.version))
    ]
    if fitting:
        return max(fitting, key=lambda each: each.version)
    text = wanted.version or str(wanted.allowed)
    if wanted.version and Version(wanted.version).release[:2] < _OLDEST.release and "." in wanted.version:
        raise UsageError(
            f"{wanted.source} asks for Python {text}, and failsame measures {_OLDEST} and newer: ask for one"
        )
    there = ", ".join(sorted({str(each.version) for each in installed}, key=Version)) or "none"
    asked = f"Python {text}, asked for by {wanted.source}," if text else f"Python {_OLDEST} or newer"
    raise UnmeasuredError(
        f"{asked} is not installed (installed: {there}): install it, for example with "
        "`uv python install` or actions/setup-python, or choose another with `python:`"
    )


def _version(text: str, source: str) -> str:
    found = _WANTED.fullmatch(text.strip())
    if found is None:
        raise UsageError(f"{source} asks for {shown(repr(text))}: failsame runs CPython by its version, such as 3.12")
    return found[1]


def _starts_with(version: Version, wanted: str) -> bool:
    parts = tuple(map(int, wanted.split(".")))
    return version.release[: len(parts)] == parts


def _upwards(lock: str, name: str) -> Iterator[str]:
    """Paths of a file beside the lock file, and in every folder above it, up to the root of the repository."""
    folder = posixpath.dirname(lock)
    while folder:
        yield posixpath.join(folder, name)
        folder = posixpath.dirname(folder)
    yield name


def _project_requires(files: Files, path: str) -> str | None:
    if files.read(path) is None:
        return None
    try:
        project = tomllib.loads(read_text(files, path)).get("project")
    except (ValueError, RecursionError) as error:
        raise UsageError(f"{files.named(path)} is no TOML: {shown(str(error))}: mend it") from error
    requires = project.get("requires-python") if isinstance(project, dict) else None
    return requires if isinstance(requires, str) else None
