"""The report: everything failsame found, as `--report FILE` writes it (schemas/report.json). Times are seconds."""

from collections.abc import Mapping
from typing import Annotated, Literal

from pydantic import ConfigDict, Field, JsonValue

from failsame.budgets import Setting, Severity
from failsame.budgets import Verdict as BudgetVerdict
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
    times: Annotated[int, Field(ge=1, le=10_000)] = 1


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


class Figure(Model):
    """A number in a budget, as far as it is known: `least` to `most`."""

    least: float | None
    """None: it has no end."""
    most: float | None
    """None: nobody saw one, or it has none."""


class Term(Model):
    """A term of a budget, with its number."""

    term: str
    unit: str = ""
    figure: Figure | None
    """None where there is nothing of it: waits of a client that does not retry, a setting that is not shown."""
    scenario: str | None = None
    """The scenario that makes it so."""


class BudgetReport(Model):
    """One budget of a subject, with the numbers put in."""

    rule: str
    name: str | None = None
    """In the catalogue."""
    because: str | None = None
    severity: Severity
    slack: float = 0
    source: str | None = None
    verdict: BudgetVerdict
    unit: str
    """What its numbers count: `s`, `USD`; empty for plain numbers."""
    left: Figure | None
    right: Figure | None
    """Its sides; None where nothing at all is known of one."""
    room: Figure | None
    """How much is left before it breaks, slack included; below 0, it is broken by so much."""
    terms: tuple[Term, ...] = ()
    """Each once, in the order of the rule."""
    why: str | None = None
    """Why it is `unmeasured` or `left-out`, in one line."""
    before: Literal["kept", "broken"] | None = None
    """What the reference says of it; None where that is not known."""
    broken_by: tuple[str, ...] = ()
    """The changed packages that can be why it is broken now and was kept before, most likely first."""
    confirmed: int = 1
    """How many measurements agree."""


class CostReport(Model):
    """What an outage costs a subject. `before` is None where it is not known."""

    cost: Literal["money", "concurrency"]
    unit: str
    before: Figure | None
    after: Figure | None
    limit: float | None = None
    """How much of it there is."""


class SettingChange(Model):
    """A setting of the client that is not what it was; None: it was not, or is not, shown."""

    setting: str
    before: Setting
    after: Setting


class SubjectReport(Model):
    """One subject: whose client it is, what it ran with, and what its scenarios showed."""

    name: str
    origin: str
    """`built-in`, or the path of its file."""
    language: Language = "python"
    dialect: str
    """That of its first endpoint."""
    endpoints: Mapping[str, str] = {}
    """Name -> dialect, in the order in which they are called, where there are several."""
    verdict: Verdict
    informational: bool = False
    """Found by itself: reported, never red."""
    runtime: str | None = None
    isolation: Literal["fork", "fresh"] | None = None
    isolation_note: str | None = None
    packages: Mapping[str, str] = {}
    """The deciding packages: distribution -> version."""
    settings: Mapping[str, Setting] = {}
    setting_changes: tuple[SettingChange, ...] = ()
    """Settings that differ from those of the reference: never red, but a likely cause of what is."""
    fault_keys: Mapping[str, str] = {}
    """The requests that were broken: endpoint -> `METHOD /path`."""
    reference: Reference = Reference()
    scenarios: tuple[ScenarioReport, ...] = ()
    left_out: tuple[LeftOut, ...] = ()
    side_calls: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()
    budgets: tuple[BudgetReport, ...] = ()
    costs: tuple[CostReport, ...] = ()
    why: str | None = None
    """Why it is `unmeasured` or `new`, in one line that ends in the remedy."""
    lock: str | None = None
    edited: tuple[str, ...] | None = None
    """Files of the project that the change touched and that can change how it fails: its own first, then what it
    watches, its baselines, the configuration. None where that is not known."""
    earlier: tuple[Change, ...] = ()
    """What moved of its packages, or its runtime, since its baseline was recorded, and is no part of the change."""


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
    unguarded: tuple[str, ...] = ()
    """What is recorded, and did not run since the change that is judged asks for less: a line each."""
