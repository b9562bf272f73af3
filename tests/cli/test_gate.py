"""The life of a baseline through the real command line: recorded, checked, drifted, accepted."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from jsonschema import validate
from tests.cli.commanding import BY_VERSION, CLIENT, FAST, LOCK, OLD_LOCK, AtOnce, Ended, Project

from failsame.report.schema import schema

pytestmark = pytest.mark.install

CHECK = ("check", *FAST, "--report", "report.json")

# Tries a hundred and some times, at random; os.urandom is no draw that sizes a wait, and is left alone.
FLAPS = CLIENT.replace(
    "    status = get(port)\n",
    "    import os\n\n    for _ in range(100 + os.urandom(1)[0] % 90):\n        status = get(port)\n"
    "        if status == 200:\n            return\n",
)

# Tries once more in the very first trial that fails.
ONCE = CLIENT.replace(
    "        raise",
    "        try:\n            open({first!r}, 'x').close()\n            get(port)\n        except FileExistsError:\n"
    "            pass\n        raise",
)

SLOW = CLIENT.replace("        raise", "        import time\n\n        time.sleep(4)\n        raise")

OWN = """\
version: 1
subjects:
  - {name: good, file: good.py, scenarios: [our-429]}
scenarios:
  - name: our-429
    answers: [{status: 429, headers: {retry-after: "1"}}, good]
"""


COMING = "baselines/coming/good@0123abcd.json"


def call(project: Project) -> dict[str, Any]:
    """The one call of the baseline."""
    baseline = json.loads(project.baselines()["good.json"])
    facts: dict[str, Any] = baseline["scenarios"]["status-500"]["call 1"]
    return facts


def scenario(ended: Ended, name: str = "status-500") -> dict[str, Any]:
    (subject,) = ended.report["subjects"]
    (found,) = [each for each in subject["scenarios"] if each["name"] == name]
    return dict(found)


@pytest.fixture(scope="module")
def old(new_project: Callable[[], Project]) -> Project:
    """A project with a baseline that was recorded before the upgrade."""
    project = new_project()
    project.write("good.py", BY_VERSION)
    project.write("requirements.txt", OLD_LOCK)
    ended = project.run("record", *FAST)
    assert (ended.status, ended.out) == (0, "baselines/good.json written\n")
    return project


@pytest.fixture(scope="module")
def gated(old: Project, at_once: AtOnce, tmp_path_factory: pytest.TempPathFactory) -> dict[str, Project]:
    """What may happen to that project next, each in a copy of it."""
    projects: dict[str, Project] = {}

    def begin(name: str, *commands: tuple[str, ...], prepare: Callable[[Project], object] = lambda _: None) -> None:
        project = projects[name] = old.copy(tmp_path_factory.mktemp("copy"))
        prepare(project)
        at_once.begin(name, lambda: [project.run(*command) for command in commands][-1])

    def upgraded(project: Project) -> None:
        project.write("old.txt", OLD_LOCK)
        project.write("requirements.txt", LOCK)

    def warned(project: Project) -> None:
        upgraded(project)
        project.configure("good", more="mode: warn\n")

    def bare(project: Project) -> None:
        (project.folder / "baselines/good.json").unlink()

    def stale(project: Project) -> None:
        project.write("baselines/gone.json", old.baselines()["good.json"].replace('"good"', '"gone"'))

    def mixed(project: Project) -> None:
        upgraded(project)
        project.write("bad.py", "def client(endpoint):\n    pass\n")
        project.write("baselines/bad.json", old.baselines()["good.json"].replace('"good"', '"bad"'))
        project.configure("bad", "good")

    def flapping(project: Project) -> None:
        project.write("good.py", FLAPS)

    def once(project: Project) -> None:
        project.write("good.py", ONCE.format(first=str(project.folder / "first")))
        text = project.baselines()["good.json"]
        facts = json.loads(text)
        facts["scenarios"]["status-500"]["call 1"].update(attempts=1, connections=1, waits=[])
        project.write("baselines/good.json", json.dumps(facts))

    def accepted_ahead(project: Project) -> None:
        upgraded(project)
        baseline = json.loads(project.baselines()["good.json"])
        failing = baseline["scenarios"]["status-500"]
        failing["call 1"] = {"attempts": 3, "connections": 3, "waits": failing["call 1"]["waits"][:2]}
        coming = {"schema": 1, "suite": 1, "subject": "good", "when": {"six": ">= 1.17.0"}}
        project.write(COMING, json.dumps({**coming, "scenarios": {"status-500": failing}}))

    old_lock = ("--old-lock", "old.txt")
    begin("ahead", (*CHECK, *old_lock), prepare=accepted_ahead)
    begin("folded", ("record", *FAST), prepare=accepted_ahead)
    begin("same", (*CHECK, "--scenario", "status-503"), prepare=stale)
    begin("again", ("record", *FAST))
    begin("drift", (*CHECK, *old_lock), prepare=upgraded)
    begin("warn", CHECK, prepare=warned)
    begin("accepted", ("record", *FAST), CHECK, prepare=upgraded)
    begin("new", CHECK, prepare=bare)
    begin("mixed", (*CHECK, *old_lock), prepare=mixed)
    begin("flaps", CHECK, prepare=flapping)
    begin("once", CHECK, prepare=once)
    begin("after", ("measure", *FAST, "--report", "report.json"), prepare=upgraded)
    begin("before", ("measure", *FAST, "--report", "report.json"))
    return projects


def test_the_same(gated: dict[str, Project], at_once: AtOnce, old: Project) -> None:
    """Nothing changed: exit 0, and the baseline is left alone."""
    ended = at_once["same"]
    assert (ended.status, ended.told, ended.report["verdict"]) == (0, [], "same")
    assert scenario(ended)["verdict"] == "same"
    assert gated["same"].baselines()["good.json"] == old.baselines()["good.json"]


def test_nothing_to_compare_with(old: Project, tmp_path: Path) -> None:
    """A baseline that holds nothing of what ran makes nothing green."""
    ended = old.copy(tmp_path).run("check", "--horizon", "3s", "--scenario", "status-503")
    assert ended.status == 1
    assert "its baseline holds nothing of what ran" in ended.out


def test_recorded_again(gated: dict[str, Project], at_once: AtOnce, old: Project) -> None:
    """To record what is recorded changes no byte."""
    ended = at_once["again"]
    assert (ended.status, ended.out) == (0, "baselines/good.json is as it was\n")
    assert gated["again"].baselines() == old.baselines()


def test_drift(gated: dict[str, Project], at_once: AtOnce, old: Project) -> None:
    """An upgrade that changes the attempts: exit 1, the package and its line, three measurements, no file touched."""
    ended = at_once["drift"]
    assert (ended.status, ended.report["verdict"]) == (1, "drift")
    drifts = [each for each in scenario(ended)["drifts"] if each["fact"] == "attempts"]
    assert [(each["before"], each["after"], each["confirmed"]) for each in drifts] == [(5, 3, 3)]
    (change,) = ended.report["changes"]
    assert (change["package"], change["before"], change["after"], change["line"]) == ("six", "1.16.0", "1.17.0", 1)
    assert "This upgrade changes how your clients fail" in ended.out
    assert "1.16.0" in ended.out
    assert gated["drift"].baselines() == old.baselines()


def test_warned(gated: dict[str, Project], at_once: AtOnce) -> None:
    """`mode: warn` turns exit 1 into 0, and only that: the report still says drift."""
    ended = at_once["warn"]
    assert (ended.status, ended.report["verdict"]) == (0, "drift")


def test_a_baseline_from_before(gated: dict[str, Project], at_once: AtOnce) -> None:
    """Where the upgrade is no part of the change, what moved since the baseline was recorded is named."""
    ended = at_once["warn"]
    (subject,) = ended.report["subjects"]
    assert ended.report["changes"] == []
    assert [change["package"] for change in subject["earlier"]] == ["six"]
    assert "six 1.16.0 → **1.17.0** since its baseline was recorded" in ended.out
    assert "Your clients fail differently than recorded." in ended.out


def test_accepted(gated: dict[str, Project], at_once: AtOnce) -> None:
    """A person records the new behaviour; from then on it is the same."""
    ended = at_once["accepted"]
    assert (ended.status, ended.report["verdict"]) == (0, "same")
    assert call(gated["accepted"])["attempts"] == 3


def test_accepted_ahead(gated: dict[str, Project], at_once: AtOnce) -> None:
    """A behaviour accepted ahead of its upgrade is the same once the upgrade is there; `record` folds it in."""
    ended = at_once["ahead"]
    (subject,) = ended.report["subjects"]
    assert (ended.status, subject["verdict"], subject["reference"]["coming"]) == (0, "same", [COMING])
    assert at_once["folded"].out == f"baselines/good.json written\n{COMING} folded in\n"
    assert list(gated["folded"].baselines()) == ["good.json"]
    assert call(gated["folded"])["attempts"] == 3


def test_new(gated: dict[str, Project], at_once: AtOnce) -> None:
    """A configured subject without a baseline fails until it is recorded, and is told how."""
    ended = at_once["new"]
    assert (ended.status, ended.report["verdict"]) == (1, "new")
    (subject,) = ended.report["subjects"]
    assert subject["why"].endswith("run `failsame record --subject good` and commit baselines/good.json")
    assert gated["new"].baselines() == {}


def test_a_scenario_that_is_not_recorded_yet(gated: dict[str, Project], at_once: AtOnce) -> None:
    """A scenario that the baseline does not have fails nothing."""
    ended = at_once["same"]
    assert (ended.status, scenario(ended, "status-503")["verdict"]) == (0, "new")


def test_stale(gated: dict[str, Project], at_once: AtOnce) -> None:
    """A baseline whose subject is gone is a warning."""
    ended = at_once["same"]
    assert ended.status == 0
    assert any("gone.json` is stale, its subject is gone: remove it" in note for note in ended.report["notes"])


def test_precedence(gated: dict[str, Project], at_once: AtOnce) -> None:
    """Of drift and could-not-measure, drift decides; what was not measured is told all the same."""
    ended = at_once["mixed"]
    assert ended.status == 1
    assert ended.told == ["bad was not measured: bad.py: has no `call`: add `def call(client)`"]


def test_flapping(gated: dict[str, Project], at_once: AtOnce) -> None:
    """Where the repetitions do not agree the verdict is unmeasured, with the values, and never a guess."""
    ended = at_once["flaps"]
    assert ended.status == 3
    (line,) = ended.told
    assert "measured three times, and the last two do not agree: attempts of call 1 was " in line


def test_drift_that_appears_once(gated: dict[str, Project], at_once: AtOnce) -> None:
    """A drift that two more measurements do not show was none."""
    ended = at_once["once"]
    assert (gated["once"].folder / "first").exists()
    assert (ended.status, scenario(ended)["verdict"]) == (0, "same")


def test_compare(gated: dict[str, Project], at_once: AtOnce) -> None:
    """Two reports are compared as a report and a baseline are."""
    before, after = (at_once[name].report and gated[name].folder / "report.json" for name in ("before", "after"))
    ended = gated["before"].run("compare", str(before), str(after), "--report", "compared.json")
    assert ended.status == 1
    assert "six 1.16.0 → **1.17.0**" in ended.out
    assert gated["before"].run("compare", str(before), str(before)).status == 0
    compared = json.loads((gated["before"].folder / "compared.json").read_text())
    assert (compared["command"], compared["verdict"]) == ("compare", "drift")


def test_reports_have_the_published_shape(gated: dict[str, Project], at_once: AtOnce) -> None:
    """Every report is what schemas/report.json says."""
    published = json.loads((Path(__file__).parents[2] / "schemas/report.json").read_text())
    assert published == json.loads(schema())
    for name, project in gated.items():
        if at_once[name].report is not None:
            validate(json.loads((project.folder / "report.json").read_text()), published)


FOUND = "certifi==2025.1.31\ncharset-normalizer==3.4.1\nidna==3.10\nrequests==2.32.3\nurllib3=={}\n"


@pytest.fixture(scope="module")
def others(new_project: Callable[[], Project], at_once: AtOnce) -> dict[str, Project]:
    """Projects of other kinds, each with its commands, the last of which is shown."""
    projects: dict[str, Project] = {}

    def begin(name: str, files: dict[str, str | None], *commands: tuple[str, ...]) -> None:
        project = projects[name] = new_project()
        for path, text in files.items():
            (project.folder / path).unlink(missing_ok=True)
            if text is not None:
                project.write(path, text)
        at_once.begin(name, lambda: [project.run(*command) for command in commands][-1])

    report = ("--report", "report.json")
    slow = ("--scenario", "status-500", "--horizon")
    begin("slow", {"good.py": SLOW}, ("record", *slow, "8s"), ("check", *slow, "2s", *report))
    own = ("--horizon", "3s", *report)
    begin("own", {"failsame.yml": OWN}, ("record", *own), ("check", *own))
    found: dict[str, str | None] = {"requirements.txt": FOUND.format("2.3.0"), "old.txt": FOUND.format("2.2.3")}
    begin("found", {**found, "failsame.yml": None}, (*CHECK, "--old-lock", "old.txt"))
    begin("cannot", {"requirements.txt": "requests==0.0.999\n", "failsame.yml": None}, CHECK)
    begin("nothing", {"failsame.yml": None}, CHECK)
    return projects


def test_a_longer_horizon(others: dict[str, Project], at_once: AtOnce) -> None:
    """A call that has not ended where its baseline had not either is measured again with a longer horizon."""
    found = scenario(at_once["slow"])
    assert (at_once["slow"].status, found["verdict"]) == (0, "same")
    assert 4 < found["horizon"] < 7


def test_own_scenarios(others: dict[str, Project], at_once: AtOnce) -> None:
    """Scenarios of the configuration are measured, recorded and compared as those of the suite are."""
    ended = at_once["own"]
    recorded = json.loads(others["own"].baselines()["good.json"])
    assert list(recorded["scenarios"]) == ["healthy", "our-429"]
    assert (ended.status, scenario(ended, "our-429")["verdict"]) == (0, "same")


def test_found_by_itself(others: dict[str, Project], at_once: AtOnce) -> None:
    """Without a configuration an SDK is measured at both lock files, for information: what it shows is never red."""
    ended = at_once["found"]
    (subject,) = ended.report["subjects"]
    assert (ended.status, subject["name"], subject["informational"]) == (0, "requests", True)
    assert subject["verdict"] == "same"
    assert subject["reference"]["measured_on"] == "old.txt"
    assert {change["package"] for change in ended.report["changes"]} == {"urllib3"}


def test_nothing_of_it_can_be_measured(others: dict[str, Project], at_once: AtOnce) -> None:
    """Informational subjects of which none can be measured are no green run."""
    ended = at_once["cannot"]
    assert ended.status == 3
    (line,) = ended.told
    assert line.startswith("requests was not measured: requirements.txt line 1: the index has no requests 0.0.999: ")


def test_nothing_to_measure(others: dict[str, Project], at_once: AtOnce) -> None:
    """A project without any client is no failure."""
    ended = at_once["nothing"]
    assert (ended.status, ended.report["subjects"]) == (0, [])
    assert "Nothing to measure." in ended.out
