"""Holds an environment made from requirements against the lock file: what is required must be there, and pinned."""

import re
from collections.abc import Callable
from importlib.metadata import distributions
from pathlib import Path

from packaging.utils import canonicalize_name

from failsame.environments.complaints import place
from failsame.errors import UsageError
from failsame.pins import Pins
from failsame.pins.quoting import shown

# pip-compile leaves these out of what it writes (its --unsafe-package), so a lock file without them is whole.
_NEVER_PINNED = frozenset({"distribute", "pip", "setuptools"})

_MISSING = re.compile(r"The package `([\w.-]+)` requires `([\w.-]+)[^`]*`, but it's not installed")


def hold_against_pins(
    folders: tuple[Path, ...], pins: Pins, *, check: Callable[[], str], resolve: Callable[[], None]
) -> None:
    """Raise UsageError for a package that is required, and not pinned.

    A list of direct requirements is no lock file: what they bring would have other versions tomorrow, which could not
    be told from the upgrade's changes. `check` says what is missing, in the words of `uv pip check`; `resolve` installs
    what the requirements bring, which is wanted where constraints pin it.
    """
    missing = _missing(check())
    if missing and all(package in pins.pins for _, package in missing):
        resolve()
        missing = _missing(check())
        held = {canonicalize_name(each.name) for each in distributions(path=list(map(str, folders)))}
        missing += [(pins.lock, package) for package in sorted(held - set(pins.pins))]
    for requirer, package in missing:
        if package not in _NEVER_PINNED:
            raise UsageError(
                f"{place(pins, requirer)}: {requirer} requires {package}, which {shown(pins.lock)} does not pin: "
                "pin all packages, for example with `uv pip compile`"
            )


def _missing(said: str) -> list[tuple[str, str]]:
    """Pairs of who requires and what is missing, by normalised names."""
    return [(canonicalize_name(requirer), canonicalize_name(package)) for requirer, package in _MISSING.findall(said)]
