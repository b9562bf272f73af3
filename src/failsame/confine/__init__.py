from failsame.confine.accounts import ROOT, Account, Confinement, confinement
from failsame.confine.command import Command, confined, plain, run_as
from failsame.confine.reach import Reach

__all__ = ["ROOT", "Account", "Command", "Confinement", "Reach", "confined", "confinement", "plain", "run_as"]
