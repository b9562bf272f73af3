"""From what is configured, and what is pinned, to the subjects to measure."""

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from wcmatch import glob

from failsame.budgets import Budget
from failsame.config.budgets import budgets_of, declared_by
from failsame.config.document import Place
from failsame.config.model import SubjectSection
from failsame.config.reading import PLACES, ConfigFile
from failsame.config.rules import of_lock, of_python
from failsame.config.subject import BUILT_IN, BuiltIn, Lock, Locks, Subject
from failsame.errors import UsageError
from failsame.language import SUFFIXES, WATCHED, Language, language_of
from failsame.observation import MAIN
from failsame.pins import LOCK_COMMANDS, LOCK_NAMES
from failsame.words import quoted, unknown


def subjects(
    file: ConfigFile | None, repository: Path, builtins: Mapping[str, BuiltIn], locks: Locks
) -> tuple[Subject, ...]:
    """Find the subjects: the configured ones, else one built-in for each SDK that is required directly.

    UsageError if a file or lock file is missing, or a built-in's SDK is not pinned (any more).
    """
    repository = repository.resolve()
    if file is not None and file.config.subjects:
        finder = _Configured(file, repository, builtins, locks, budgets_of(file.config, file.words))
        return tuple(finder.subject(number, section) for number, section in enumerate(file.config.subjects))
    return _found(repository, builtins, locks)


def _found(repository: Path, builtins: Mapping[str, BuiltIn], locks: Locks) -> tuple[Subject, ...]:
    read = [(language, locks.read(path)) for language, path in _every_lock(repository, locks).items()]
    first: dict[tuple[Language, str], tuple[BuiltIn, Lock]] = {}
    for language, lock in read:
        for builtin in builtins.values():
            if (
                builtin.language == language
                and builtin.distribution is not None
                and builtin.distribution in lock.direct
            ):
                first.setdefault((language, builtin.distribution), (builtin, lock))
    return tuple(
        Subject(
            name=builtin.name,
            origin=BUILT_IN,
            file=builtin.file,
            root=repository,
            project=repository,
            lock=lock.path,
            endpoints={MAIN: builtin.dialect},
            language=builtin.language,
            distribution=builtin.distribution,
            informational=True,
            watch=_watched(builtin.language, repository, repository),
        )
        for builtin, lock in first.values()
    )


def _every_lock(repository: Path, locks: Locks) -> Mapping[Language, Path]:
    """The lock file of each language; UsageError where there is none, or none that failsame reads."""
    found: dict[Language, Path] = {**locks.given}
    unread: list[UsageError] = []
    for language in () if found else SUFFIXES:
        try:
            path = locks.find(repository, language)
        except UsageError as error:
            unread.append(error)
        else:
            found |= {language: path} if path else {}
    if found:
        return found
    if unread:
        raise unread[0]
    known = ", ".join(name for names in LOCK_NAMES.values() for name in names)
    remedy = f"make one, name one with --lock, or subjects in {PLACES[0]}"
    raise UsageError(f"{repository}: no lock file here ({known}): {remedy}")


@dataclass(frozen=True, slots=True)
class _Configured:
    file: ConfigFile
    repository: Path
    builtins: Mapping[str, BuiltIn]
    locks: Locks
    budgets: tuple[tuple[Budget, ...], ...]
    """Those of each subject."""

    def subject(self, number: int, section: SubjectSection) -> Subject:
        place: Place = ("subjects", number)
        builtin = None if section.builtin is None else self._builtin(place, section.builtin)
        source = builtin.file if builtin else self._path(place, section, "file")
        language = builtin.language if builtin else language_of(source.name) or "python"
        if (wrong := next(of_python(section, language), None)) is not None:
            raise self.file.error((*place, *wrong[0]), wrong[1])
        start = self._path(place, section, "root") if section.root else None
        lock, project = self._lock(place, section, language, start or (self.repository if builtin else source.parent))
        choosing = of_lock(section, lambda: self.locks.read(lock).kind, self._shown(lock))
        if (wrong := next(choosing, None)) is not None:
            raise self.file.error((*place, *wrong[0]), wrong[1])
        root = start or project
        needed = builtin.distribution if builtin else None
        if needed is not None and needed not in self.locks.read(lock).pinned:
            what = f"{needed} is not pinned in {self._shown(lock)}"
            remedy = f"remove the subject {quoted(section.called)} or pin {needed}"
            raise self.file.error(place, f"{what}: {remedy}")
        return Subject(
            name=section.called,
            origin=BUILT_IN if builtin else section.file or "",
            file=source,
            root=root,
            project=project,
            lock=lock,
            endpoints={MAIN: builtin.dialect} if builtin else section.dialects,
            language=language,
            distribution=needed,
            python=section.python,
            groups=section.groups,
            extras=section.extras,
            package=section.package,
            build=section.build,
            watch=section.watch or _watched(language, root, self.repository),
            scenarios=section.scenarios,
            env=section.env,
            tls=section.tls,
            hosts=section.hosts,
            good=section.good.answer() if section.good else None,
            declared=declared_by(section),
            budgets=self.budgets[number],
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

    def _lock(self, place: Place, section: SubjectSection, language: Language, start: Path) -> tuple[Path, Path]:
        """The lock file, and the folder of the project's own."""
        project = self._path(place, section, "lock") if section.lock else self._upwards(start, language)
        lock = self.locks.given.get(language) or project
        if lock is None:
            what = f"no lock file for the subject {quoted(section.called)} ({', '.join(LOCK_NAMES[language])})"
            remedy = f'make one, for example with `{LOCK_COMMANDS[language]}`, or name one with "lock"'
            raise self.file.error(place, f"{what}: {remedy}")
        # A lock file of the command line may be an old one, from anywhere: it does not say where the code is.
        return lock, project.parent if project else self.repository

    def _upwards(self, start: Path, language: Language) -> Path | None:
        try:
            for folder in (start, *start.parents):
                if (found := self.locks.find(folder, language)) is not None or folder == self.repository:
                    return found
        except UsageError:
            if language not in self.locks.given:
                raise
        return None

    def _shown(self, path: Path) -> str:
        return str(path.relative_to(self.repository)) if path.is_relative_to(self.repository) else str(path)


def _watched(language: Language, root: Path, repository: Path) -> tuple[str, ...]:
    """The files of a language under a folder."""
    inside = root.relative_to(repository).as_posix()
    below = "" if inside == "." else f"{glob.escape(inside)}/"
    return tuple(f"{below}**/*{suffix}" for suffix in WATCHED[language])
