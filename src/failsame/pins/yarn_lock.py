"""Reads yarn.lock of either format: what is pinned, who requires it, and which files of the project decide it."""

from collections.abc import Iterable, Iterator
from itertools import islice

from failsame.errors import UsageError
from failsame.pins.files import Files, included, read_text
from failsame.pins.model import Pins
from failsame.pins.packages import Entry, checked_entry, pins_of
from failsame.pins.quoting import shown
from failsame.pins.workspaces import Manifest, manifests
from failsame.pins.yarn_blocks import REMEDY, Block, blocks_of, split, yarn_kind

_MOST_COPIES = 20
"""Of one name, where nothing tells which of them is meant; there is one, as a rule."""


def read_yarn(files: Files, path: str) -> Pins:
    """Read a yarn.lock; the project's own packages are no pins, what they require is direct.

    The classic format does not say what that is: the package.json files of the project do. Without one beside it
    whether a package is direct is None.
    """
    name, text = files.named(path), read_text(files, path)
    blocks = blocks_of(name, text)
    kind = yarn_kind(text) or "yarn"
    project = manifests(files, path) if kind == "yarn" else ()
    found = _Finder(name, blocks, frozenset(each.name for each in project or () if each.name))
    entries: dict[str, Entry] = {}
    for block in blocks:
        if block.is_own:
            continue
        version, line = block.fields.get("version", (None, block.line))
        requires = frozenset(found.all(block))
        entries[block.descriptors[0]] = checked_entry(
            f"{name} line {block.line}", block.package, version, line, requires
        )
    direct = None if project is None else {*_direct(project, found)}
    if direct is not None and kind == "yarn-berry":
        direct = {key for block in blocks if block.is_own for key in found.all(block)}
    return pins_of(path, kind, entries, direct)


def own_folders(files: Files, path: str) -> tuple[str, ...]:
    """Folders, relative to the lock file's, of the project's own packages."""
    name, text = files.named(path), read_text(files, path)
    if yarn_kind(text) == "yarn":
        return tuple(manifest.folder for manifest in manifests(files, path) or ())
    sources = [block.source for block in blocks_of(name, text)]
    return tuple(source.removeprefix("workspace:") for source in sources if source.startswith("workspace:"))


def own_patches(files: Files, path: str) -> tuple[str, ...]:
    """Paths, from the root of the tree, of the patches that the project lays over packages (yarn 2 and newer)."""
    found: dict[str, None] = {}
    for block in blocks_of(files.named(path), read_text(files, path)):
        # `name@patch:name@npm%3A1.0.0#one.patch&two.patch::version=…`
        _, _, patch = block.fields.get("resolution", ("", 0))[0].partition("@patch:")
        for file in patch.partition("#")[2].partition("::")[0].split("&"):
            # `builtin<…>` is yarn's own; `~/` stands for the project's root.
            written = file.removeprefix("optional!").removeprefix("~/")
            if written and "builtin<" not in written and (target := included(path, written)):
                found[target] = None
    return tuple(found)


class _Finder:
    """Finds the entries that requirements were resolved to, each by its first descriptor."""

    def __init__(self, name: str, blocks: Iterable[Block], own: frozenset[str]) -> None:
        self.name = name
        self.own = own
        self.by_descriptor = {each: block.descriptors[0] for block in blocks for each in block.descriptors}
        self.by_name: dict[str, dict[str, None]] = {}
        for descriptor, key in self.by_descriptor.items():
            self.by_name.setdefault(split(descriptor)[0], {})[key] = None

    def all(self, block: Block) -> Iterator[str]:
        """The entries of all that a block requires; UsageError where one has none, as in a file that was cut off."""
        for required, wanted in block.requires:
            found = self.one(required, wanted)
            if not found and required not in self.own:
                what = f"{shown(required)} is not in the file"
                raise UsageError(f"{self.name} line {block.line}: {what}, though it is required; {REMEDY}")
            yield from found

    def one(self, required: str, wanted: str) -> Iterable[str]:
        """The entry of one requirement; under `resolutions`, which replace ranges, those of that name."""
        for exact in (f"{required}@{wanted}", f"{required}@npm:{wanted}"):
            if exact in self.by_descriptor:
                return (self.by_descriptor[exact],)
        return tuple(islice(self.by_name.get(required, ()), _MOST_COPIES))


def _direct(project: tuple[Manifest, ...], found: _Finder) -> Iterator[str]:
    for manifest in project:
        for required, wanted in manifest.requires.items():
            yield from found.one(required, wanted)
