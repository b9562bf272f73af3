"""The broken server: a process of its own, its commands and its journal."""

from failsame.faults.handle import FaultServer
from failsame.faults.keys import request_key

__all__ = ["FaultServer", "request_key"]
