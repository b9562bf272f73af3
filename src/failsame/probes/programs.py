"""How each language's probe is run, as a table."""

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from failsame.language import Language

_HERE = Path(__file__).parent

PROGRAMS_FOLDER = _HERE
"""Where all of them are, and the built-in subjects."""


@dataclass(frozen=True, slots=True)
class Program:
    """One language's probe."""

    arguments: tuple[str, ...]
    """What the subject's interpreter is given to run it."""
    why_fresh: str | None = None
    """Why a process that has imported the subject can never be forked; None if it can, subject by subject."""
    code_cache: str | None = None
    """The variable that names a folder for compiled code, where the language has one."""


PYTHON_PROBE = _HERE / "python/failsame_probe"
"""The probe for Python: a folder."""

_NODE = _HERE / "node/failsame_probe"

PROGRAMS: Mapping[Language, Program] = {
    "python": Program((str(PYTHON_PROBE),)),
    "node": Program(
        # What is required so is loaded in worker threads too.
        ("--require", str(_NODE / "thread.cjs"), str(_NODE / "program.cjs")),
        why_fresh="Node cannot be forked",
        code_cache="NODE_COMPILE_CACHE",  # Node 22.1; older ones ignore it
    ),
}

STARTER = _HERE / "python/failsame_starter"
"""What starts the probes of languages that cannot fork: a program for failsame's own Python."""
