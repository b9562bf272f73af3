"""The languages of subjects: how each one's probe is run."""

from dataclasses import dataclass
from pathlib import Path

_HERE = Path(__file__).parent


@dataclass(frozen=True, slots=True)
class Language:
    """A language with a probe."""

    name: str
    arguments: tuple[str, ...]
    """What its interpreter is given to run the probe."""
    why_fresh: str | None = None
    """Why a process that has imported the subject can never be forked; None if it can, subject by subject."""
    code_cache: str | None = None
    """The variable that names a folder for compiled code, where the language has one."""


PYTHON = Language("python", (str(_HERE / "python/failsame_probe"),))

NODE = Language(
    "node",
    # What is required so is loaded in worker threads too.
    ("--require", str(_HERE / "node/failsame_probe/thread.cjs"), str(_HERE / "node/failsame_probe/program.cjs")),
    why_fresh="Node cannot be forked",
    code_cache="NODE_COMPILE_CACHE",  # Node 22.1; older ones ignore it
)

STARTER = _HERE / "python/failsame_starter"
"""What starts the probes of languages that cannot fork: a program for failsame's own Python."""
