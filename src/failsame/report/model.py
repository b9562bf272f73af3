"""The report: everything failsame found, as `--report FILE` writes it (schemas/report.json). Times are seconds."""

from collections.abc import Mapping
from typing import Literal

from pydantic import ConfigDict, Field, JsonValue

from failsame.drift.model import Drift
from failsame.language import Language
from failsame.model import Model
from failsame.observation import Call, ClockName
from failsame.pins.model import Change

Command = Literal["measure", "check", "compare", "record"]
Verdict = Literal["same", "drift", "over-budget", "new", "unmeasured"]


class FoldedCalls(Model):
    """One or several equal neighbouring calls: `both` where jitter low and high are equal, else `low` and `high`."""

    both: Call | None = None
    low: Call | None = None
    high: Call | None = None
    times: int = 1


class ScenarioReport(Model):
    """One scenario of one subject. `before` holds the reference's calls, as facts, where there are any."""

    name: str
    when: str | None = None
    """Completes "when the service …" for an own scenario; None where the suite has the words."""
    verdict: Verdict
    clock: ClockName
    horizon: float
    clock_note: str | None = None
    aligned: bool = True
    """Whether every call started 0.25 s after a whole second; if not, times have more slack."""
    calls: tuple[FoldedCalls, ...] = ()
    before: Mapping[str, Mapping[str, JsonValue]] = {}
    """The reference: `call 1` or `calls 1-17` -> fact -> value, as in the baseline file."""
    drifts: tuple[Drift, ...] = ()
    why: str | None = None
    """Why it is `unmeasured` or `new`, in one line."""
    notes: tuple[str, ...] = ()


class LeftOut(Model):
    """A scenario that does not fit, and why."""

    scenario: str
    why: str


class Reference(Model):
    """What the subject was compared with; nothing is set where there is nothing yet."""

    base: str | None = None
    coming: tuple[str, ...] = ()
    measured_on: str | None = None
    """The old lock file, where the reference was measured in the same run."""


class SubjectReport(Model):
    """One subject: whose client it is, what it ran with, and what its scenarios showed."""

    name: str
    origin: str
    """`built-in`, or the path of its file."""
    language: Language = "python"
    dialect: str
    verdict: Verdict
    informational: bool = False
    """Found by itself: reported, never red."""
    runtime: str | None = None
    isolation: Literal["fork", "fresh"] | None = None
    isolation_note: str | None = None
    packages: Mapping[str, str] = {}
    """The deciding packages: distribution -> version."""
    settings: Mapping[str, str | float | int | bool | None] = {}
    reference: Reference = Reference()
    scenarios: tuple[ScenarioReport, ...] = ()
    left_out: tuple[LeftOut, ...] = ()
    side_calls: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()
    budgets: tuple[str, ...] = ()
    why: str | None = None
    """Why it is `unmeasured` or `new`, in one line that ends in the remedy."""
    lock: str | None = None


class Report(Model):
    """One run of failsame."""

    model_config = ConfigDict(frozen=True, extra="forbid", serialize_by_alias=True, validate_by_name=True)

    schema_number: Literal[1] = Field(default=1, alias="schema")
    suite: int
    failsame: str
    command: Command
    mode: Literal["block", "warn"] = "block"
    verdict: Verdict
    commit: str | None = None
    base: str | None = None
    clock: ClockName
    horizon: float
    shard: str | None = None
    fingerprint: str | None = None
    """8 hex digits over all drifts; None where nothing drifted."""
    changes: tuple[Change, ...] = ()
    subjects: tuple[SubjectReport, ...] = ()
    written: Mapping[str, str | None] = {}
    """The files that `record` wrote: path -> content, null where a coming file was folded in and removed."""
    notes: tuple[str, ...] = ()
