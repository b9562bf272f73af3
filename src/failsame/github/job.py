"""One run of the action: what it was told, whom it can ask, where it says what came of it."""

from collections.abc import Callable, Coroutine
from dataclasses import dataclass
from typing import Any, Protocol, TypeVar

from failsame.gate import Progress
from failsame.github.api import Repository
from failsame.github.event import Payload
from failsame.github.runner import Runner
from failsame.github.settings import Settings

T = TypeVar("T")


class Measure(Protocol):
    """Runs what measures to its end, and shows its progress; ends it in order when the job is cancelled."""

    def __call__(self, work: Callable[[Progress], Coroutine[Any, Any, T]]) -> T:
        """Give what the work gives; raise what it raises."""


@dataclass(frozen=True)
class Job:
    """One run."""

    settings: Settings
    payload: Payload
    github: Repository
    runner: Runner
