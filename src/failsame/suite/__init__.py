"""All scenarios and dialects, as data."""

from failsame.suite.model import (
    Answer,
    ClockSkew,
    Close,
    Failure,
    Garbage,
    Good,
    GoodAnswer,
    Phase,
    Reset,
    Scenario,
    Silent,
)
from failsame.suite.scenarios import GROUPS, SCENARIOS, SUITE

__all__ = [
    "GROUPS",
    "SCENARIOS",
    "SUITE",
    "Answer",
    "ClockSkew",
    "Close",
    "Failure",
    "Garbage",
    "Good",
    "GoodAnswer",
    "Phase",
    "Reset",
    "Scenario",
    "Silent",
]
