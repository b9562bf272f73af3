"""The two formats of yarn.lock, read into the same blocks: yarn 1's own ("classic"), and the YAML of yarn 2 and newer.

In both an entry stands under the descriptors that it satisfies: `name@range, name@other-range`. The classic format is
described nowhere but in yarn's parser (packages/lockfile/src/parse.js in yarnpkg/yarn).
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass, field

from failsame.errors import UsageError
from failsame.pins.model import LockKind
from failsame.pins.quoting import shown
from failsame.pins.yaml_lines import Table, load_yaml

REMEDY = "write it again with `yarn install`"

_CLASSIC = re.compile(r"^# yarn lockfile v(\S+)", re.MULTILINE)
_BERRY = re.compile(r"^__metadata:", re.MULTILINE)
_REQUIRES = ("dependencies", "optionalDependencies")
# Possessive, and matched one behind the other: the time is linear in a line, whatever it holds.
_WORD = re.compile(r'[ ,:]*+(?:"((?:[^"\\]|\\.)*+)"|([^\s",:]++))[ ,:]*+')
_FIELD = 2
_REQUIREMENT = 4


@dataclass
class Block:
    """One entry: its descriptors, the line (from 1) of those, its fields with theirs, and what it requires."""

    descriptors: tuple[str, ...]
    line: int
    fields: dict[str, tuple[str, int]] = field(default_factory=dict)
    requires: list[tuple[str, str]] = field(default_factory=list)
    """Names and ranges."""

    @property
    def source(self) -> str:
        """Where it comes from: `npm:1.0.0`, `workspace:packages/a`; in the classic format its range."""
        return split(self.fields.get("resolution", (self.descriptors[0], 0))[0])[1]

    @property
    def is_own(self) -> bool:
        """Whether it is the project's own: a workspace, or a folder."""
        if self.source.startswith(("workspace:", "link:", "portal:")):
            return True
        path = self.source.partition("#")[0].partition("::")[0]
        return path.startswith("file:") and not path.endswith((".tgz", ".tar.gz"))

    @property
    def package(self) -> str:
        """The package's own name: an alias (`alias@npm:name@range`) is what the project calls it."""
        if "resolution" in self.fields:
            return split(self.fields["resolution"][0])[0]
        name, wanted = split(self.descriptors[0])
        real = wanted.removeprefix("npm:")
        return split(real)[0] if real != wanted and "@" in real[1:] else name


def split(descriptor: str) -> tuple[str, str]:
    """`@scope/name@range` -> its name and its range."""
    name, _, wanted = descriptor[1:].partition("@")
    return descriptor[:1] + name, wanted


def yarn_kind(text: str) -> LockKind | None:
    """Which yarn wrote a text; None if none did."""
    return "yarn-berry" if _BERRY.search(text) else "yarn" if _CLASSIC.search(text) else None


def blocks_of(name: str, text: str) -> tuple[Block, ...]:
    """Read either format; UsageError, with the line, for a text of neither."""
    kind = yarn_kind(text)
    if kind is None:
        raise UsageError(f"{name} is cut off or no yarn.lock: it does not say which yarn wrote it; {REMEDY}")
    return tuple(_berry(name, text) if kind == "yarn-berry" else _classic(name, text))


def _classic(name: str, text: str) -> Iterator[Block]:
    """The blocks of the classic format: below each line of descriptors an indented list of fields."""
    version = _CLASSIC.search(text)
    if version is None or version[1] != "1":
        raise UsageError(f"{name} is of a version that failsame does not read: {REMEDY}, or update failsame")
    block: Block | None = None
    section = ""
    for number, raw in enumerate(text.split("\n"), start=1):
        line = raw.rstrip()
        words = _words(line)
        depth = len(line) - len(line.lstrip(" "))
        if words == []:
            continue
        if words is None or depth not in (0, _FIELD, _REQUIREMENT) or (depth and block is None):
            raise UsageError(f"{name} line {number}: {shown(line.strip(), 80)} is no line of a yarn.lock; {REMEDY}")
        if depth == 0 or block is None:
            if block is not None:
                yield block
            block = Block(tuple(words), number)
        elif depth == _FIELD:
            section = words[0] if line.endswith(":") else ""
            block.fields.setdefault(words[0], (" ".join(words[1:]), number))
        elif section in _REQUIRES:
            block.requires.append((words[0], " ".join(words[1:])))
    if block is not None:
        yield block


def _words(line: str) -> list[str] | None:
    """The words of a line, without quotes; none for an empty line or a comment, None for what is no list of words."""
    if not line or line.lstrip().startswith("#"):
        return []
    words: list[str] = []
    at = 0
    while at < len(line):
        match = _WORD.match(line, at)
        if match is None:
            return None
        words.append(match[2] if match[1] is None else re.sub(r"\\(.)", r"\1", match[1]))
        at = match.end()
    return words if all(words) else None


def _berry(name: str, text: str) -> Iterator[Block]:
    lock = load_yaml(name, text, REMEDY)
    for key, value in lock.items():
        if key == "__metadata":
            continue
        if not isinstance(value, Table):
            raise UsageError(f"{name} line {lock.lines[key]}: {shown(key, 80)} is no entry; {REMEDY}")
        fields = {each: (said, value.lines[each]) for each, said in value.texts()}
        requires = [each for section in _REQUIRES for each in value.table(section).texts()]
        yield Block(tuple(key.split(", ")), lock.lines[key], fields, requires)
