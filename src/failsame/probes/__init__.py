"""The programs that run inside a subject's environment, and the subjects that come with failsame."""

from failsame.probes.builtin import BUILTINS, PYTHON_PROBE, BuiltIn

__all__ = ["BUILTINS", "PYTHON_PROBE", "BuiltIn"]
