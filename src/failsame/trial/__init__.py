"""One subject through one scenario."""

from failsame.trial.places import Places, worth
from failsame.trial.run import Asked, Launch, Outcome, Place, run_trial
from failsame.trial.series import JITTERS
from failsame.trial.session import Session, session, well
from failsame.trial.target import Target
from failsame.trial.together import together
from failsame.trial.working import Healthy

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
    "run_trial",
    "session",
    "together",
    "well",
    "worth",
]
