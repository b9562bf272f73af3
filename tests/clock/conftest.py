"""C programs, compiled once a session, and arbiters that are started in some other way."""

import subprocess
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from worlds import PROGRAMS

from failsame.clock.native import Native, find


@pytest.fixture(scope="session")
def compiled(tmp_path_factory: pytest.TempPathFactory) -> Callable[..., Path]:
    """Compiles a C program of ours and returns the path of the result."""
    directory = tmp_path_factory.mktemp("compiled")

    def compile_program(name: str, *flags: str, compiler: str = "cc") -> Path:
        built = directory / "-".join([Path(name).stem, compiler, *flags])
        if not built.exists():
            source = PROGRAMS / name
            subprocess.run([compiler, "-std=gnu11", "-O1", *flags, "-o", built, source, "-lpthread"], check=True)
        return built

    return compile_program


@pytest.fixture
def wrapped() -> Iterator[Callable[[str], Native]]:
    """Native parts with a script in the arbiter's place that starts it in some other way."""
    with tempfile.TemporaryDirectory() as directory:
        Path(directory).chmod(0o755)

        def wrap(start_arbiter: str) -> Native:
            native = find()
            script = Path(directory) / "arbiter"
            script.write_text(f'#!/bin/sh\nexec {start_arbiter} {native.arbiter} "$@"\n')
            script.chmod(0o755)
            return Native(native.shim, script)

        yield wrap
