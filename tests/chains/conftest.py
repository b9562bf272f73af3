import asyncio
from pathlib import Path

import pytest
from tests.facts.measuring import Unwatched

from failsame.gate import Options, Timing, plan, run_measure
from failsame.report import Report

FIXTURE = Path(__file__).parents[2] / "fixtures" / "ai-fallback"
ONCE = ("added-timeouts", "shared-deadline", "deadline-inside-the-loop")
"""The chains whose SDKs try once."""


def _measure(names: tuple[str, ...], scenarios: frozenset[str], horizon: float) -> Report:
    subjects = tuple(f"{name}-{language}" for name in names for language in ("python", "node"))
    asked = plan(Options(folder=FIXTURE, subjects=subjects, scenarios=scenarios))
    return asyncio.run(run_measure(asked, Timing("skip", horizon), Unwatched()))


@pytest.fixture(scope="session")
def once() -> Report:
    """The chains without retries, in Python and Node; 200 s are enough to see what ends, and what does not."""
    return _measure(ONCE, frozenset({"all-silent", "first-drip", "first-late-then-silent"}), 200.0)


@pytest.fixture(scope="session")
def retried() -> Report:
    """The chain with added timeouts whose SDKs retry."""
    return _measure(("added-timeouts-and-retries",), frozenset({"all-silent"}), 3600.0)
