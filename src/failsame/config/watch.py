"""Which files of a project are a subject's own: a change of one may change how it fails. Pure."""

import posixpath
from collections.abc import Collection, Iterator

from wcmatch import glob

_FLAGS = glob.GLOBSTAR | glob.DOTGLOB


def owned(file: str | None, patterns: Collection[str], paths: Collection[str]) -> list[str]:
    """Of `paths` those of a subject: its `file` first (None: it is built in), then what it watches, sorted.

    All paths are from the repository's root. A pattern that names a folder means all that is in it.
    """
    meant = [each for pattern in patterns for each in _meant(pattern)]
    watched = sorted(path for path in paths if path != file and glob.globmatch(path, meant, flags=_FLAGS))
    return [file, *watched] if file is not None and file in paths else watched


def _meant(pattern: str) -> Iterator[str]:
    plain = posixpath.normpath(pattern)  # without `./` in front and `/` behind
    if plain == ".":
        yield "**"
        return
    yield plain
    yield f"{plain}/**"
