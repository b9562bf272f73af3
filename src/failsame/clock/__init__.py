"""The clocks that trials run on."""

from failsame.clock.interface import PortFault, Reached, TrialTime, World
from failsame.clock.real import RealTime

__all__ = ["PortFault", "Reached", "RealTime", "TrialTime", "World"]
