"""Reads uv.lock. Its layout is described by its version number: https://docs.astral.sh/uv/concepts/resolution/#lockfile-versioning."""

from collections import defaultdict
from collections.abc import Iterable
from typing import Any

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from failsame.errors import UsageError
from failsame.pins.files import Files, read_text
from failsame.pins.model import Pin, Pins
from failsame.pins.quoting import shown
from failsame.pins.tables import checked_name, checked_version, load, pin_lines

_VERSION = 1
_REMEDY = "write it again with `uv lock`"
_LOCAL_SOURCES = ("editable", "virtual", "directory")


class _Part(BaseModel):
    """A part of the file; uv adds keys within one version, so unknown ones are no error."""

    model_config = ConfigDict(strict=True, extra="ignore", frozen=True)


class _Dependency(_Part):
    name: str


class _Package(_Part):
    name: str
    version: str | None = None
    source: dict[str, Any]
    dependencies: list[_Dependency] = []
    optional: dict[str, list[_Dependency]] = Field(default={}, alias="optional-dependencies")
    groups: dict[str, list[_Dependency]] = Field(default={}, alias="dev-dependencies")

    def requires(self) -> Iterable[_Dependency]:
        for requirements in (self.dependencies, *self.optional.values(), *self.groups.values()):
            yield from requirements

    def folder(self) -> str | None:
        """The folder, relative to the lock file, of a package that is the project's own."""
        return next((str(self.source[kind]) for kind in _LOCAL_SOURCES if kind in self.source), None)


class _Manifest(_Part):
    """Requirements of a workspace without a project, or of a script."""

    requirements: list[_Dependency] = []
    groups: dict[str, list[_Dependency]] = Field(default={}, alias="dependency-groups")


class _Lock(_Part):
    requires_python: str | None = Field(default=None, alias="requires-python")
    package: list[_Package] = []
    manifest: _Manifest = _Manifest()


def read_uv(files: Files, path: str) -> Pins:
    """Read a uv.lock; the project's own packages are no pins, what they require is direct."""
    name, text = files.named(path), read_text(files, path)
    lock = _parse(name, text)
    lines = pin_lines(name, text, "package", [(package.name, package.version) for package in lock.package], _REMEDY)
    direct = {checked_name(name, each.name) for each in lock.manifest.requirements}
    direct |= {checked_name(name, each.name) for group in lock.manifest.groups.values() for each in group}
    requirers: dict[str, set[str]] = defaultdict(set)
    held = {checked_name(name, package.name) for package in lock.package}
    for package, line in zip(lock.package, lines, strict=True):
        for requirement in package.requires():
            required = checked_name(f"{name} line {line}", requirement.name)
            if required not in held:  # also how a file shows that was cut off between two tables
                raise UsageError(
                    f"{name} line {line}: {package.name} requires {required}, which is not in the file; {_REMEDY}"
                )
            if package.folder() is None:
                requirers[required].add(checked_name(name, package.name))
            else:
                direct.add(required)
    pins: dict[str, list[Pin]] = defaultdict(list)
    for package, line in zip(lock.package, lines, strict=True):
        if package.folder() is not None:
            continue
        where = f"{name} line {line}"
        if package.version is None:
            raise UsageError(f"{where}: {shown(package.name)} has no version; {_REMEDY}")
        key = checked_name(where, package.name)
        pins[key].append(
            Pin(
                package=key,
                version=checked_version(where, package.version),
                lock=path,
                line=line,
                direct=key in direct,
                required_by=tuple(sorted(requirers[key] - {key})),
            )
        )
    return Pins(
        lock=path,
        kind="uv",
        pins={key: tuple(pins[key]) for key in sorted(pins)},
        requires_python=lock.requires_python,
    )


def own_folders(files: Files, path: str) -> tuple[str, ...]:
    """Folders, relative to the lock file's, of the packages that are the project's own: members and local paths."""
    lock = _parse(files.named(path), read_text(files, path))
    return tuple(folder for package in lock.package if (folder := package.folder()) is not None)


def _parse(name: str, text: str) -> _Lock:
    data = load(name, text, _REMEDY)
    version = data.get("version")
    if version != _VERSION:
        raise UsageError(
            f"{name} says version {shown(repr(version))}, and failsame reads version {_VERSION}: "
            "update failsame, or lock with the uv that matches it"
        )
    try:
        return _Lock.model_validate(data)
    except ValidationError as error:
        first = error.errors()[0]
        where = ".".join(map(str, first["loc"]))
        raise UsageError(f"{name}: {shown(where)}: {shown(first['msg'])}; {_REMEDY}") from error
