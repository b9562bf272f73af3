"""A subject on its way to a verdict."""

from dataclasses import dataclass

from failsame.config import Subject
from failsame.drift import Upgrade
from failsame.gate.compare import Compared
from failsame.gate.prepare import Ready
from failsame.gate.reference import Known


@dataclass(frozen=True)
class Failed:
    """A subject of which nothing could be measured, and why."""

    subject: Subject
    why: str
    informational: bool


@dataclass(frozen=True)
class Judged:
    """A subject that was measured, and judged scenario by scenario."""

    ready: Ready
    compared: Compared
    known: Known | None
    upgrade: Upgrade
    informational: bool

    @property
    def subject(self) -> Subject:
        """Whose client it is."""
        return self.ready.subject
