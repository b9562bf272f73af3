"""The languages that subjects are written in, and the files of each."""

from collections.abc import Mapping
from pathlib import PurePosixPath
from typing import Literal

Language = Literal["python", "node"]

SUFFIXES: Mapping[Language, tuple[str, ...]] = {
    "python": (".py",),
    "node": (".mjs", ".js", ".cjs", ".ts"),
}
"""The kinds of files that a subject may be."""

WATCHED: Mapping[Language, tuple[str, ...]] = {
    "python": (".py",),
    "node": (".js", ".mjs", ".cjs", ".ts", ".mts", ".cts"),
}
"""The kinds of files that a subject may import, and whose change may change it."""


def language_of(file: str) -> Language | None:
    """The language of a subject's file, by its suffix; None for a file that is no subject."""
    suffix = PurePosixPath(file).suffix
    return next((language for language, suffixes in SUFFIXES.items() if suffix in suffixes), None)
