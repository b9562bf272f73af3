"""Files of a git revision, and the revision that a change is compared with."""

import os
import posixpath
import subprocess
from dataclasses import dataclass
from pathlib import Path

from failsame.errors import UsageError
from failsame.pins.files import check_size
from failsame.pins.quoting import shown

_SECONDS = 120.0  # a partial clone fetches what it is asked for
_SHORT = 8

# Set by git for its hooks; they would turn every question to another repository.
_HOOK_VARIABLES = ("GIT_DIR", "GIT_WORK_TREE", "GIT_INDEX_FILE", "GIT_PREFIX", "GIT_COMMON_DIR", "GIT_OBJECT_DIRECTORY")

_DEFAULT_BRANCHES = ("refs/remotes/origin/main", "refs/remotes/origin/master", "refs/heads/main", "refs/heads/master")
_OTHER_WAYS = "name the revision with --base or the old file with --old-lock"
_FETCH = f"check out with `fetch-depth: 0` (or `git fetch --unshallow`), or {_OTHER_WAYS}"


@dataclass(frozen=True)
class Repository:
    """A git repository with a working tree at `root`."""

    root: Path

    @classmethod
    def around(cls, folder: Path) -> "Repository":
        """Find the repository that holds a folder; UsageError where there is none, or no git."""
        answer = _git(folder, "rev-parse", "--show-toplevel")
        if answer.returncode:
            raise UsageError(f"{folder} is in no git repository that can be read ({_complaint(answer)}): {_OTHER_WAYS}")
        return cls(Path(os.fsdecode(answer.stdout.removesuffix(b"\n"))))

    def commit(self, revision: str) -> str:
        """Resolve a revision to a commit's full id.

        `revision` comes from a command line or an event: what git could take for an option is refused.
        """
        if not revision or revision.startswith("-") or not revision.isprintable():
            raise UsageError(f"{shown(repr(revision))} is no git revision: {_OTHER_WAYS}")
        answer = _git(self.root, "rev-parse", "--verify", "--quiet", f"{revision}^{{commit}}")
        if answer.returncode and revision == "HEAD":
            raise UsageError(
                f"nothing is committed in {self.root} yet: commit first, or name the old file with --old-lock"
            )
        if answer.returncode:
            remedy = f"it may be missing from a shallow clone; {_FETCH}" if self._is_shallow() else _OTHER_WAYS
            raise UsageError(f"git knows no revision {shown(repr(revision))} in {self.root}: {remedy}")
        return answer.stdout.decode().strip()

    def merge_base(self) -> str:
        """The commit at which HEAD left the default branch; on the default branch that is HEAD itself."""
        branch = self._default_ref()
        if branch is None:
            raise UsageError(f"{self.root} has no origin/HEAD, main or master to compare with: {_FETCH}")
        answer = _git(self.root, "merge-base", "HEAD", branch)
        if answer.returncode:
            remedy = _FETCH if self._is_shallow() else _OTHER_WAYS
            raise UsageError(f"git finds no merge base of HEAD and {shown(branch.removeprefix('refs/'))}: {remedy}")
        return answer.stdout.decode().strip()

    def files(self, revision: str) -> "Revision":
        """The tree of files of a revision."""
        return Revision(self, self.commit(revision))

    def changed(self, since: str) -> frozenset[str]:
        """The files, as `path_of` names them, that the working tree has otherwise than a commit, or has not, or alone.

        Both names of one that was renamed. What git ignores is left out.
        """
        asked = (
            ("diff", "--name-only", "-z", "--no-renames", "--no-ext-diff", self.commit(since), "--"),
            ("ls-files", "--others", "--exclude-standard", "--full-name", "-z", ":/"),
        )
        answers = [_git(self.root, *arguments) for arguments in asked]
        for answer in answers:
            if answer.returncode:
                raise UsageError(f"git cannot say what changed in {self.root} ({_complaint(answer)}): {_OTHER_WAYS}")
        return frozenset(os.fsdecode(name) for answer in answers for name in answer.stdout.split(b"\0") if name)

    def path_of(self, file: Path) -> str:
        """A file's path within the repository, as revisions know it; UsageError for a file outside."""
        absolute = os.path.normpath(file.absolute())
        for root in (self.root, self.root.resolve()):
            if Path(absolute).is_relative_to(root):
                return Path(absolute).relative_to(root).as_posix()
        # The folder may be reached through a link; the file itself may be one that the revision holds as a link.
        resolved = file.parent.resolve() / file.name
        if resolved.is_relative_to(self.root.resolve()):
            return resolved.relative_to(self.root.resolve()).as_posix()
        raise UsageError(f"{file} is outside the repository {self.root}: name the old file with --old-lock")

    def default_branch(self) -> str | None:
        """The name of the default branch, as far as this clone knows it."""
        ref = self._default_ref()
        return ref.removeprefix("refs/heads/").removeprefix("refs/remotes/origin/") if ref else None

    def _default_ref(self) -> str | None:
        head = _git(self.root, "symbolic-ref", "--quiet", "refs/remotes/origin/HEAD")
        named = head.stdout.decode(errors="replace").strip() if head.returncode == 0 else ""
        for branch in filter(None, (named, *_DEFAULT_BRANCHES)):
            if (
                branch.startswith("refs/")
                and _git(self.root, "rev-parse", "--verify", "--quiet", branch).returncode == 0
            ):
                return branch
        return None

    def _is_shallow(self) -> bool:
        return _git(self.root, "rev-parse", "--is-shallow-repository").stdout.strip() == b"true"


@dataclass(frozen=True)
class Revision:
    """The files of one commit; see `failsame.pins.files.Files`."""

    repository: Repository
    commit: str

    def read(self, path: str) -> bytes | None:
        """Read one file, following links as long as they stay in the commit.

        The name goes to git on standard input, where nothing is an option. Its answer is a line, `<id> <type> <size>`,
        and then the content; for a link that leads out of the tree the line is `symlink <size>`, for one that leads
        nowhere `dangling`, `loop` or `notdir`, and for a name without a file it ends in `missing`: git-cat-file(1).
        """
        if "\n" in path or posixpath.isabs(path):
            return None
        name = f"{self.commit}:{path}\n".encode(errors="surrogateescape")
        head = self._ask("--batch-check", name).decode(errors="replace").split()
        if head[:1] == ["symlink"]:
            raise UsageError(f"{self.named(path)} leads outside the repository: put a copy of the file inside")
        if head[:1] == ["loop"]:
            raise UsageError(f"{self.named(path)} is a link to itself: put the file in its place")
        if head[1:2] == ["tree"]:
            raise UsageError(f"{self.named(path)} is not a file: name the lock file itself")
        if head[1:2] != ["blob"]:
            return None
        check_size(self.named(path), int(head[2]))
        answer = self._ask("--batch", name)
        start = answer.index(b"\n") + 1
        return answer[start : start + int(head[2])]

    def folders(self, path: str) -> tuple[str, ...]:
        """The names of the folders in a folder; see `Files.folders`."""
        answer = _git(self.repository.root, "ls-tree", "-z", "-d", "--full-tree", f"{self.commit}:{path}")
        lines = [line for line in answer.stdout.split(b"\0") if line and not answer.returncode]
        # A line is `<mode> <type> <id>`, a tab and the name; a submodule is a `commit`, and its files are elsewhere.
        trees = [line.partition(b"\t") for line in lines]
        return tuple(sorted(os.fsdecode(name) for head, _, name in trees if b" tree " in head))

    def named(self, path: str) -> str:
        """Name a file as messages do."""
        return f"{shown(path)} (at {self.commit[:_SHORT]})"

    def _ask(self, how: str, name: bytes) -> bytes:
        answer = _git(self.repository.root, "cat-file", how, "--follow-symlinks", stdin=name)
        if answer.returncode:
            raise UsageError(f"git cannot read commit {self.commit[:_SHORT]}: {_complaint(answer)}; {_FETCH}")
        return answer.stdout


def _git(folder: Path, *arguments: str, stdin: bytes = b"") -> "subprocess.CompletedProcess[bytes]":
    environment = {name: value for name, value in os.environ.items() if name not in _HOOK_VARIABLES}
    environment |= {"LC_ALL": "C", "GIT_TERMINAL_PROMPT": "0", "GIT_OPTIONAL_LOCKS": "0"}
    try:
        return subprocess.run(
            ("git", "-C", str(folder), *arguments),
            input=stdin,
            capture_output=True,
            check=False,
            env=environment,
            timeout=_SECONDS,
        )
    except FileNotFoundError as error:
        raise UsageError("git is not installed: install it, or name the old file with --old-lock") from error
    except subprocess.TimeoutExpired as error:
        raise UsageError(f"git did not answer within {_SECONDS:.0f} s: name the old file with --old-lock") from error
    except OSError as error:
        raise UsageError(f"git cannot be run: {error.strerror}: name the old file with --old-lock") from error


def _complaint(answer: "subprocess.CompletedProcess[bytes]") -> str:
    lines = answer.stderr.decode(errors="replace").strip().splitlines()
    return shown(lines[0].removeprefix("fatal: ")) if lines else f"git ended with status {answer.returncode}"
