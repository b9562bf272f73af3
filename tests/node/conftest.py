"""What the tests of Node's probe share: a good server, and trials of a subject given as its source."""

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from tests.node.noding import Result, run_trial, write
from tests.probes.probing import Service, serving


@pytest.fixture(scope="session")
def service() -> Iterator[Service]:
    with serving() as service:
        yield service


@pytest.fixture
def trial(tmp_path: Path, service: Service) -> Callable[..., Result]:
    """Run one trial of a subject given as its source."""

    def run(source: str, *, name: str = "subject.mjs", **more: object) -> Result:
        return run_trial(write(tmp_path, name, source), service.url, **more)  # type: ignore[arg-type]

    return run
