"""One subject through one scenario."""

from failsame.trial.places import Places, Session, session
from failsame.trial.run import Asked, Launch, Outcome, Place, run_trial
from failsame.trial.series import JITTERS, Healthy, healthy, launch
from failsame.trial.target import Target

__all__ = [
    "JITTERS",
    "Asked",
    "Healthy",
    "Launch",
    "Outcome",
    "Place",
    "Places",
    "Session",
    "Target",
    "healthy",
    "launch",
    "run_trial",
    "session",
]
