"""The package.json files of a project: what it requires itself, and the folders of its workspaces.

Lock files of npm, pnpm and newer yarns know the workspaces; yarn 1's does not, so its patterns are followed here.
"""

import posixpath
from collections.abc import Mapping
from dataclasses import dataclass
from fnmatch import fnmatchcase
from typing import Any

from failsame.errors import UsageError
from failsame.pins.files import Files, included, read_text
from failsame.pins.json_lines import load_json
from failsame.pins.quoting import shown

_REQUIRES = ("dependencies", "devDependencies", "optionalDependencies")
_MOST_FOLDERS = 5_000
_NEVER = frozenset({"node_modules", ".git"})


@dataclass(frozen=True)
class Manifest:
    """A package.json: its folder, relative to the lock file's, its name, and what it requires (name -> range)."""

    folder: str
    name: str | None
    requires: Mapping[str, str]


def manifests(files: Files, lock: str) -> tuple[Manifest, ...] | None:
    """The project's package.json beside a lock file, and those of its workspaces; None where there is none."""
    root = posixpath.dirname(lock)
    beside = posixpath.join(root, "package.json")
    if files.read(beside) is None:
        return None
    data = _load(files, beside)
    found = [_manifest(".", data)]
    for folder in sorted(_folders(files, root, _patterns(data))):
        member = posixpath.join(root, folder, "package.json")
        if files.read(member) is not None:
            found.append(_manifest(folder, _load(files, member)))
    return tuple(found)


def _load(files: Files, path: str) -> dict[str, Any]:
    return load_json(files.named(path), read_text(files, path), "mend it")


def _manifest(folder: str, data: Mapping[str, Any]) -> Manifest:
    sections = [data.get(section) for section in _REQUIRES]
    required = [each for section in sections if isinstance(section, dict) for each in section.items()]
    name = data.get("name")
    wishes = {each: wanted for each, wanted in required if isinstance(wanted, str)}
    return Manifest(folder, name if isinstance(name, str) else None, wishes)


def _patterns(data: Mapping[str, Any]) -> list[str]:
    """The patterns under `workspaces`: a list, or a table that has it under `packages`."""
    written = data.get("workspaces")
    listed = written.get("packages") if isinstance(written, dict) else written
    return [each for each in listed if isinstance(each, str)] if isinstance(listed, list) else []


def _folders(files: Files, root: str, patterns: list[str]) -> set[str]:
    """The folders, relative to the root, that the patterns match in turn; those after `!` are taken out again."""
    found: set[str] = set()
    for pattern in patterns:
        written = [part for part in pattern.removeprefix("!").split("/") if part not in ("", ".")]
        parts = tuple(
            part for part, before in zip(written, ["", *written], strict=False) if part != "**" or before != "**"
        )
        if included(posixpath.join(root, "package.json"), "/".join(parts)) is None:
            raise UsageError(f"{shown(root or '.')}: the workspace {shown(repr(pattern), 60)} leads outside: mend it")
        folders = _matching(files, root, parts)
        found = found - folders if pattern.startswith("!") else found | folders
    return found - {""}  # the project itself


def _matching(files: Files, root: str, parts: tuple[str, ...]) -> set[str]:
    """The folders that a pattern leads to, part by part; `**` stands for any number of folders."""
    waiting = [("", parts)]
    seen = set(waiting)
    found: set[str] = set()
    while waiting:
        folder, ahead = waiting.pop()
        if not ahead:
            found.add(folder)
            continue
        first, rest = ahead[0], ahead[1:]
        inside = [name for name in files.folders(posixpath.join(root, folder)) if name not in _NEVER]
        if first == "**":
            steps = [(folder, rest), *((posixpath.join(folder, name), ahead) for name in inside)]
        else:
            steps = [(posixpath.join(folder, name), rest) for name in inside if fnmatchcase(name, first)]
        waiting += [step for step in steps if step not in seen]
        seen.update(steps)
        if len(seen) > _MOST_FOLDERS:
            raise UsageError(f"{shown(root or '.')}: workspaces among more than {_MOST_FOLDERS} folders: narrow them")
    return found
