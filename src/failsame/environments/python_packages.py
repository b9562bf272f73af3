"""What is installed in an environment, and which distribution owns a file of it."""

import csv
import importlib.util
import os
from collections.abc import Iterable
from importlib.metadata import Distribution, distributions
from pathlib import Path

from packaging.utils import canonicalize_name


def all_distributions(folders: Iterable[Path]) -> dict[str, str]:
    """All distributions in folders: normalised name -> version, sorted."""
    found = distributions(path=[str(folder) for folder in folders])
    return dict(sorted((canonicalize_name(each.name), each.version) for each in found))


def owners(folders: Iterable[Path], files: Iterable[str | os.PathLike[str]]) -> dict[str, str]:
    """The distributions that own the given files (source, bytecode or extension modules): name -> version, sorted.

    A distribution lists its files one by one in RECORD, so that of a namespace shared by several (google, azure) each
    file still has one owner. Files outside the folders, such as the standard library's, have none.
    """
    found: dict[str, str] = {}
    for folder in folders:
        wanted = _below(str(folder), files)
        for distribution in distributions(path=[str(folder)]) if wanted else ():
            owned = wanted & _recorded(distribution)
            if owned:
                wanted -= owned
                found[canonicalize_name(distribution.name)] = distribution.version
    return dict(sorted(found.items()))


def _below(folder: str, files: Iterable[str | os.PathLike[str]]) -> set[str]:
    """Paths relative to the folder, with `/`, of those files that lie below it; bytecode counts as its source."""
    roots = {os.path.join(root, "") for root in (folder, os.path.realpath(folder))}  # noqa: PTH118, thousands of files
    below: set[str] = set()
    for given in files:
        file = os.fspath(given)
        for root in roots:
            if file.startswith(root):
                below.add(_source(file)[len(root) :].replace(os.sep, "/"))
                break
    return below


def _source(file: str) -> str:
    if not file.endswith(".pyc"):
        return file
    try:
        return importlib.util.source_from_cache(file)
    except ValueError:  # bytecode that is shipped in the place of its source
        return file


def _recorded(distribution: Distribution) -> set[str]:
    # Not Distribution.files: it makes an object of every line, 100 times slower for botocore's thousands.
    return {row[0] for row in csv.reader((distribution.read_text("RECORD") or "").splitlines()) if row}
