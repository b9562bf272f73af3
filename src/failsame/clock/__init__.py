"""The clocks that trials run on."""

from failsame.clock.interface import World
from failsame.clock.real import RealTime

__all__ = ["RealTime", "World"]
