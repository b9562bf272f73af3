"""Budgets through the real command line: kept, broken, longer to see, and broken by an upgrade."""

import json
from collections.abc import Callable
from typing import Any

import pytest
from jsonschema import validate
from tests.cli.commanding import BY_VERSION, CLIENT, FAST, LOCK, OLD_LOCK, AtOnce, Ended, Project

from failsame.report.schema import schema

pytestmark = pytest.mark.install

CHECK = ("check", *FAST, "--report", "report.json")

CONFIG = """\
version: 1
subjects:
  - name: good
    file: good.py
    scenarios: [status]
    declare: {{gap: 1s}}
    budgets:
{budgets}
{more}
"""

# Takes 4 s to give up.
SLOW = CLIENT.replace("        raise", "        import time\n\n        time.sleep(4)\n        raise")

# Tries once more in the very first trial that fails.
ONCE = CLIENT.replace(
    "        raise",
    "        try:\n            open({first!r}, 'x').close()\n            get(port)\n        except FileExistsError:\n"
    "            pass\n        raise",
)

# A client that shows a setting, which the older six has otherwise.
SHOWS = CLIENT.replace(
    "    return urllib.parse.urlsplit(endpoint).port\n",
    "    import six\n\n    return Client(urllib.parse.urlsplit(endpoint).port, six.__version__)\n\n\n"
    "class Client:\n    def __init__(self, port, version):\n        self.port = port\n"
    "        self.timeout = 5 if version == '1.16.0' else 6.5\n",
).replace("get(port)\n    if", "get(port.port)\n    if")

OTHER = "  - {name: other, file: other.py, scenarios: [status]}"
SETTINGS = "  - {name: shows, file: shows.py, scenarios: [status], budgets: [settings.timeout <= 6s]}"


def configured(project: Project, *budgets: str, more: str = "") -> None:
    """The subject `good`, with these budgets."""
    project.write("failsame.yml", CONFIG.format(budgets="\n".join(f"      - {each}" for each in budgets), more=more))


def two(project: Project, *budgets: str) -> None:
    """Two subjects that work alike."""
    project.write("other.py", CLIENT)
    configured(project, *budgets, more=OTHER)


@pytest.fixture(scope="module")
def runs(new_project: Callable[[], Project], at_once: AtOnce) -> AtOnce:
    """Projects that were recorded once, each checked in its own way."""
    record = ("record", *FAST)
    only = ("--scenario", "status-500", "--clock", "real")
    kept, broken, slow, once, upgraded = (new_project() for _ in range(5))

    def begin(project: Project, name: str, check: tuple[str, ...], *, first: tuple[str, ...] = record) -> None:
        at_once.begin(name, lambda: [project.run(*first), project.run(*check)][-1])

    two(
        kept,
        "{rule: attempts.max in status-500 < 3 requests, because: it is enough}",
        "give_up.max in status-500 < gap * 30",
        "give_up.max < 1h",
        "attempts.max in status-500 + other.attempts.max in status-500 <= 2",
    )
    begin(kept, "kept", (*CHECK, "--subject", "good"))
    two(
        broken,
        "attempts.max < 1",
        "attempts.max in status-500 <= 1",
        "{rule: attempts.max < 1, severity: should}",
        "attempts.max in status-500 + other.attempts.max in status-500 <= 1",
    )
    begin(broken, "broken", CHECK)
    configured(slow, "give_up.max in status-500 < 6s", "give_up.max < 3s")
    slow.write("good.py", SLOW)
    longer = ("check", *only, "--horizon", "2s", "--report", "report.json")
    begin(slow, "slow", longer, first=("record", *only, "--horizon", "8s"))
    configured(once, "attempts.max in status-500 <= 1")

    def flap() -> Ended:
        once.run(*record)
        once.write("good.py", ONCE.format(first=str(once.folder / "first")))
        return once.run(*CHECK)

    at_once.begin("once", flap)
    configured(upgraded, "attempts.max in status-500 >= 5", more=SETTINGS)
    upgraded.write("good.py", BY_VERSION)
    upgraded.write("shows.py", SHOWS)
    upgraded.write("requirements.txt", OLD_LOCK)

    def upgrade() -> Ended:
        upgraded.run(*record)
        upgraded.write("old.txt", OLD_LOCK)
        upgraded.write("requirements.txt", LOCK)
        return upgraded.run(*CHECK, "--old-lock", "old.txt")

    at_once.begin("upgraded", upgrade)
    return at_once


def subject(ended: Ended, name: str = "good") -> dict[str, Any]:
    validate(ended.report, json.loads(schema()))
    (found,) = (each for each in ended.report["subjects"] if each["name"] == name)
    return dict(found)


def test_kept(runs: AtOnce) -> None:
    """Budgets that are kept fail nothing; the report has the numbers put in, and the room that is left."""
    ended = runs["kept"]
    assert (ended.status, ended.report["verdict"]) == (0, "same")
    attempts, give_up, *_ = subject(ended)["budgets"]
    assert (attempts["verdict"], attempts["because"], attempts["before"]) == ("kept", "it is enough", "kept")
    assert [attempts[side]["most"] for side in ("left", "right", "room")] == [1, 3, 2]
    assert attempts["terms"] == [
        {
            "term": "attempts.max in status-500",
            "unit": "",
            "figure": {"least": 1, "most": 1},
            "scenario": "status-500",
        }
    ]
    assert (give_up["unit"], give_up["right"]) == ("s", {"least": 30, "most": 30})
    assert "2 budgets are kept, the tightest with 2 left (attempts.max in status-500 &#60; 3 requests)." in ended.out


def test_a_run_that_asks_for_less(runs: AtOnce) -> None:
    """With --subject and --scenario, rules about others are left out and fail nothing."""
    all_scenarios, both = subject(runs["kept"])["budgets"][2:]
    assert (all_scenarios["verdict"], both["verdict"]) == ("left-out", "left-out")
    assert all_scenarios["why"].startswith("give_up.max: this run was not asked for ")
    assert both["why"].endswith("this run was not asked for the subject other")


def test_broken_though_nothing_drifted(runs: AtOnce) -> None:
    """A broken budget fails by itself, measured three times; it was broken before, so no upgrade is blamed."""
    ended = runs["broken"]
    assert (ended.status, ended.report["verdict"]) == (1, "over-budget")
    assert {each["verdict"] for each in subject(ended)["scenarios"]} == {"same"}
    broken, kept, should, both = subject(ended)["budgets"]
    assert (broken["verdict"], broken["confirmed"], broken["before"], broken["broken_by"]) == (
        "broken",
        3,
        "broken",
        [],
    )
    assert (kept["verdict"], kept["confirmed"]) == ("kept", 1)
    assert (should["verdict"], should["severity"]) == ("broken", "should")
    assert (both["verdict"], both["before"], both["left"]) == ("broken", "broken", {"least": 2, "most": 2})
    assert "A budget of yours is broken." in ended.out
    assert "exactly at its limit" in ended.out
    assert "It was broken before, too." in ended.out


def test_watched_for_longer(runs: AtOnce) -> None:
    """In 2 s nobody sees whether 6 s are kept: it is measured again, for as long as that takes."""
    ended = runs["slow"]
    kept, broken = subject(ended)["budgets"]
    assert (ended.status, kept["verdict"], broken["verdict"]) == (1, "kept", "broken")
    assert 4 <= kept["left"]["least"] < 5


def test_broken_only_once(runs: AtOnce) -> None:
    """A budget that two more measurements do not break was not broken."""
    ended = runs["once"]
    (budget,) = subject(ended)["budgets"]
    assert (ended.status, budget["verdict"], budget["confirmed"]) == (0, "kept", 2)


def test_the_upgrade_is_named(runs: AtOnce) -> None:
    """Kept before and broken now: the package whose change explains the drift is named, with its versions."""
    ended = runs["upgraded"]
    (budget,) = subject(ended)["budgets"]
    assert (ended.status, ended.report["verdict"]) == (1, "drift")
    assert (budget["verdict"], budget["before"], budget["broken_by"]) == ("broken", "kept", ["six"])
    assert "It was kept before: six 1.16.0 → **1.17.0** (`requirements.txt` line 1) can be why." in ended.out


def test_a_setting_that_changes_alone(runs: AtOnce) -> None:
    """No drift: a note in the report. A rule about the setting is another matter."""
    ended = runs["upgraded"]
    found = subject(ended, "shows")
    assert found["setting_changes"] == [{"setting": "timeout", "before": 5, "after": 6.5}]
    assert {each["verdict"] for each in found["scenarios"]} == {"same"}
    (budget,) = found["budgets"]
    assert (found["verdict"], budget["verdict"], budget["before"]) == ("over-budget", "broken", "kept")
    assert "Note: its setting timeout changed, 5 s → 6.5 s" in ended.out
