"""Known silent changes in published packages, as data."""

from failsame.advisories.model import Advisory
from failsame.advisories.table import advisories

__all__ = ["Advisory", "advisories"]
