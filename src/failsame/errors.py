"""What stops failsame, and with which exit code.

Every message is one line that says what is wrong, where, and ends in the remedy.
"""

from enum import IntEnum


class ExitCode(IntEnum):
    """The exit codes of all commands; of several, `worst` picks the one to leave with."""

    SAME = 0
    DRIFT = 1
    USAGE = 2
    UNMEASURED = 3
    INTERRUPTED = 130


# Of several exit codes the first in this order wins: 2 beats 1 beats 3 beats 0.
_PRECEDENCE = (ExitCode.INTERRUPTED, ExitCode.USAGE, ExitCode.DRIFT, ExitCode.UNMEASURED, ExitCode.SAME)


def worst(codes: "list[ExitCode]") -> ExitCode:
    """Pick the exit code of a run that had several; `SAME` if it had none."""
    return min(codes, key=_PRECEDENCE.index, default=ExitCode.SAME)


class FailsameError(Exception):
    """The root of every error that a user may see."""

    exit_code = ExitCode.UNMEASURED


class UsageError(FailsameError):
    """Wrong usage, configuration, baseline or lock file: mended by an edit. Exit 2."""

    exit_code = ExitCode.USAGE


class UnmeasuredError(FailsameError):
    """Something that could not be measured: no package, no port, a subject that never worked. Exit 3."""

    exit_code = ExitCode.UNMEASURED
