"""What GitHub's API answers, as far as it matters."""

from collections.abc import Mapping
from dataclasses import dataclass, field

from failsame.github.event import Told, User


@dataclass(frozen=True)
class Comparison:
    """What a commit changed since it left another: both paths of a file that was renamed."""

    base: str
    """The merge base."""
    head: str
    paths: frozenset[str] | None
    """None where there are more than GitHub lists."""


@dataclass(frozen=True)
class Folder:
    """What lies in a folder: files, each with git's id of its content, and the names of folders."""

    files: Mapping[str, str] = field(default_factory=dict)
    folders: tuple[str, ...] = ()


class Comment(Told):
    """A comment on a pull request."""

    id: int
    body: str | None = None
    html_url: str = ""
    user: User | None = None


class Viewer(Told):
    """Whose a token is."""

    viewer: User


class Artifact(Told):
    """Something that a run uploaded."""

    id: int
    name: str
    size_in_bytes: int
    expired: bool = False


@dataclass(frozen=True)
class Commit:
    """A change to a branch: path -> content, None where the file goes."""

    headline: str
    body: str
    files: Mapping[str, str | None]
