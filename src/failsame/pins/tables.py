"""TOML lock files: the content by a real parser, the line numbers by a scan that is held against the content."""

import re
import tomllib
from collections.abc import Sequence
from typing import Any

from packaging.utils import InvalidName, canonicalize_name
from packaging.version import InvalidVersion, Version

from failsame.errors import UsageError
from failsame.pins.quoting import shown

_KEY = re.compile(r"""\s*(name|version)\s*=\s*["']([^"']*)["']\s*(?:#.*)?""")
_TABLE = re.compile(r"\s*\[")


def load(name: str, text: str, remedy: str) -> dict[str, Any]:
    """Parse a TOML lock file; UsageError, with the line where the parser knows it, for anything else."""
    try:
        return tomllib.loads(text)
    except (ValueError, RecursionError) as error:
        # A number of thousands of digits is a plain ValueError, arrays nested a thousand deep a RecursionError.
        reason = str(error) if isinstance(error, tomllib.TOMLDecodeError) else "it nests or counts too far"
        raise UsageError(f"{name} is cut off or no TOML: {shown(reason)}; {remedy}") from error


def pin_lines(name: str, text: str, table: str, packages: Sequence[tuple[str, str | None]], remedy: str) -> list[int]:
    """Find the line (from 1) of every package's version, or of its table's head where it has none.

    `packages` are the names and versions as the parser saw them, in order. No parser of the ecosystem gives lines; a
    scan could be fooled by strings of several lines, so each line found must say what the parser read.
    """
    head = re.compile(rf"\s*\[\[\s*{table}\s*\]\]\s*(?:#.*)?")
    lines: list[int] = []
    seen: list[dict[str, str]] = []
    inside = False
    for number, line in enumerate(text.split("\n"), start=1):
        if head.fullmatch(line):
            inside = True
            lines.append(number)
            seen.append({})
        elif _TABLE.match(line):
            inside = False
        elif inside and (key := _KEY.fullmatch(line)) and key[1] not in seen[-1]:
            seen[-1][key[1]] = key[2]
            if key[1] == "version":
                lines[-1] = number
    if [(keys.get("name"), keys.get("version")) for keys in seen] != list(packages):
        raise UsageError(
            f"{name}: its [[{table}]] tables are not laid out one key a line, so lines are unknown; {remedy}"
        )
    return lines


def checked_name(where: str, name: str) -> str:
    """Normalise a package's name, or raise UsageError; `where` names the file and the line."""
    try:
        return canonicalize_name(name, validate=True)
    except InvalidName as error:
        raise UsageError(f"{where}: {shown(repr(name))} is no package name: lock again") from error


def checked_version(where: str, version: str) -> str:
    """Normalise a version as installed metadata spells it, or raise UsageError; `where` names the file and the line."""
    try:
        return str(Version(version))
    except InvalidVersion as error:
        raise UsageError(f"{where}: {shown(repr(version))} is no version: lock again") from error
