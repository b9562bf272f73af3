"""Whether a change can have changed how a subject fails: a table over what it touched. Pure.

Wrong in one direction only: what cannot be excluded counts, and is measured.
"""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import PurePosixPath

from failsame.config import owned
from failsame.pins import Change


@dataclass(frozen=True)
class Watched:
    """What decides one subject. All paths are from the repository's root."""

    subject: str
    file: str | None
    """Its own file; None for a built-in one."""
    lock: str
    patterns: tuple[str, ...]
    baselines: str
    """The folder of the baselines."""
    packages: frozenset[str] | None
    """The deciding packages when it was recorded; None if it has no baseline."""
    informational: bool = False
    """Found by itself: it needs no baseline."""


@dataclass(frozen=True)
class Touched:
    """What a change touched. `moved` has what moved in each lock file that was there before."""

    paths: frozenset[str]
    moved: Mapping[str, tuple[Change, ...]]
    runtimes: frozenset[str]
    """The subjects that ask for another runtime than before."""
    configuration: frozenset[str]
    """Where the configuration may lie."""
    workflow: str | None
    """The file of this run's own workflow, which names failsame's version."""


def why(watched: Watched, touched: Touched) -> str | None:
    """Say why a subject has to be measured; None if nothing that decides it was touched."""
    for rule in _RULES:
        if (found := next(rule(watched, touched), None)) is not None:
            return found
    return None


def _unrecorded(watched: Watched, _: Touched) -> Iterator[str]:
    if watched.packages is None and not watched.informational:
        yield "it has no baseline yet"


def _configured(_: Watched, touched: Touched) -> Iterator[str]:
    files = touched.paths & {*touched.configuration, touched.workflow or ""}
    yield from (f"{path} changed" for path in sorted(files))


def _packages(watched: Watched, touched: Touched) -> Iterator[str]:
    if watched.lock not in touched.moved:
        if watched.lock in touched.paths:
            yield f"{watched.lock} is new"
        return
    for change in touched.moved[watched.lock]:
        # What comes may be loaded now, as an optional part of another package, though nobody could know it before.
        if change.before is None or watched.packages is None or change.package in watched.packages:
            yield f"{change.package} {change.before or 'not there'} -> {change.after or 'gone'}"


def _runtime(watched: Watched, touched: Touched) -> Iterator[str]:
    if watched.subject in touched.runtimes:
        yield "it asks for another runtime"


def _own_files(watched: Watched, touched: Touched) -> Iterator[str]:
    yield from (f"{path} changed" for path in owned(watched.file, watched.patterns, touched.paths))


def _baselines(watched: Watched, touched: Touched) -> Iterator[str]:
    name = PurePosixPath(watched.baselines)
    for path in map(PurePosixPath, sorted(touched.paths)):
        base, coming = path == name / f"{watched.subject}.json", path.match(f"{name}/coming/{watched.subject}@*.json")
        if base or coming:
            yield f"{path} changed"


_RULES: tuple[Callable[[Watched, Touched], Iterator[str]], ...] = (
    _unrecorded,
    _configured,
    _packages,
    _runtime,
    _own_files,
    _baselines,
)
