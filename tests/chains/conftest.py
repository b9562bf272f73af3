import asyncio
from pathlib import Path

import pytest
from tests.facts.measuring import Unwatched

from failsame.gate import Options, Timing, plan, run_measure
from failsame.report import Report

FIXTURE = Path(__file__).parents[2] / "fixtures" / "ai-fallback"
ONCE = ("added-timeouts", "shared-deadline", "deadline-inside-the-loop")
"""The chains whose SDKs try once."""


def _measure(subjects: tuple[str, ...], scenarios: frozenset[str], horizon: float) -> Report:
    asked = plan(Options(folder=FIXTURE, subjects=subjects, scenarios=scenarios))
    return asyncio.run(run_measure(asked, Timing("skip", horizon), Unwatched()))


@pytest.fixture(scope="session")
def once() -> Report:
    """The chains without retries, in Python and Node; 200 s are enough to see what ends, and what does not."""
    subjects = tuple(f"{name}-{language}" for name in ONCE for language in ("python", "node"))
    return _measure(subjects, frozenset({"all-silent", "first-drip", "first-late-then-silent"}), 200.0)


@pytest.fixture(scope="session")
def retried() -> Report:
    """The chain with added timeouts whose SDKs retry, in Node, where a trial costs least."""
    return _measure(("added-timeouts-and-retries-node",), frozenset({"all-silent"}), 3600.0)
