"""The programs that run inside a subject's environment, and the subjects that come with failsame."""

from failsame.probes.builtin import BUILTINS, BuiltIn
from failsame.probes.programs import PROGRAMS, PROGRAMS_FOLDER, PYTHON_PROBE, STARTER, Program

__all__ = ["BUILTINS", "PROGRAMS", "PROGRAMS_FOLDER", "PYTHON_PROBE", "STARTER", "BuiltIn", "Program"]
