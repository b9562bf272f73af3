"""All scenarios and dialects, as data."""

from failsame.suite.model import (
    Answer,
    ClockSkew,
    Close,
    Failure,
    Fault,
    Garbage,
    Good,
    GoodAnswer,
    Phase,
    Reset,
    Scenario,
    Silent,
)
from failsame.suite.scenarios import CHAIN, GROUPS, SCENARIOS, SUITE

__all__ = [
    "CHAIN",
    "GROUPS",
    "SCENARIOS",
    "SUITE",
    "Answer",
    "ClockSkew",
    "Close",
    "Failure",
    "Fault",
    "Garbage",
    "Good",
    "GoodAnswer",
    "Phase",
    "Reset",
    "Scenario",
    "Silent",
]
