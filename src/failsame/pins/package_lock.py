"""Reads package-lock.json and npm-shrinkwrap.json, as `npm help package-lock-json` describes them."""

import json
import posixpath
from bisect import bisect_right
from collections.abc import Collection, Iterator, Mapping, Sequence

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from failsame.errors import UsageError
from failsame.pins.files import Files, included, read_text
from failsame.pins.json_lines import load_json, members
from failsame.pins.model import Pins
from failsame.pins.packages import Entry, checked_entry, pins_of
from failsame.pins.quoting import shown

_VERSIONS = (2, 3)
_REMEDY = "write it again with `npm install --package-lock-only`"
_MODULES = "node_modules"
_LONGEST_PATH = 4096  # what Linux opens (PATH_MAX)
_DEEPEST_PATH = 200  # folders; real ones have some twenty


class _Package(BaseModel):
    """One value of `packages`; npm adds keys within one version, so unknown ones are no error."""

    model_config = ConfigDict(strict=True, extra="ignore", frozen=True)

    name: str | None = None
    version: str | None = None
    resolved: str | bool | None = None
    link: bool = False
    dependencies: dict[str, str] = {}
    optional: dict[str, str] = Field(default={}, alias="optionalDependencies")
    peer: dict[str, str] = Field(default={}, alias="peerDependencies")
    dev: dict[str, str] = Field(default={}, alias="devDependencies")

    def requires(self) -> Iterator[str]:
        """The names it requires, as it imports them."""
        for required in (self.dependencies, self.optional, self.peer):
            yield from required


class _Lock(BaseModel):
    model_config = ConfigDict(strict=True, extra="ignore", frozen=True)

    packages: dict[str, _Package]


def read_package_lock(files: Files, path: str) -> Pins:
    """Read a package-lock.json; the project and its workspaces are no pins, what they require is direct.

    Every copy of a package is a pin of its own, on the line of its version. Who requires which copy is told as Node
    finds it: in the nearest `node_modules` upwards.
    """
    name, text = files.named(path), read_text(files, path)
    packages = _parse(name, text)
    lines = _lines(text)
    entries: dict[str, Entry] = {}
    direct: set[str] = set()
    filled = {place[: -len(_called(place)) - 1] for place in packages if not _is_own(place)}
    for place, package in packages.items():
        looked_in = _looked_in(place, filled)
        required = (_found(packages, looked_in, each) for each in package.requires())
        if _is_own(place):
            own = (_found(packages, looked_in, each) for each in package.dev)
            direct.update(each for found in (required, own) for each in found if each is not None)
        elif not package.link:
            line = lines[place]
            called = package.name or _called(place)
            where = f"{name} line {line}"
            entries[place] = checked_entry(where, called, package.version, line, frozenset(filter(None, required)))
    return pins_of(path, "package-lock", entries, direct)


def own_folders(files: Files, path: str) -> tuple[str, ...]:
    """Folders, relative to the lock file's, of the project's own packages: itself, its workspaces, linked folders."""
    packages = _parse(files.named(path), read_text(files, path))
    return tuple(place or "." for place in packages if _is_own(place))


def manifest(files: Files, path: str, folder: str) -> bytes:
    """The package.json of one of the `own_folders`, as far as the lock file knows it."""
    packages = load_json(files.named(path), read_text(files, path), _REMEDY)["packages"]
    return json.dumps(packages["" if folder == "." else folder]).encode()


def own_archives(files: Files, path: str) -> tuple[str, ...]:
    """Paths, from the root of the tree, of packed packages that lie in the repository (`file:lib.tgz`)."""
    packages = _parse(files.named(path), read_text(files, path)).values()
    written = [each.resolved for each in packages if isinstance(each.resolved, str) and not each.link]
    targets = [included(path, each.removeprefix("file:")) for each in written if each.startswith("file:")]
    return tuple(target for target in targets if target is not None)


def _called(place: str) -> str:
    """What a package in a `node_modules` is imported as."""
    return place.rpartition(f"{_MODULES}/")[2]


def _is_own(place: str) -> bool:
    return _MODULES not in place.split("/")


def _found(packages: Mapping[str, _Package], looked_in: Sequence[str], required: str) -> str | None:
    """The copy of a required package that is found first; None for an own one, or one that was left out."""
    for folder in looked_in:
        candidate = f"{folder}/{required}"
        if candidate in packages:
            return None if packages[candidate].link else candidate
    return None


def _looked_in(place: str, filled: Collection[str]) -> tuple[str, ...]:
    """Where a package at a place looks for others: in the `node_modules` beside its files, and in those above."""
    folders = [place]
    while folders[-1]:
        folders.append(posixpath.dirname(folders[-1]))
    modules = (posixpath.join(folder, _MODULES) for folder in folders if posixpath.basename(folder) != _MODULES)
    return tuple(each for each in modules if each in filled)


def _lines(text: str) -> dict[str, int]:
    """The line (from 1) of each package's version, or of the package where it has none."""
    ends = [at for at, character in enumerate(text) if character == "\n"]
    places = {}
    start = dict(members(text))["packages"]
    for place, at in members(text, start):
        places[place] = 1 + bisect_right(ends, dict(members(text, at)).get("version", at))
    return places


def _parse(name: str, text: str) -> Mapping[str, _Package]:
    data = load_json(name, text, _REMEDY)
    version = data.get("lockfileVersion")
    if version not in _VERSIONS or isinstance(version, bool):
        older = version == 1
        remedy = f"{_REMEDY}, npm 7 or newer" if older else "update failsame, or lock with the npm that matches it"
        raise UsageError(f"{name} says lockfileVersion {shown(repr(version))}, and failsame reads 2 and 3: {remedy}")
    try:
        packages = _Lock.model_validate(data).packages
    except ValidationError as error:
        first = error.errors()[0]
        where = ".".join(map(str, first["loc"]))
        raise UsageError(f"{name}: {shown(where)}: {shown(first['msg'])}; {_REMEDY}") from error
    for place in packages:
        if len(place) > _LONGEST_PATH or place.count("/") > _DEEPEST_PATH:
            raise UsageError(f"{name}: {shown(place, 40)} is longer than a path may be; {_REMEDY}")
    return packages
