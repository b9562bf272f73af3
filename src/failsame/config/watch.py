"""Which files of a project are a subject's own: a change of one may change how it fails. Pure."""

from collections.abc import Collection

from wcmatch import glob

_FLAGS = glob.GLOBSTAR | glob.DOTGLOB


def owned(file: str | None, patterns: Collection[str], paths: Collection[str]) -> list[str]:
    """Of `paths` those of a subject: its `file` first (None: it is built in), then what it watches, sorted.

    All paths are from the repository's root.
    """
    watched = sorted(path for path in paths if path != file and glob.globmatch(path, [*patterns], flags=_FLAGS))
    return [file, *watched] if file is not None and file in paths else watched
