"""What one key cannot know by itself: names that are taken, words that do not exist, keys that exclude each other."""

from collections.abc import Callable, Collection, Iterator, Mapping

from failsame.config.budgets import budget_problems
from failsame.config.document import Place, Problem
from failsame.config.model import OWN_GROUP, Config, SubjectSection
from failsame.language import SUFFIXES, Language, language_of
from failsame.observation import MAIN
from failsame.pins import LockKind
from failsame.suite import GROUPS, SCENARIOS
from failsame.suite.dialects import DIALECTS
from failsame.words import quoted, unknown

RESERVED = "coming"
"""The folder of behaviours accepted ahead of their upgrade, beside the baselines."""

_BROUGHT_BY_A_BUILTIN = ("file", "dialect", "endpoints", "good", "hosts")

_SEVERAL, _MOST_ENDPOINTS = 2, 20

_OF_PYTHON = {
    "python": 'Node is the "node" on the PATH',
    "groups": "a package.json's packages are all installed",
    "extras": "a package.json's packages are all installed",
    "package": "workspaces are all installed",
    "build": "install scripts of Node packages are never run",
}
"""Keys that a subject in another language may not have -> why."""


_CHOOSING: Mapping[str, tuple[LockKind, ...]] = {
    "groups": ("uv", "pylock"),
    "extras": ("uv", "pylock"),
    "package": ("uv",),
}
"""Keys that choose among what a lock file pins -> the kinds of lock files that can be chosen from."""


def vocabulary(own: Collection[str]) -> tuple[str, ...]:
    """Every word that selects scenarios: the groups and names of the suite, and the own ones."""
    return (*GROUPS, *((OWN_GROUP, *own) if own else ()), *SCENARIOS)


def problems(config: Config) -> Iterator[Problem]:
    """Find what is wrong with a configuration whose keys are right one by one."""
    yield from _own_scenarios(config)
    own = [section.name for section in config.scenarios]
    words = vocabulary(own)
    names: dict[str, int] = {}
    for number, subject in enumerate(config.subjects):
        place: Place = ("subjects", number)
        yield from ((place + where, what) for where, what in _subject(subject, words))
        if subject.called in names:
            yield (*place, "name"), f"the name {quoted(subject.called)} is taken already: give this subject another"
        names.setdefault(subject.called, number)
    yield from budget_problems(config, words, dict.fromkeys(own, OWN_GROUP))


def _own_scenarios(config: Config) -> Iterator[Problem]:
    taken = {**dict.fromkeys(SCENARIOS, "a scenario of the suite"), **dict.fromkeys(GROUPS, "a group of the suite")}
    taken[OWN_GROUP] = "the group of all own scenarios"
    for number, section in enumerate(config.scenarios):
        if section.name in taken:
            what = f"the name {quoted(section.name)} is taken: it is {taken[section.name]}"
            yield ("scenarios", number, "name"), what
        taken[section.name] = "another own scenario"


def _subject(subject: SubjectSection, words: Collection[str]) -> Iterator[Problem]:
    yield from _file(subject) if subject.builtin is None else _builtin(subject)
    if subject.called == RESERVED:
        yield ("name",), f'the name "{RESERVED}" is reserved: choose another'
    yield from _dialects(subject)
    for number, word in enumerate(subject.scenarios):
        if word not in words:
            yield ("scenarios", number), unknown("scenario or group", word, words)
    for number, pattern in enumerate(subject.watch):
        if pattern.startswith("!"):
            yield ("watch", number), f"{quoted(pattern)} leaves nothing out, as no pattern does: name what counts"
    for host, endpoint in subject.hosts.items():
        if endpoint not in (known := subject.endpoints or (MAIN,)):
            yield ("hosts", host), unknown("endpoint", endpoint, known)


def _dialects(subject: SubjectSection) -> Iterator[Problem]:
    if subject.dialect is not None and subject.endpoints:
        yield ("dialect",), '"dialect" does not go with "endpoints": each endpoint has its own'
    if subject.dialect is not None and subject.dialect not in DIALECTS:
        yield ("dialect",), unknown("dialect", subject.dialect, DIALECTS)
    if subject.endpoints is not None and not _SEVERAL <= len(subject.endpoints) <= _MOST_ENDPOINTS:
        yield ("endpoints",), f'"endpoints" are {_SEVERAL} to {_MOST_ENDPOINTS}: of a single one say its "dialect"'
    for endpoint, dialect in (subject.endpoints or {}).items():
        if dialect not in DIALECTS:
            yield ("endpoints", endpoint), unknown("dialect", dialect, DIALECTS)
    if subject.good is not None and "http" not in (spoken := subject.dialects.values()):
        others = " and ".join(dict.fromkeys(spoken))
        yield ("good",), f'"good" goes with the dialect http only: the good answer of {others} is known'


def _builtin(subject: SubjectSection) -> Iterator[Problem]:
    for key in _BROUGHT_BY_A_BUILTIN:
        if key in subject.model_fields_set:
            yield (key,), f'"{key}" does not go with "builtin": a built-in subject brings its own'


def _file(subject: SubjectSection) -> Iterator[Problem]:
    if subject.file is None:
        yield (), 'a subject needs "builtin" or "file"'
    elif (language := language_of(subject.file)) is None:
        kinds = ", ".join(suffix for suffixes in SUFFIXES.values() for suffix in suffixes)
        yield ("file",), f"{quoted(subject.file)} is no subject: it is a file of {kinds}"
    else:
        yield from of_python(subject, language)
    if subject.file is not None and subject.name is None:
        yield (), 'a subject with "file" needs a "name"'


def of_lock(subject: SubjectSection, kind: Callable[[], LockKind], shown: str) -> Iterator[Problem]:
    """Keys that say nothing of a lock file of this kind, which is called `shown`."""
    for key, kinds in _CHOOSING.items():
        if key in subject.model_fields_set and kind() not in kinds:
            yield (key,), f'"{key}" does not go with {shown}, all of which is installed: remove it'


def of_python(subject: SubjectSection, language: Language) -> Iterator[Problem]:
    """Keys that a subject of this language cannot have."""
    for key, why in _OF_PYTHON.items() if language != "python" else ():
        if key in subject.model_fields_set:
            yield (key,), f'"{key}" goes with Python only: {why}'
