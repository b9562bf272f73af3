"""The files before the change, through the API: a shallow checkout has none of them, and the image has no git."""

import hashlib
import posixpath
from dataclasses import dataclass, field
from pathlib import Path

from failsame.errors import UsageError
from failsame.github.activity import Activity
from failsame.github.api import Comparison, Repository
from failsame.github.event import Payload
from failsame.github.settings import Settings
from failsame.pins import Tree
from failsame.pins.files import check_size
from failsame.pins.quoting import shown

_NO_COMMIT = "0" * 40
"""What a push says was there before, where the branch is new."""
_SHORT = 8


def compared(payload: Payload, activity: Activity, head: str, github: Repository) -> Comparison:
    """What the commit that is checked out changed. Raises UsageError where the event does not say since when.

    A pull request is compared with its base branch as it is now: GitHub's test merge, which is checked out by default,
    has that branch's state of then as its merge base, and the pull request's own head has the place where it left it.
    """
    if activity is Activity.JUDGE_PULL and payload.pull_request is not None:
        return github.compare(payload.pull_request.base.ref, head)
    if activity is Activity.JUDGE_GROUP and payload.merge_group is not None:
        return github.compare(payload.merge_group.base_sha, head)
    if activity is Activity.JUDGE_PUSH and payload.before is not None and payload.repository is not None:
        new = payload.before == _NO_COMMIT
        return github.compare((payload.repository.default_branch or "HEAD") if new else payload.before, head)
    raise UsageError("the event does not say what to compare with: run this on an event of its own, see docs/github.md")


def checked_out(settings: Settings) -> str:
    """The commit in the workspace. Raises UsageError if there is none.

    A workflow may check out another commit than the event's, the pull request's own head for one; then HEAD is
    detached, and says so. On a branch it is the event's.
    """
    if not settings.workspace.is_dir() or not any(settings.workspace.iterdir()):
        raise UsageError(f"{settings.workspace} is empty: put `uses: actions/checkout@…` before this step")
    try:
        head = (settings.workspace / ".git" / "HEAD").read_text(encoding="ascii").strip()
    except (OSError, UnicodeDecodeError):  # without git, actions/checkout downloads the files alone
        return settings.sha
    return head if len(head) in {40, 64} and set(head) <= set("0123456789abcdef") else settings.sha


@dataclass(frozen=True)
class Earlier:
    """The files of the merge base; see `failsame.pins.files.Files`. What did not change is read where it lies."""

    github: Repository
    comparison: Comparison
    workspace: Path
    _known: dict[str, bytes | None] = field(default_factory=dict)

    def read(self, path: str) -> bytes | None:
        """Read one file; see `Files.read`."""
        if self._unchanged(path):
            return Tree(self.workspace).read(path)
        if path not in self._known:
            self._known[path] = self.github.file(path, self.comparison.base)
        content = self._known[path]
        check_size(self.named(path), len(content or b""))
        return content

    def folders(self, path: str) -> tuple[str, ...]:
        """The names of the folders in a folder; see `Files.folders`."""
        changed = self.comparison.paths
        if changed is not None and not any(each.startswith(f"{path}/" if path else "") for each in changed):
            return Tree(self.workspace).folders(path)
        return self.github.folder(path, self.comparison.base).folders

    def named(self, path: str) -> str:
        """Name a file as messages do."""
        return f"{shown(path)} (at {self.comparison.base[:_SHORT]})"

    def _unchanged(self, path: str) -> bool:
        paths = self.comparison.paths
        if paths is None:
            return False
        # A link is unchanged where what it leads to has changed: GitHub follows it as it was.
        place = posixpath.normpath(path)
        leads = (self.workspace / place).resolve()
        return place not in paths and leads == self.workspace.resolve() / place


def blob_id(content: bytes) -> str:
    """Git's id of a file's content (git-hash-object)."""
    return hashlib.sha1(b"blob %d\0" % len(content) + content, usedforsecurity=False).hexdigest()
