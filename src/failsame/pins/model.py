"""What a lock file pins, and what changed between two of them."""

from collections.abc import Mapping
from typing import Literal

from pydantic import Field

from failsame.language import Language
from failsame.model import Model

LockKind = Literal["requirements", "uv", "pylock", "package-lock", "pnpm", "yarn", "yarn-berry"]

LANGUAGES: Mapping[LockKind, Language] = {
    "requirements": "python",
    "uv": "python",
    "pylock": "python",
    "package-lock": "node",
    "pnpm": "node",
    "yarn": "node",
    "yarn-berry": "node",
}
"""Whose packages each kind of lock file pins."""


class Pin(Model):
    """One package at one version, on one line (from 1) of one lock file.

    Names are as installed packages have them: Python's normalised (PEP 503), npm's as they are, scope included.
    `required_by` holds the names of the pinned packages that require it, where the lock file tells;
    `direct` says whether the project itself requires it, None where the lock file cannot tell.
    """

    package: str
    version: str
    lock: str
    line: int
    direct: bool | None = None
    required_by: tuple[str, ...] = ()


class Pins(Model):
    """All pins of one lock file (and of the files it includes), by name.

    A package that is pinned several times, under different markers or as nested copies, has several pins.
    """

    lock: str
    kind: LockKind
    pins: Mapping[str, tuple[Pin, ...]] = Field(default_factory=dict)
    requires_python: str | None = None

    @property
    def language(self) -> Language:
        """Whose packages these are."""
        return LANGUAGES[self.kind]


class Change(Model):
    """One package that an upgrade moved: `before` is None if it came, `after` if it went.

    `line` is where it stands in the new lock file, or in the old one if it went.
    """

    language: Language = "python"
    package: str
    before: str | None
    after: str | None
    direct: bool | None = None
    lock: str
    line: int | None = None
    through: tuple[str, ...] = ()
    """The direct requirements that brought it, where the lock file tells."""
