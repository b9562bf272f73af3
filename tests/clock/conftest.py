"""C programs, compiled once a session."""

import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest
from worlds import PROGRAMS


@pytest.fixture(scope="session")
def compiled(tmp_path_factory: pytest.TempPathFactory) -> Callable[..., Path]:
    """Compiles a C program of ours and returns the path of the result."""
    directory = tmp_path_factory.mktemp("compiled")

    def compile_program(name: str, *flags: str) -> Path:
        built = directory / "-".join([Path(name).stem, *flags])
        if not built.exists():
            source = PROGRAMS / name
            subprocess.run(["cc", "-std=gnu11", "-O1", *flags, "-o", built, source, "-lpthread"], check=True)
        return built

    return compile_program
