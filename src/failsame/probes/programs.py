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
    kept: bool = False
    """Whether a starter has to answer for its processes, since they do not do so themselves."""
    library: Path | None = None
    """What is loaded before it, where it has been compiled."""
    code_cache: str | None = None
    """The variable that names a folder for compiled code, where the language has one."""


PYTHON_PROBE = _HERE / "python/failsame_probe"
"""The probe for Python: a folder."""

_NODE = _HERE / "node/failsame_probe"

PROGRAMS: Mapping[Language, Program] = {
    "python": Program((str(PYTHON_PROBE),)),
    "node": Program(
        (
            "--single-threaded",  # a child has one thread: V8 must not wait for others
            # After 8 s without work V8 looks for memory to give back; skipped time is no reason to, and in real time it
            # would decide when what is garbage is closed.
            "--no-memory-reducer",
            *("--require", str(_NODE / "thread.cjs")),  # so it is loaded in worker threads, too
            str(_NODE / "program.cjs"),
        ),
        kept=True,
        library=_HERE / "node/native/build/forks.node",
        code_cache="NODE_COMPILE_CACHE",  # Node 22.1; older ones ignore it
    ),
}

STARTER = _HERE / "python/failsame_starter"
"""What starts probes that do not answer for their processes themselves: a program for failsame's own Python."""
