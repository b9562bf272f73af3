"""What uv says when it fails, turned into one line: what is wrong, on which line of the lock file, how to mend it.

uv has no machine-readable errors; these are its sentences as of 0.13. What matches none is passed on, shortened.
"""

import re
from collections.abc import Callable

from packaging.utils import canonicalize_name

from failsame.errors import FailsameError, UnmeasuredError, UsageError
from failsame.pins import Pins
from failsame.pins.quoting import shown
from failsame.text import how_ended

Explain = Callable[[re.Match[str], Pins], FailsameError]


def place(pins: Pins, package: str) -> str:
    """Where a package is pinned: `requirements.txt line 4`; the lock file alone for a package that it does not pin."""
    name = canonicalize_name(package) if pins.language == "python" else package
    found = pins.pins.get(name, ())
    return f"{shown(found[0].lock)} line {found[0].line}" if found else shown(pins.lock)


def _no_package(match: re.Match[str], pins: Pins) -> FailsameError:
    name = match["name"]
    return UnmeasuredError(f"{place(pins, name)}: the index has no package {shown(name)}: mend the name, or {_INDEX}")


def _no_version(match: re.Match[str], pins: Pins) -> FailsameError:
    pin = f"{match['name']} {match['version']}"
    return UnmeasuredError(f"{place(pins, match['name'])}: the index has no {shown(pin)}: lock again, or {_INDEX}")


def _no_wheel(match: re.Match[str], pins: Pins) -> FailsameError:
    name = shown(match["name"])
    return UnmeasuredError(
        f"{place(pins, name)}: {name} has no wheel for this Python, and no build code is run: "
        f"allow it with `build: [{name}]`, or choose another Python with `python:`"
    )


def _build_failed(match: re.Match[str], pins: Pins) -> FailsameError:
    name = shown(match["name"])
    return UnmeasuredError(
        f"{place(pins, name)}: {name} cannot be built: {_said(match.string)}; pin a release with a wheel"
    )


def _wrong_hash(match: re.Match[str], pins: Pins) -> FailsameError:
    pin = f"{match['name']} {match['version']}"
    return UnmeasuredError(f"{place(pins, match['name'])}: the index's {shown(pin)} has another hash: lock again")


def _no_hash(match: re.Match[str], pins: Pins) -> FailsameError:
    name = match["name"]
    return UsageError(f"{place(pins, name)}: {shown(name)} has no hash, though others have: lock again with all hashes")


def _no_such_hash(match: re.Match[str], pins: Pins) -> FailsameError:
    return UsageError(f"{shown(pins.lock)}: {shown(match['hash'])} is no hash: lock again, all of it")


def _no_file(match: re.Match[str], pins: Pins) -> FailsameError:
    pin = f"{match['name']} {match['version']}"
    return UnmeasuredError(f"{place(pins, match['name'])}: the file of {shown(pin)} is gone from the index: lock again")


def _no_network(match: re.Match[str], _pins: Pins) -> FailsameError:
    address = re.search(r"https?://[^\s/)]+", match.string)
    where = shown(address[0].rpartition("@")[2]) if address else "the package index"
    return UnmeasuredError(
        f"{where} cannot be reached ({_said(match.string)}): check the network, the proxy variables, or {_INDEX}"
    )


def _no_space(_match: re.Match[str], _pins: Pins) -> FailsameError:
    return UnmeasuredError(
        "no space left for the environment: free some, or set FAILSAME_CACHE and UV_CACHE_DIR elsewhere"
    )


def _unknown_part(match: re.Match[str], pins: Pins) -> FailsameError:
    return UsageError(f"{shown(pins.lock)}: {shown(match[0])}: mend `groups:`, `extras:` or `package:`")


_INDEX = "name your own index with UV_DEFAULT_INDEX or UV_INDEX"
_NAME = r"(?P<name>[A-Za-z0-9][A-Za-z0-9._-]*)"
_PIN = _NAME + r"(?:\[[^\]]*\])?==(?P<version>[A-Za-z0-9.!+_-]+)"

# The first that matches anywhere in uv's output explains it: causes before the consequences that uv names as well.
_COMPLAINTS: tuple[tuple[str, Explain], ...] = (
    (r"No space left on device|Disk quota exceeded", _no_space),
    (_NAME + r" was not found in the (?:package registry|provided package locations)", _no_package),
    (r"there (?:is|are) no versions? of " + _PIN, _no_version),
    (_PIN + r" has no (?:usable )?wheels", _no_wheel),
    (r"Package `" + _NAME + r"` can't be installed because it is marked as `--no-build`", _no_wheel),
    (r"Wheels are required for `" + _NAME + "`", _no_wheel),
    (r"[Bb]uilding source distributions? (?:for `?" + _NAME + r"`? )?is disabled", _no_wheel),
    (r"Hash mismatch for `" + _PIN, _wrong_hash),
    (r"all requirements must have a hash, but none were provided for: " + _NAME, _no_hash),
    (r"Unexpected hash \([^)]*\): (?P<hash>\S*)", _no_such_hash),
    (r"Failed to download `" + _PIN + r"(?s:.*)404 Not Found", _no_file),
    (
        r"error sending request|dns error|connect error|tunnel error|timed out|network (?:.* is|was) disabled",
        _no_network,
    ),
    (r"Failed to (?:download and )?build `" + _NAME, _build_failed),
    (r"(?:Group|Extra) `[^`]*` is not defined[^\n]*|workspace does not have a member [^\s:]*", _unknown_part),
)


def explain(output: str, status: int, pins: Pins) -> FailsameError:
    """The error for what uv said and the status that it ended with (negative for a signal)."""
    if status < 0:
        return UnmeasuredError(
            f"uv was ended by {how_ended(status)} while installing {shown(pins.lock)}: give it more memory, run again"
        )
    for pattern, complaint in _COMPLAINTS:
        if match := re.search(pattern, output):
            return complaint(match, pins)
    return UnmeasuredError(f"{shown(pins.lock)} cannot be installed: {_said(output)}; try `uv pip sync` by hand")


def _said(output: str) -> str:
    """The innermost cause that uv names, or its error, or its last line."""
    lines = [line.strip() for line in output.splitlines() if line.strip()]
    causes = [line.removeprefix("cause: ") for line in lines if line.startswith("cause: ")]
    errors = [line.removeprefix("error: ") for line in lines if line.startswith("error: ")]
    return shown((causes or errors or lines or ["uv said nothing"])[-1])
