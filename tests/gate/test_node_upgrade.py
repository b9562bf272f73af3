"""An upgrade of the AWS SDK for JavaScript whose direct version is the same: the comment, as a user reads it."""

import asyncio
import json
import shutil
from pathlib import Path

import pytest
from tests.facts.measuring import Unwatched
from tests.node.noding import needs_node

from failsame.gate import Options, Timing, plan, run_check
from failsame.report import markdown

pytestmark = [needs_node, pytest.mark.install]

FIXTURE = Path(__file__).parents[2] / "fixtures/node-batch"


def pinned(lock: str, package: str) -> str:
    packages = json.loads((FIXTURE / lock).read_text())["packages"]
    return str(packages[f"node_modules/{package}"]["version"])


def test_a_package_that_nobody_required(tmp_path: Path) -> None:
    """Nothing that package.json says has moved; the comment names what did, where, and what it does to an outage."""
    old, new = ("before/package-lock.json", "package-lock.json")
    assert pinned(old, "@aws-sdk/client-s3") == pinned(new, "@aws-sdk/client-s3")
    folder = Path(shutil.copytree(FIXTURE, tmp_path / "project"))
    options = Options(folder=folder, old_lock=folder / old, scenarios=frozenset({"status-500", "throttled"}))
    report = asyncio.run(run_check(plan(options), Timing("skip"), Unwatched()))
    said = markdown(report).splitlines()
    assert said[1].startswith("> **This upgrade changes how your clients fail.** batch-s3 behaves differently")
    assert (
        "**`batch-s3`** (`failsame/batch-s3.mjs`) · `@smithy/core` 3.39.0 → **3.40.0** (`package-lock.json` line 441, "
        "through `@aws-sdk/client-s3`); nothing that you require directly changed"
    ) in said
    assert "| answers 500 | gave up after 0 to 0.3 s, 3 attempts | gives up after **0 to 0.15 s**, 3 attempts |" in said
    assert "| throttles | gave up after 0 to 1.5 s, 3 attempts | gives up after **0 to 3 s**, 3 attempts |" in said
    assert any("an outage of more than 0.15 s will now reach your code as an error" in line for line in said)
    assert any(line.startswith("- Known change in `@smithy/core` (") for line in said)
    assert any(line.endswith("or keep `@smithy/core` at 3.39.0.") for line in said)
