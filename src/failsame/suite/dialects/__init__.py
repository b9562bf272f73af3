"""What a good answer and an error look like, for each kind of service."""

from failsame.suite.dialects.model import Dialect, Reply, Request
from failsame.suite.dialects.registry import DIALECTS, dialect_of, fits

__all__ = ["DIALECTS", "Dialect", "Reply", "Request", "dialect_of", "fits"]
