"""Where the subject's own project is imported from."""

from pathlib import Path

from failsame.pins import Tree
from failsame.pins.uv import own_folders


def import_paths(root: Path, lock: Path | None = None) -> tuple[str, ...]:
    """Folders for the subject's sys.path: the project's root and its `src`, and those of its workspace.

    The project is not installed, since that would run its build code. `lock` is the working tree's lock file: a uv.lock
    knows which other packages of the repository the project is made with.
    """
    folders = [root]
    if lock is not None and lock.name == "uv.lock" and lock.is_file():
        folders += [lock.parent / folder for folder in own_folders(Tree(lock.parent), lock.name)]
    paths = [path for folder in folders for path in (folder / "src", folder) if path.is_dir()]
    return tuple(dict.fromkeys(str(path.resolve()) for path in paths))
