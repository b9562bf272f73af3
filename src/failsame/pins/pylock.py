"""Reads pylock.toml, the standard lock file (https://packaging.python.org/en/latest/specifications/pylock-toml/)."""

from collections import defaultdict

from packaging.pylock import Package, Pylock, PylockValidationError

from failsame.errors import UsageError
from failsame.pins.files import Files, read_text
from failsame.pins.model import Pin, Pins
from failsame.pins.quoting import shown
from failsame.pins.tables import load, pin_lines

_VERSION = "1.0"
_REMEDY = "write it again with the tool that made it, for example `uv export --format pylock.toml`"


def read_pylock(files: Files, path: str) -> Pins:
    """Read a pylock.toml.

    The format does not say what the project itself requires, unless the project is one of its packages; whether a
    package is direct is then None. Dependencies are optional in it, too.
    """
    name, text = files.named(path), read_text(files, path)
    data = load(name, text, _REMEDY)
    version = data.get("lock-version")
    if version != _VERSION:
        raise UsageError(
            f"{name} says lock-version {shown(repr(version))}, and failsame reads {_VERSION}: "
            "update failsame, or export in that version"
        )
    try:
        lock = Pylock.from_dict(data)
    except (PylockValidationError, TypeError, ValueError, AttributeError) as error:
        raise UsageError(f"{name} does not keep to the pylock format: {shown(str(error))}; {_REMEDY}") from error
    written = [(each["name"], each.get("version")) for each in data["packages"]]
    lines = pin_lines(name, text, "packages", written, _REMEDY)

    direct: set[str] = set()
    requirers: dict[str, set[str]] = defaultdict(set)
    for package in lock.packages:
        for required in _requires(package):
            if package.directory is None:
                requirers[required].add(package.name)
            else:
                direct.add(required)
    knows_direct = any(package.directory and package.dependencies for package in lock.packages)
    pins: dict[str, list[Pin]] = defaultdict(list)
    for package, line in zip(lock.packages, lines, strict=True):
        if package.directory is not None:  # the project's own
            continue
        if package.version is None:
            raise UsageError(f"{name} line {line}: {package.name} has no version, so it is not pinned; {_REMEDY}")
        pins[package.name].append(
            Pin(
                package=package.name,
                version=str(package.version),
                lock=path,
                line=line,
                direct=package.name in direct if knows_direct else None,
                required_by=tuple(sorted(requirers[package.name] - {package.name})),
            )
        )
    return Pins(
        lock=path,
        kind="pylock",
        pins={key: tuple(pins[key]) for key in sorted(pins)},
        requires_python=None if lock.requires_python is None else str(lock.requires_python),
    )


def _requires(package: Package) -> set[str]:
    """Names of what a package requires; the format holds any table that picks out one package."""
    return {str(each["name"]) for each in package.dependencies or () if isinstance(each.get("name"), str)}
