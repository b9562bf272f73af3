"""What decides the subjects of a plan, and which of them a change made it necessary to measure."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path, PurePosixPath

from failsame.baseline import read_baseline
from failsame.budgets import terms
from failsame.config import BUILT_IN, Subject
from failsame.environments import inputs_of
from failsame.environments.interpreters import wish
from failsame.gate import Plan, configurations, locked
from failsame.github.api import Comparison
from failsame.github.settings import Settings
from failsame.github.watched import Touched, Watched, why

_CHOOSE_A_PYTHON = frozenset({".python-version", "pyproject.toml"})


def to_measure(planned: Plan, comparison: Comparison, *, settings: Settings) -> dict[str, str]:
    """The subjects that have to be measured, and why; those are left out that nothing touched.

    With a subject come all that its budgets name, and all whose budgets name it: else these would not be judged.
    Raises UsageError for a lock file that an edit mends.
    """
    if comparison.paths is None:
        return {subject.name: "more files changed than GitHub lists" for subject in planned.subjects}
    touched = Touched(
        paths=comparison.paths,
        moved={_inside(planned, lock): moved for lock, moved in planned.changes.items()},
        runtimes=frozenset(
            subject.name for subject in planned.subjects if _other_python(subject, planned, comparison.paths)
        ),
        configuration=configurations(planned) | ({settings.config} if settings.config else set()),
        workflow=settings.workflow_file,
    )
    reasons = {subject.name: why(_watched(subject, planned, comparison.paths), touched) for subject in planned.subjects}
    return with_bound({name: reason for name, reason in reasons.items() if reason is not None}, planned.subjects)


def with_bound(reasons: Mapping[str, str], subjects: Sequence[Subject]) -> dict[str, str]:
    """Add to the subjects that are measured those that a budget ties to one of them, over any number of budgets."""
    ties = [(subject.name, other) for subject in subjects for other in _named_by(subject)]
    found = dict(reasons)
    waiting = list(reasons)
    while waiting:
        name = waiting.pop()
        for owner, other in ties:
            if owner == name and other not in found:
                found[other] = f"a budget of {name} names it"
                waiting.append(other)
            elif other == name and owner not in found:
                found[owner] = f"a budget of it names {name}"
                waiting.append(owner)
    return found


def _named_by(subject: Subject) -> Iterator[str]:
    for budget in subject.budgets:
        for term in (*terms(budget.rule.left), *terms(budget.rule.right)):
            if term.subject is not None and term.subject != subject.name:
                yield term.subject


def _watched(subject: Subject, planned: Plan, paths: frozenset[str]) -> Watched:
    baseline = read_baseline(planned.baselines, subject.name)
    return Watched(
        subject=subject.name,
        informational=subject.informational,
        file=None if subject.origin == BUILT_IN else _inside(planned, subject.file),
        lock=_inside(planned, subject.lock),
        patterns=subject.watch,
        baselines=planned.shown_baselines,
        packages=None if baseline is None else frozenset(baseline.packages),
        inputs=frozenset(_inputs(subject, planned, paths)),
    )


def _inputs(subject: Subject, planned: Plan, paths: frozenset[str]) -> Iterator[str]:
    """What decides what is installed, and how Node reads what it loads."""
    for path in inputs_of(locked(subject.lock, planned.folder).recipe(subject)):
        yield path
        yield from map(str, PurePosixPath(path).parents)  # a folder changes where it is a link, or a submodule
        leads = (planned.folder / path).resolve()
        if leads.is_relative_to(planned.folder):
            yield _inside(planned, leads)
    if subject.language == "node":
        # The nearest one above a file says whether it is a module, and where its imports lead.
        yield from (path for path in paths if PurePosixPath(path).name == "package.json")


def _other_python(subject: Subject, planned: Plan, paths: frozenset[str]) -> bool:
    """Whether a subject asks for another Python than before."""
    old = planned.old.get(subject.lock)
    asking = old is not None and (old.path in paths or any(PurePosixPath(p).name in _CHOOSE_A_PYTHON for p in paths))
    if old is None or not asking or subject.language != "python":
        return False
    before, after = (wish(each.recipe(subject), each.pins()) for each in (old, locked(subject.lock, planned.folder)))
    return replace(before, source="") != replace(after, source="")


def _inside(planned: Plan, path: Path) -> str:
    return path.relative_to(planned.folder).as_posix()
