"""Everything of a repository that decides what npm, pnpm or yarn install, and nothing else."""

import posixpath
from collections.abc import Callable, Iterator, Mapping

from failsame.environments.inputs import Inputs
from failsame.environments.model import Recipe
from failsame.errors import UsageError
from failsame.pins import Recorder, package_lock, pnpm_lock, read_lock, yarn_lock
from failsame.pins.files import Files, included, read_text
from failsame.pins.model import LockKind
from failsame.pins.yaml_lines import Table, load_yaml

# Read from beside the lock file where they are there: registries and layout.
_SETTINGS = (".npmrc", "pnpm-workspace.yaml", ".yarnrc", ".yarnrc.yml")

_Paths = Callable[[Files, str], tuple[str, ...]]

_FOLDERS: Mapping[LockKind, _Paths] = {
    "package-lock": package_lock.own_folders,
    "pnpm": pnpm_lock.own_folders,
    "yarn": yarn_lock.own_folders,
    "yarn-berry": yarn_lock.own_folders,
}
_FILES: Mapping[LockKind, _Paths] = {
    "package-lock": package_lock.own_archives,
    "pnpm": pnpm_lock.own_patches,
    "yarn": lambda _files, _path: (),
    "yarn-berry": yarn_lock.own_patches,
}


def gather_node(recipe: Recipe) -> Inputs:
    """Read the lock file, the package.json files of the project and its workspaces, settings, patches and archives.

    A package-lock.json holds what its package.json files require, so it also stands alone, as an old one may.
    """
    recorder = Recorder(recipe.files)
    pins = read_lock(recorder, recipe.lock)
    beside = posixpath.dirname(recipe.lock)
    for folder in dict.fromkeys((".", *_FOLDERS[pins.kind](recipe.files, recipe.lock))):
        manifest = included(recipe.lock, posixpath.join(folder, "package.json"))
        if manifest is None or recorder.read(manifest) is not None:
            continue
        if pins.kind == "package-lock":
            recorder.contents[manifest] = package_lock.manifest(recipe.files, recipe.lock, folder)
        elif folder == ".":
            raise UsageError(
                f"{recipe.files.named(recipe.lock)} has no package.json beside it, which says what it is for: "
                "add it, or name another lock file with `lock:`"
            )
    for name in _SETTINGS:
        recorder.read(posixpath.join(beside, name))
    for path in (*_FILES[pins.kind](recipe.files, recipe.lock), *_yarns_own(recorder, recipe.lock)):
        recorder.read(path)
    return Inputs(pins, recorder.contents)


def _yarns_own(recorder: Recorder, lock: str) -> Iterator[str]:
    """The yarn that a project keeps, and its plugins: yarn starts nothing else where they are named."""
    settings = included(lock, ".yarnrc.yml")
    if settings is None or settings not in recorder.contents:
        return
    table = load_yaml(recorder.named(settings), read_text(recorder, settings), "mend it")
    plugins = table.get("plugins")
    named = [each.text("path") for each in plugins if isinstance(each, Table)] if isinstance(plugins, list) else []
    for written in (table.text("yarnPath"), *named):
        target = included(lock, written) if written else None
        if target is not None:
            yield target
