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
    inputs: frozenset[str] = frozenset()
    """What decides what is installed for it: the lock file and whatever else is read."""
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
    # All packages count, those that it loaded when it was recorded first: what it loads besides, since its client
    # changed, in an outage alone, or as an optional part of another package, no baseline can know.
    known = watched.packages or frozenset()
    for change in sorted(touched.moved[watched.lock], key=lambda change: change.package not in known):
        yield f"{change.package} {change.before or 'not there'} -> {change.after or 'gone'}"


def _inputs(watched: Watched, touched: Touched) -> Iterator[str]:
    """A package may be another one at the same version: patched, packed again, or from another place."""
    yield from (f"{path} changed" for path in sorted(watched.inputs & touched.paths))


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
    _inputs,
    _own_files,
    _baselines,
)
