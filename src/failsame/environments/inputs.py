"""Everything of a repository that decides what is installed, and nothing else."""

import posixpath
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from failsame.environments.model import Recipe
from failsame.errors import UsageError
from failsame.pins import Pins, Recorder, read_lock
from failsame.pins.files import included
from failsame.pins.uv import own_folders


@dataclass(frozen=True)
class Inputs:
    """What the lock file pins, and the contents, by path in the repository, of all files that uv needs to see."""

    pins: Pins
    contents: Mapping[str, bytes]


def gather(recipe: Recipe) -> Inputs:
    """Read the lock file with what it includes; for a uv.lock also the projects it was made from."""
    recorder = Recorder(recipe.files)
    pins = read_lock(recorder, recipe.lock)
    if pins.kind == "uv":
        project = posixpath.join(posixpath.dirname(recipe.lock), "pyproject.toml")
        if recorder.read(project) is None:
            raise UsageError(
                f"{recipe.files.named(recipe.lock)} has no pyproject.toml beside it, which says what it is for: "
                "add it, or name another lock file with `lock:`"
            )
        for folder in own_folders(recipe.files, recipe.lock):
            member = included(recipe.lock, posixpath.join(folder, "pyproject.toml"))
            if member is not None:
                recorder.read(member)
    return Inputs(pins, recorder.contents)


def write_inputs(inputs: Inputs, folder: Path) -> Path:
    """Write the files into an empty folder, laid out as in the repository; return the lock file's copy.

    uv works on the copies: it neither reads another file of the repository nor writes into it.
    """
    for path, content in inputs.contents.items():
        copy = folder / path
        copy.parent.mkdir(parents=True, exist_ok=True)
        copy.write_bytes(content)
    return folder / inputs.pins.lock
