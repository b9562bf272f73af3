"""The `# via` comments that pip-compile and uv write below (or behind) a pinned requirement.

Forms: `# via boto3, botocore` · `# via -r requirements.in` · `# via` and then one name a line, indented by more than
one blank · `name (pyproject.toml)` for the project itself. `-c` names a constraint, which brings nothing.
"""

import re
from collections.abc import Iterable
from dataclasses import dataclass

from packaging.utils import InvalidName, canonicalize_name

_HEAD = re.compile(r"#\s*via\b(?P<rest>.*)")
_ITEM = re.compile(r"#\s{2,}(?P<rest>\S.*)")


@dataclass(frozen=True)
class Via:
    """Who brought a package: packages by normalised name, and whether the project itself did."""

    packages: frozenset[str]
    project: bool


def read_via(comments: Iterable[str]) -> Via | None:
    """Read the comments that belong to one requirement; None if none of them says `via`."""
    entries: list[str] = []
    inside = told = False
    for comment in comments:
        if head := _HEAD.fullmatch(comment):
            inside = told = True
            entries += head["rest"].split(",")
        elif inside and (item := _ITEM.fullmatch(comment)):
            entries += item["rest"].split(",")
        else:
            inside = False
    if not told:
        return None
    packages: set[str] = set()
    project = False
    for entry in (entry.strip() for entry in entries):
        if entry.startswith("-r ") or entry.endswith(")"):
            project = True
        elif entry and not entry.startswith("-"):
            try:
                packages.add(canonicalize_name(entry, validate=True))
            except InvalidName:
                continue
    return Via(frozenset(packages), project)
