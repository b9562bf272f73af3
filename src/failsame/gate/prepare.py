"""Each subject made ready: its environment installed, `healthy` run, its processes waiting for trials."""

import asyncio
import re
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from types import MappingProxyType

from failsame.config import Selection, Subject, select
from failsame.confine import Confinement
from failsame.environments import Environment, copy_for, distributions_of, environment_of, import_paths
from failsame.errors import UnmeasuredError
from failsame.gate.locked import Locked
from failsame.gate.plan import Plan
from failsame.gate.progress import Progress
from failsame.observation import ClockName
from failsame.suite.dialects import dialect_of
from failsame.trial import Healthy, Places, Target, well


@dataclass(frozen=True)
class Ready:
    """A subject that works."""

    subject: Subject
    environment: Environment
    target: Target
    healthy: Healthy
    selection: Selection
    aside: frozenset[str]
    """Scenarios that it runs, and that the command line did not ask for."""
    packages: Mapping[str, str]
    """The deciding packages: distribution -> version. What it loads while it is well, not what in an outage alone."""
    notes: tuple[str, ...] = ()


@dataclass(frozen=True)
class Unready:
    """A subject that cannot be measured, and why, in one line."""

    subject: Subject
    why: str


@dataclass(frozen=True)
class Workshop:
    """What measuring subjects takes."""

    plan: Plan
    places: Places
    horizon: float
    progress: Progress
    copies: Path
    """Where copies of the project are made for languages that need one."""
    note: str | None = None
    """Why it is real time, where skipped time was wanted."""
    confinement: Confinement | None = None


async def prepare(
    subject: Subject, lock: Locked, shop: Workshop, usual: Mapping[str, str] = MappingProxyType({})
) -> Ready | Unready:
    """Make a subject ready at what a lock file pins; `usual` are the requests that its reference has broken.

    Raises UsageError for a lock file that an edit mends.
    """
    try:
        shop.progress.step(subject.name, f"installing {lock.path}")
        environment = await asyncio.to_thread(environment_of, lock.recipe(subject))
        shop.progress.step(subject.name, "is it well?")
        target = await asyncio.to_thread(_target, subject, environment, shop)
        healthy = await well(target, shop.places, usual)
    except UnmeasuredError as error:
        return Unready(subject, _without_copies(str(error), shop))
    selection = _selection(subject, shop, shop.plan.named)
    return Ready(
        subject=subject,
        environment=environment,
        target=target,
        healthy=healthy,
        selection=selection,
        aside=_names(_selection(subject, shop, frozenset())) - _names(selection),
        packages=distributions_of(environment, [file for file in healthy.modules.values() if file]),
        notes=(f"it {shop.confinement.says}",) if shop.confinement else (),
    )


def _target(subject: Subject, environment: Environment, shop: Workshop) -> Target:
    python = environment.language == "python"
    return Target(
        name=subject.name,
        interpreter=environment.interpreter,
        language=environment.language,
        file=subject.file if python else _copied(subject, environment, shop),
        paths=import_paths(subject.root, subject.lock) if python else (),
        endpoints=subject.endpoints,
        good=subject.good,
        tls=subject.tls,
        hosts=subject.hosts,
        variables=subject.env,
        checkout=shop.plan.folder,
        reads=(*environment.folders, shop.copies),
    )


def _copied(subject: Subject, environment: Environment, shop: Workshop) -> Path:
    """The subject's file where Node finds its packages."""
    return copy_for(subject.file, environment, repository=shop.plan.folder, project=subject.project, into=shop.copies)


def _without_copies(message: str, shop: Workshop) -> str:
    """A message with paths from the repository's root, and not of a copy that is gone by now."""
    return re.sub(rf"{re.escape(str(shop.copies))}/\w+/", "", message)


def _selection(subject: Subject, shop: Workshop, named: frozenset[str]) -> Selection:
    return selected(subject, shop.plan, shop.places.clock, shop.horizon, named)


def selected(subject: Subject, plan: Plan, clock: ClockName, horizon: float, named: frozenset[str]) -> Selection:
    """The scenarios that a subject runs by this clock, and those that it leaves out; `named` on the command line."""
    return select(
        subject.scenarios,
        own=plan.own,
        dialect=dialect_of(subject.dialect, subject.good if subject.dialect == "http" else None),
        endpoints=len(subject.endpoints),
        clock=clock,
        horizon=horizon,
        named=named,
    )


def _names(selection: Selection) -> frozenset[str]:
    return frozenset(scenario.name for scenario in selection.chosen)
