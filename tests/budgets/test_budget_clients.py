"""The AWS SDKs' own clients against budgets, in Node and in Python: 5 s x 3 attempts, and no end at all."""

import asyncio
import shutil
from pathlib import Path

import pytest
from tests.facts.measuring import Unwatched
from tests.node.noding import needs_node

from failsame.errors import ExitCode
from failsame.gate import Options, Timing, exit_code, plan, run_check, run_measure
from failsame.report import Report, markdown, terminal
from failsame.report.model import BudgetReport, Figure, SubjectReport

pytestmark = [needs_node, pytest.mark.install]

ROOT = Path(__file__).parents[2]

NODE = """
import {{ GetObjectCommand }} from "@aws-sdk/client-s3";
import {{ createS3Client }} from "../src/clients.js";

export const client = (endpoint) => createS3Client({{ endpoint, requestHandler: {handler} }});
export const call = async (client) => {{
  const {{ Body }} = await client.send(new GetObjectCommand({{ Bucket: "b", Key: "k" }}));
  return Body.transformToString();
}};
"""

PYTHON = """
import boto3
from botocore.config import Config


def client(endpoint):
    return boto3.client("s3", endpoint_url=endpoint, config=Config({settings}))


def call(client):
    return client.get_object(Bucket="b", Key="k")["Body"].read()
"""

SUBJECTS = {
    "node-five.mjs": NODE.format(handler="{ requestTimeout: 5000, throwOnRequestTimeout: true }"),
    "node-alone.mjs": NODE.format(handler="{ requestTimeout: 5000 }"),
    "python-five.py": PYTHON.format(settings="read_timeout=5, retries={'mode': 'standard', 'total_max_attempts': 3}"),
    "python-alone.py": PYTHON.format(settings="read_timeout=None"),
}

SUBJECT = """
  - name: {name}
    file: failsame/{file}
    dialect: s3
    scenarios: [silent]
    declare:
      function_timeout: 30s
      memory: 1 GB
      memory_price: 0.0000166667 USD / GB / s
    budgets:
      - function-timeout
      - default-function-timeout
      - attempts.max in silence <= 3
      - give_up.floor in silent >= 3 * settings.{timeout}
"""


@pytest.fixture(scope="module")
def report(tmp_path_factory: pytest.TempPathFactory) -> Report:
    """All four, measured at once in skipped time."""
    folder = tmp_path_factory.mktemp("project") / "project"
    shutil.copytree(ROOT / "fixtures/node-timeout", folder)
    shutil.copy(ROOT / "tests/facts/project/locks/boto3-1.44.8.txt", folder / "requirements.txt")
    entries = []
    for file, source in SUBJECTS.items():
        (folder / "failsame" / file).write_text(source, encoding="utf-8")
        timeout = "request_timeout" if file.endswith(".mjs") else "read_timeout"
        entries.append(SUBJECT.format(name=file.partition(".")[0], file=file, timeout=timeout))
    (folder / ".github/failsame.yml").write_text(f"version: 1\nsubjects:{''.join(entries)}", encoding="utf-8")
    return asyncio.run(run_measure(plan(Options(folder=folder)), Timing("skip"), Unwatched()))


def subject(report: Report, name: str) -> SubjectReport:
    (found,) = (each for each in report.subjects if each.name == name)
    assert [each.verdict for each in found.scenarios] == ["same", "same"], found.why
    return found


def budgets(report: Report, name: str) -> list[BudgetReport]:
    return list(subject(report, name).budgets)


ROOM = {"node-five": (15.3, 14.7), "python-five": (15.15, 14.85)}
"""Give-up time with the unluckiest waits, and what it leaves of 30 s."""


@pytest.mark.parametrize("name", ROOM)
def test_five_seconds_three_times(name: str, report: Report) -> None:
    """A budget of 30 s is kept, with the room shown; the 3 s that a function has by default are broken."""
    function, default, attempts, timeouts = budgets(report, name)
    lasts, room = ROOM[name]
    assert (function.verdict, default.verdict, attempts.verdict, timeouts.verdict) == ("kept", "broken", "kept", "kept")
    assert function.left is not None
    assert function.room is not None
    assert default.room is not None
    assert function.left.most == pytest.approx(lasts, abs=0.01)
    assert function.room.least == pytest.approx(room, abs=0.01)
    assert default.room.most == pytest.approx(3 - lasts, abs=0.01)
    assert (timeouts.right, attempts.left) == (Figure(least=15, most=15), Figure(least=3, most=3))


@pytest.mark.parametrize("name", ["node-alone", "python-alone"])
def test_a_call_that_never_ends(name: str, report: Report) -> None:
    """Without a timeout that throws the call never ends, and the report says so; no budget of time is large enough."""
    function, default, attempts, _ = budgets(report, name)
    assert (function.verdict, default.verdict, attempts.verdict) == ("broken", "broken", "kept")
    assert function.left == Figure(least=None, most=None)
    told = terminal(report.model_copy(update={"command": "check", "verdict": "over-budget"}))
    said = told.partition(f"\n{name} (")[2]
    assert "give_up.max is without end: the call never ends (silent)" in said


def test_what_the_outage_costs(report: Report) -> None:
    """10,000 calls that hang until the function's own timeout of 30 s cost twice what those do that give up before."""
    hangs, ends = (subject(report, name).costs[0] for name in ("node-alone", "node-five"))
    assert hangs.after is not None
    assert ends.after is not None
    assert hangs.after.most == pytest.approx(5.0, abs=0.001)
    assert ends.after.most == pytest.approx(2.55, abs=0.01)


def test_settings_are_read_from_the_clients(report: Report) -> None:
    """Seconds in both languages; a timeout that is switched off says so."""
    read = {name: subject(report, name).settings for name in ("node-five", "node-alone", "python-five", "python-alone")}
    assert (read["node-five"]["request_timeout"], read["node-five"]["throw_on_request_timeout"]) == (5, True)
    assert read["node-alone"]["request_timeout"] == 5
    assert (read["python-five"]["read_timeout"], read["python-five"]["max_attempts"]) == (5, 3)
    assert read["python-alone"]["read_timeout"] == "none"


UPGRADE = """
version: 1
subjects:
  - name: reports-s3
    file: failsame/reports-s3.mjs
    dialect: s3
    scenarios: [silent]
    declare:
      function_timeout: 15 min
      memory: 1 GB
      memory_price: 0.0000166667 USD / GB / s
      call_rate: 10 / s
      concurrency: 1000
    budgets:
      - give_up.max < 30s
      - {rule: attempts.max >= 3, severity: should}
"""


@pytest.fixture(scope="module")
def upgraded(tmp_path_factory: pytest.TempPathFactory) -> Report:
    """The project of fixtures/node-timeout after its upgrade, against its own baseline."""
    folder = tmp_path_factory.mktemp("upgraded") / "project"
    shutil.copytree(ROOT / "fixtures/node-timeout", folder)
    (folder / ".github/failsame.yml").write_text(UPGRADE, encoding="utf-8")
    options = Options(folder=folder, old_lock=folder / "before/package-lock.json")
    return asyncio.run(run_check(plan(options), Timing("skip"), Unwatched()))


def test_the_upgrade_that_broke_a_budget(upgraded: Report) -> None:
    """@smithy/node-http-handler 4.4 only warns: a call that gave up after 3.3 s never ends, and breaks its budget."""
    (checked,) = upgraded.subjects
    budget, should = checked.budgets
    assert (checked.verdict, exit_code(upgraded)) == ("drift", ExitCode.DRIFT)
    assert (budget.verdict, budget.before, budget.confirmed) == ("broken", "kept", 3)
    assert budget.broken_by[0] == "@smithy/node-http-handler"
    assert (should.verdict, should.before) == ("broken", "kept")
    assert checked.setting_changes == ()
    text = terminal(upgraded)
    assert "give_up.max is without end: the call never ends (silent)" in text
    assert "it was kept before: @smithy/node-http-handler 4.3.0 -> 4.4.1" in text
    money, held = checked.costs
    assert money.before is not None
    assert money.before.most == pytest.approx(0.55, abs=0.01)
    assert money.after is not None
    assert money.after.most == pytest.approx(150, abs=0.01)
    assert held.after == Figure(least=9000, most=9000)
    assert "10,000 calls cost 150 USD instead of 0.55 USD" in text


def test_the_comment_on_it(upgraded: Report) -> None:
    """It says that the call no longer ends, why, on which line that came, and which setting ends it again."""
    said = markdown(upgraded).splitlines()
    cause = (
        "`@smithy/node-http-handler` 4.3.0 → **4.4.1** (`package-lock.json` line 1165, through `@aws-sdk/client-s3`)"
    )
    assert f"**`reports-s3`** (`failsame/reports-s3.mjs`) · {cause}" in said
    assert (
        "| accepts and never answers | gave up after 3 to 3.3 s with TimeoutError, 3 attempts | "
        "**never ends (still waiting after 1 h), 1 attempt** |"
    ) in said
    assert any(
        line.startswith("- **Riskier:** When S3 accepts and never answers, reports-s3 no longer ends") for line in said
    )
    keep = "1. **Keep the old behaviour.** `@smithy/node-http-handler`: `requestHandler: { socketTimeout }`"
    assert any(line.startswith(keep) for line in said)
