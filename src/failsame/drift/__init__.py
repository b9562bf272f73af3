"""Baseline and measurement in, drifts and a verdict out. Pure."""

from failsame.drift.confirm import Repeat, confirm
from failsame.drift.fingerprint import Upgrade, overall
from failsame.drift.judge import NOT_RECORDED, Judgement, ScenarioVerdict, judge
from failsame.drift.model import Drift, Severity
from failsame.drift.scenario import Contradictions, Place, contradictions
from failsame.drift.shown import SEVERITIES, STANDS_FOR

__all__ = [
    "NOT_RECORDED",
    "SEVERITIES",
    "STANDS_FOR",
    "Contradictions",
    "Drift",
    "Judgement",
    "Place",
    "Repeat",
    "ScenarioVerdict",
    "Severity",
    "Upgrade",
    "confirm",
    "contradictions",
    "judge",
    "overall",
]
