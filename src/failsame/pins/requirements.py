"""Reads requirements.txt as pip-compile and uv write it, with the files it includes by `-r` and `-c`."""

import codecs
import re
import tempfile
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from packaging.version import InvalidVersion, Version
from pip_requirements_parser import InstallRequirement, RequirementsFile

from failsame.errors import UnmeasuredError, UsageError
from failsame.pins.annotations import Via, read_via
from failsame.pins.files import Files, included, read_text
from failsame.pins.model import Pin, Pins
from failsame.pins.quoting import shown
from failsame.pins.tables import checked_name

_MOST_FILES = 100
_INCLUDES = {"requirements": "-r", "constraints": "-c"}
_PIN_ALL = "pin all versions, for example with `uv pip compile --generate-hashes requirements.in -o requirements.txt`"

# A line of a hash alone, as pip-compile and uv write them: nine tenths of a file. uv compares hashes, and the library
# takes each apart a character at a time.
_HASH = re.compile(r"^[ \t]+--hash=[a-z0-9]+:[0-9a-f]{32,}(?=[ \t]*\\?\r?$)", re.MULTILINE)

# Python ends lines at these, too; uv, which installs the file, and editors do not.
_NO_LINE_ENDS = str.maketrans(dict.fromkeys("\x0b\x0c\x1c\x1d\x1e\x85\u2028\u2029", " "))


@dataclass(frozen=True)
class _Found:
    """One requirement: `version` is None where it is not pinned by its own line."""

    package: str
    version: str | None
    file: str
    line: int
    text: str
    constraint: bool
    via: Via | None


def read_requirements(files: Files, path: str) -> Pins:
    """Read a requirements file and all that it includes.

    A constraint pins a requirement that has no version itself, and what the requirements bring. The project's
    own requirement is a package whose `# via` names no pinned package; without such comments `direct` is None.
    """
    reader = _Reader(files)
    reader.read(path, constraint=False, stack=(), missing=None)
    constrained = {each.package for each in reader.found if each.constraint and each.version}
    for each in reader.found:
        if each.version is None and not each.constraint and each.package not in constrained:
            raise UsageError(f"{files.named(each.file)} line {each.line}: {shown(each.text)} is not pinned: {_PIN_ALL}")
    required = {each.package for each in reader.found if not each.constraint}
    own_version = {each.package for each in reader.found if not each.constraint and each.version}
    taken = [each for each in reader.found if each.version and not (each.constraint and each.package in own_version)]
    if not taken:
        raise UsageError(f"{files.named(path)} pins nothing: {_PIN_ALL}")
    names = {each.package for each in taken}
    pins: dict[str, dict[tuple[str, int], Pin]] = defaultdict(dict)
    for each in taken:
        pins[each.package][each.file, each.line] = Pin(
            package=each.package,
            version=each.version or "",
            lock=each.file,
            line=each.line,
            direct=_direct(each, names, required),
            required_by=tuple(sorted((each.via.packages & names) - {each.package})) if each.via else (),
        )
    return Pins(
        lock=path,
        kind="requirements",
        pins={name: tuple(pins[name].values()) for name in sorted(pins)},
    )


def _direct(found: _Found, names: set[str], required: set[str]) -> bool | None:
    if found.via:
        # uv export names a project that is not itself in the file as if it were a package.
        return found.via.project or bool(found.via.packages - names)
    return False if found.package not in required else None


class _Reader:
    """Walks the includes, depth first, each file once."""

    def __init__(self, files: Files) -> None:
        self.files = files
        self.found: list[_Found] = []
        self._done: set[tuple[str, bool]] = set()

    def read(self, path: str, *, constraint: bool, stack: tuple[str, ...], missing: str | None) -> None:
        name = self.files.named(path)
        text = read_text(self.files, path, (lambda _: missing) if missing else None).translate(_NO_LINE_ENDS)
        self._done.add((path, constraint))
        if len(self._done) > _MOST_FILES:
            raise UsageError(f"{name} is one of more than {_MOST_FILES} included files: flatten the requirements")
        parsed = _parse(name, text)
        lines = text.splitlines()
        for invalid in parsed.invalid_lines:
            line = _first_line(lines, invalid.line_number)
            raise UsageError(
                f"{name} line {line}: {shown(_one_line(invalid.error_message))}: mend the line, or compile again"
            )
        for option in parsed.options:
            line = _first_line(lines, option.line_number)
            if "no_binary" in option.options:
                raise UsageError(
                    f"{name} line {line}: --no-binary would run build code: take it out, and name the package "
                    "under `build:` in the configuration"
                )
            for kind, flag in _INCLUDES.items():
                for target in option.options.get(kind, ()):
                    self._include(path, line, flag, str(target), constraint=constraint, stack=(*stack, path))
        starts = [requirement.line_number for requirement in parsed.requirements]
        comments = _comments_by_start(parsed, starts)
        for requirement in parsed.requirements:
            via = read_via(comments[requirement.line_number])
            self.found.append(_found(name, path, lines, requirement, constraint=constraint, via=via))

    def _include(
        self, path: str, line: int, flag: str, target: str, *, constraint: bool, stack: tuple[str, ...]
    ) -> None:
        where = f"{self.files.named(path)} line {line}: {flag} {shown(target)}"
        if re.match(r"[A-Za-z][A-Za-z0-9+.-]*:", target):
            raise UsageError(f"{where} is a URL, which failsame does not fetch: keep a copy in the repository")
        found = included(path, target)
        if found is None:
            raise UsageError(f"{where} leads outside the repository: put a copy of the file inside")
        if found in stack:
            raise UsageError(f"{where} includes itself: {shown(' -> '.join((*stack, found)))}; take one include out")
        constrains = constraint or flag == "-c"
        if (found, constrains) not in self._done:
            missing = f"{where} is not there: add the file, or take the line out"
            self.read(found, constraint=constrains, stack=stack, missing=missing)


def _parse(name: str, text: str) -> RequirementsFile:
    """Parse the text alone. The library reads only files, by an encoding that the file's own comments may choose.

    A byte order mark in front of a copy settles the encoding; included files are never followed by the library.
    """
    try:
        with tempfile.TemporaryDirectory(prefix="failsame-") as folder:
            copy = Path(folder, "requirements.txt")
            copy.write_bytes(codecs.BOM_UTF8 + _HASH.sub("", text).encode())
            return RequirementsFile.from_file(str(copy), include_nested=False)
    except OSError as error:
        reason = shown(error.strerror or str(error))
        raise UnmeasuredError(f"no copy of {name} can be written: {reason}: name another folder with TMPDIR") from error
    except Exception as error:  # the library raises bare Exception for lines it cannot take apart
        raise UsageError(f"{name} is no requirements file: {shown(_one_line(str(error)))}: compile it again") from error


def _found(
    name: str, path: str, lines: Sequence[str], requirement: InstallRequirement, *, constraint: bool, via: Via | None
) -> _Found:
    line = _first_line(lines, requirement.line_number)
    where = f"{name} line {line}"
    text = str(requirement.requirement_line.line)
    if requirement.link is not None or requirement.is_editable or requirement.name is None:
        raise UsageError(
            f"{where}: {shown(text, 80)} is a path or URL and not a pinned version: pin a release from an index, and "
            "leave the project's own code to `root:`"
        )
    package = checked_name(where, requirement.name)
    return _Found(package, _pinned(requirement), path, line, text[:80], constraint, via)


def _pinned(requirement: InstallRequirement) -> str | None:
    """The version of `name==version`, as installed metadata spells it; None for any other requirement."""
    specifiers = list(requirement.specifier or ())
    if len(specifiers) != 1 or specifiers[0].operator not in {"==", "==="}:
        return None
    try:
        return str(Version(specifiers[0].version))
    except InvalidVersion:  # ==1.* or ===anything
        return None


def _comments_by_start(parsed: RequirementsFile, starts: Sequence[int]) -> dict[int, list[str]]:
    """Comments by the first line of the requirement that they follow, or stand behind."""
    comments: dict[int, list[str]] = defaultdict(list)
    ordered = iter(sorted(starts))
    upcoming = next(ordered, None)
    owner = 0
    for comment in sorted(parsed.comments, key=lambda comment: comment.line_number):
        while upcoming is not None and upcoming <= comment.line_number:
            owner, upcoming = upcoming, next(ordered, None)
        comments[owner].append(comment.line)
    return comments


def _first_line(lines: Sequence[str], number: int) -> int:
    """The line with the first word: the library counts from the first backslash, though nothing stand before it."""
    while number < len(lines) and not lines[number - 1].strip(" \t\\"):
        number += 1
    return number


def _one_line(text: str) -> str:
    return " ".join(text.split())
