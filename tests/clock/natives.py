"""C programs of ours, compiled once a session, and arbiters that are started in some other way."""

import subprocess
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from pathlib import Path

from tests.clock.worlds import PROGRAMS

from failsame.clock.native import Native, find

_COMPILED = tempfile.TemporaryDirectory(prefix="failsame-compiled-")


@cache
def compiled(name: str, *flags: str, compiler: str = "cc", folder: Path = PROGRAMS) -> Path:
    """Compile a C program of ours and return the path of the result."""
    built = Path(_COMPILED.name) / "-".join([Path(name).stem, compiler, *flags])
    subprocess.run([compiler, "-std=gnu11", "-O1", *flags, "-o", built, folder / name, "-lpthread"], check=True)
    return built


@contextmanager
def arbiter_by(start_arbiter: str) -> Iterator[Native]:
    """Native parts with a script in the arbiter's place that starts it with such a command."""
    native = find()
    with tempfile.TemporaryDirectory() as directory:
        Path(directory).chmod(0o755)
        script = Path(directory) / "arbiter"
        script.write_text(f'#!/bin/sh\nexec {start_arbiter} {native.arbiter} "$@"\n')
        script.chmod(0o755)
        yield Native(native.shim, script, native.harness)
