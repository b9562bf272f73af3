"""The clocks that trials run on."""

from failsame.clock.interface import PortFault, Reached, TrialTime, World
from failsame.clock.native import CannotSkipError
from failsame.clock.real import RealTime
from failsame.clock.selftest import SelfTest, self_test
from failsame.clock.skipped import SkippedTime

__all__ = [
    "CannotSkipError",
    "PortFault",
    "Reached",
    "RealTime",
    "SelfTest",
    "SkippedTime",
    "TrialTime",
    "World",
    "self_test",
]
