"""failsame on itself: the built-in subjects, at the versions that this repository pins."""

import asyncio
from pathlib import Path

import pytest
from tests.facts.measuring import Unwatched
from tests.node.noding import needs_node

from failsame.gate import Options, Timing, plan, run_check
from failsame.probes import BUILTINS

ROOT = Path(__file__).parents[2]
NODE = tuple(name for name, builtin in BUILTINS.items() if builtin.language == "node")


def test_every_built_in_subject_is_recorded() -> None:
    """Each is configured, and has a baseline; and no baseline is left over."""
    assert {subject.name for subject in plan(Options(folder=ROOT)).subjects} == set(BUILTINS)
    assert {file.stem for file in (ROOT / "baselines").glob("*.json")} == set(BUILTINS)


@needs_node
@pytest.mark.install
def test_those_for_node_fail_as_recorded() -> None:
    """In silence, and where the service answers 500; the workflow `failsame` measures the whole suite."""
    options = Options(folder=ROOT, subjects=NODE, scenarios=frozenset({"silent", "status-500"}))
    report = asyncio.run(run_check(plan(options), Timing("skip"), Unwatched()))
    verdicts = {subject.name: (subject.verdict, subject.why) for subject in report.subjects}
    assert verdicts == dict.fromkeys(NODE, ("same", None))
