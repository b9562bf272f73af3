"""The programs that run inside a subject's environment, and the subjects that come with failsame."""

from failsame.probes.builtin import BUILTINS, BuiltIn
from failsame.probes.languages import NODE, PYTHON, STARTER, Language

__all__ = ["BUILTINS", "NODE", "PYTHON", "STARTER", "BuiltIn", "Language"]
