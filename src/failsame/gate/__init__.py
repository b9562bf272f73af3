"""From a configuration and a lock file to a report: what the commands do."""

from failsame.gate.accept import accept_reported
from failsame.gate.adopt import Found, configuration, find_sdks
from failsame.gate.assemble import exit_code, not_measured
from failsame.gate.check import run_check
from failsame.gate.earlier import Before
from failsame.gate.edited import configurations
from failsame.gate.locked import locked
from failsame.gate.measure import run_measure
from failsame.gate.plan import Options, Plan, plan
from failsame.gate.progress import Progress
from failsame.gate.record import run_record
from failsame.gate.reports import compare_reports
from failsame.gate.unguarded import unguarded
from failsame.gate.workshop import ClockChoice, Timing

__all__ = [
    "Before",
    "ClockChoice",
    "Found",
    "Options",
    "Plan",
    "Progress",
    "Timing",
    "accept_reported",
    "compare_reports",
    "configuration",
    "configurations",
    "exit_code",
    "find_sdks",
    "locked",
    "not_measured",
    "plan",
    "run_check",
    "run_measure",
    "run_record",
    "unguarded",
]
