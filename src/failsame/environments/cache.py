"""The folder of finished environments, each under the digest of what it was made from."""

import hashlib
import json
import shutil
import tempfile
import time
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

_ABANDONED = 86_400.0  # seconds; no build takes a day
_BUILDING = ".building-"


def cache_folder(environ: Mapping[str, str]) -> Path:
    """`$FAILSAME_CACHE`, else `failsame` in the user's cache folder (XDG base directory specification)."""
    if own := environ.get("FAILSAME_CACHE"):
        return Path(own).absolute()
    # The specification: a relative path is invalid and to be ignored.
    users = Path(environ.get("XDG_CACHE_HOME", ""))
    return (users if users.is_absolute() else Path(environ.get("HOME") or Path.home(), ".cache")) / "failsame"


def digest(parts: Mapping[str, Any], contents: Mapping[str, bytes]) -> str:
    """A key for the cache: 32 hex digits over settings and the contents of files."""
    files = {path: hashlib.sha256(content).hexdigest() for path, content in contents.items()}
    text = json.dumps({"parts": parts, "files": files}, sort_keys=True)
    return hashlib.sha256(text.encode()).hexdigest()[:32]


def build_once(folder: Path, key: str, build: Callable[[Path], None], usable: Callable[[Path], bool]) -> Path:
    """Return the finished `folder/key`, built now if it is not there or no longer usable.

    `build` fills an empty folder beside it, which is then renamed: whatever interrupts a build, nothing that is not
    whole ever has the name. Of two processes that build the same, the second finds the name taken and uses it.
    """
    finished = folder / key
    if usable(finished):
        return finished
    folder.mkdir(parents=True, exist_ok=True)
    _sweep(folder)
    beside = Path(tempfile.mkdtemp(prefix=_BUILDING, dir=folder))
    try:
        made = beside / key
        made.mkdir()
        build(made)
        if finished.exists() and not usable(finished):
            finished.rename(beside / "unusable")
        try:
            made.rename(finished)
        except OSError:
            if not usable(finished):
                raise
    finally:
        shutil.rmtree(beside, ignore_errors=True)
    return finished


def _sweep(folder: Path) -> None:
    """Remove what builds left behind that were killed."""
    for left in folder.glob(f"{_BUILDING}*"):
        try:
            abandoned = time.time() - left.stat().st_mtime > _ABANDONED
        except OSError:
            continue  # another process was quicker
        if abandoned:
            shutil.rmtree(left, ignore_errors=True)
