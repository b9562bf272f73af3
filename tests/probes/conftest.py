"""What the tests of the probe share: a good server, and probes with a subject imported."""

from collections.abc import Callable, Iterator
from pathlib import Path
from textwrap import dedent
from typing import Any

import pytest
from tests.probes.probing import Probe, Result, Said, Service, run_trial, serving

from failsame.trial.channel import Prepared


@pytest.fixture(scope="session")
def service() -> Iterator[Service]:
    with serving() as service:
        yield service


@pytest.fixture
def probes() -> Iterator[Callable[..., Probe]]:
    """Start probes that are ended with the test."""
    started = []

    def start(*arguments: Any, **named: Any) -> Probe:
        started.append(Probe(*arguments, **named))
        return started[-1]

    yield start
    for probe in started:
        probe.close()


@pytest.fixture
def write(tmp_path: Path) -> Callable[[str], Path]:
    """Write a subject's file."""

    def write(source: str) -> Path:
        file = tmp_path / "subject.py"
        file.write_text(dedent(source))
        return file

    return write


@pytest.fixture
def prepared(probes: Callable[..., Probe], write: Callable[[str], Path]) -> Callable[..., tuple[Probe, Said]]:
    """Start a probe and have a subject imported, given as its source."""

    def prepare(source: str, *, variables: dict[str, str] | None = None, **more: Any) -> tuple[Probe, Said]:
        probe = probes(variables=variables)
        return probe, probe.prepare(write(source), **more)

    return prepare


@pytest.fixture
def trial(prepared: Callable[..., tuple[Probe, Said]], service: Service) -> Callable[..., Result]:
    """Run one trial of a subject given as its source, forked if it can be."""

    def run(source: str, *, preload: tuple[str, ...] = (), **more: Any) -> Result:
        probe, said = prepared(source, preload=preload)
        assert isinstance(said, Prepared), said
        return run_trial(probe, service.url, fork=said.fork, **more)

    return run
