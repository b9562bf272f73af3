"""The baselines that count: the pull request's own where it changed them, else those of the base branch as it is now.

A re-run sees the commit of its first run, and so none of the baselines that were merged since: they are fetched.
"""

from collections.abc import Iterator
from pathlib import Path

from failsame.baseline import COMING
from failsame.github.api import Comparison, Repository
from failsame.github.earlier import blob_id
from failsame.pins import Tree


def lay_out(
    folder: str, *, workspace: Path, branch: str, comparison: Comparison, github: Repository, into: Path
) -> None:
    """Write the baselines that count into an empty folder; `folder` is where they lie, `branch` the base branch.

    Raises UsageError for one that cannot be read, as one that is a link to elsewhere.
    """
    committed = Tree(workspace)
    for part in (folder, f"{folder}/{COMING}"):
        tip = github.folder(part, branch).files
        before = None if comparison.paths is not None else github.folder(part, comparison.base).files
        here = {name: committed.read(f"{part}/{name}") for name in _names(workspace / part)}
        target = into / Path(part).relative_to(folder)
        target.mkdir(parents=True, exist_ok=True)
        for name in sorted({name for name in (*tip, *here) if name.endswith(".json")}):
            path, own = f"{part}/{name}", here.get(name)
            own_id = None if own is None else blob_id(own)
            changed = path in (comparison.paths or ()) if before is None else own_id != before.get(name)
            content = own if changed or own_id == tip.get(name) else github.file(path, branch)
            if content is not None:
                (target / name).write_bytes(content)


def _names(folder: Path) -> Iterator[str]:
    if folder.is_dir():
        yield from (file.name for file in folder.glob("*.json") if file.is_file())
