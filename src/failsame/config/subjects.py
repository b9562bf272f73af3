"""From what is configured, and what is pinned, to the subjects to measure."""

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from failsame.config.document import Place
from failsame.config.model import SubjectSection
from failsame.config.reading import PLACES, ConfigFile
from failsame.config.subject import BUILT_IN, BuiltIn, Locks, Subject
from failsame.config.words import quoted, unknown
from failsame.errors import UsageError


def subjects(
    file: ConfigFile | None, repository: Path, builtins: Mapping[str, BuiltIn], locks: Locks
) -> tuple[Subject, ...]:
    """Find the subjects: the configured ones, else one built-in for each SDK that is required directly.

    UsageError if a file or lock file is missing, or a built-in's SDK is not pinned (any more).
    """
    repository = repository.resolve()
    if file is not None and file.config.subjects:
        finder = _Configured(file, repository, builtins, locks)
        return tuple(finder.subject(number, section) for number, section in enumerate(file.config.subjects))
    return _found(repository, builtins, locks)


def _found(repository: Path, builtins: Mapping[str, BuiltIn], locks: Locks) -> tuple[Subject, ...]:
    path = locks.given or locks.find(repository)
    if path is None:
        raise UsageError(f"{repository}: no lock file here: name one with --lock, or subjects in {PLACES[0]}")
    lock = locks.read(path)
    first: dict[str, BuiltIn] = {}
    for builtin in builtins.values():
        if builtin.distribution in lock.direct:
            first.setdefault(builtin.distribution, builtin)
    return tuple(
        Subject(
            name=builtin.name,
            origin=BUILT_IN,
            file=builtin.file,
            root=repository,
            lock=path,
            dialect=builtin.dialect,
            distribution=builtin.distribution,
            informational=True,
            watch=_python_files(repository, repository),
        )
        for builtin in first.values()
    )


@dataclass(frozen=True, slots=True)
class _Configured:
    file: ConfigFile
    repository: Path
    builtins: Mapping[str, BuiltIn]
    locks: Locks

    def subject(self, number: int, section: SubjectSection) -> Subject:
        place: Place = ("subjects", number)
        builtin = None if section.builtin is None else self._builtin(place, section.builtin)
        source = builtin.file if builtin else self._path(place, section, "file")
        start = self._path(place, section, "root") if section.root else None
        lock, root = self._lock(place, section, start or (self.repository if builtin else source.parent))
        root = start or root
        if builtin is not None and builtin.distribution not in self.locks.read(lock).pinned:
            what = f"{builtin.distribution} is not pinned in {self._shown(lock)}"
            remedy = f"remove the subject {quoted(section.called)} or pin {builtin.distribution}"
            raise self.file.error(place, f"{what}: {remedy}")
        return Subject(
            name=section.called,
            origin=BUILT_IN if builtin else section.file or "",
            file=source,
            root=root,
            lock=lock,
            dialect=builtin.dialect if builtin else section.dialect or "http",
            distribution=builtin.distribution if builtin else None,
            python=section.python,
            groups=section.groups,
            extras=section.extras,
            package=section.package,
            build=section.build,
            watch=section.watch or _python_files(root, self.repository),
            scenarios=section.scenarios,
            env=section.env,
            tls=section.tls,
            hosts=section.hosts,
            good=section.good.answer() if section.good else None,
        )

    def _builtin(self, place: Place, name: str) -> BuiltIn:
        if name not in self.builtins:
            raise self.file.error((*place, "builtin"), unknown("built-in subject", name, self.builtins))
        return self.builtins[name]

    def _path(self, place: Place, section: SubjectSection, key: Literal["file", "root", "lock"]) -> Path:
        written: str = getattr(section, key)
        try:
            path = (self.repository / written).resolve()
            there = path.is_dir() if key == "root" else path.is_file()
        except (OSError, RuntimeError):  # a name too long; before Python 3.13, a loop of links
            path, there = self.repository, False
        if not path.is_relative_to(self.repository):  # through a symbolic link
            what = f"{quoted(written)} leads out of the repository: name a path inside it"
            raise self.file.error((*place, key), what)
        if not there:
            what = f"there is no {'folder' if key == 'root' else 'file'} {quoted(written)}"
            remedy = f"create it, or remove the subject {quoted(section.called)}"
            raise self.file.error((*place, key), f"{what}: {remedy}")
        return path

    def _lock(self, place: Place, section: SubjectSection, start: Path) -> tuple[Path, Path]:
        """The lock file, and the folder that imports start from by default."""
        project = self._path(place, section, "lock") if section.lock else self._upwards(start)
        lock = self.locks.given or project
        if lock is None:
            what = f"no lock file for the subject {quoted(section.called)}"
            raise self.file.error(place, f'{what}: name one with "lock"')
        # A lock file of the command line may be an old one, from anywhere: it does not say where the code is.
        return lock, project.parent if project else self.repository

    def _upwards(self, start: Path) -> Path | None:
        try:
            for folder in (start, *start.parents):
                if (found := self.locks.find(folder)) is not None or folder == self.repository:
                    return found
        except UsageError:
            if self.locks.given is None:
                raise
        return None

    def _shown(self, path: Path) -> str:
        return str(path.relative_to(self.repository)) if path.is_relative_to(self.repository) else str(path)


def _python_files(root: Path, repository: Path) -> tuple[str, ...]:
    inside = root.relative_to(repository).as_posix()
    return ("**/*.py",) if inside == "." else (f"{inside}/**/*.py",)
