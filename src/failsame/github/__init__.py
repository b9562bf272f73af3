"""Everything that speaks to GitHub: from an event to a verdict, a comment, a pull request with new baselines."""

from failsame.github.accept import accept
from failsame.github.check import check
from failsame.github.comment import comment
from failsame.github.job import Job, Measure
from failsame.github.opening import opened

__all__ = ["Job", "Measure", "accept", "check", "comment", "opened"]
