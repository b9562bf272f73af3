"""How baselines live through the life of a project, with real files."""

import json
from pathlib import Path
from typing import Any

import pytest
from tests.baseline.recording import Project

from failsame.baseline import list_coming, read_baseline
from failsame.drift import Drift

OLD = {"botocore": "1.43.127", "urllib3": "1.26.20", "boto3": "1.43.127"}


@pytest.fixture
def project(tmp_path: Path) -> Project:
    return Project(tmp_path / "baselines", OLD)


@pytest.fixture
def adopted(project: Project) -> Project:
    project.record()
    return project


def facts(drifts: tuple[Drift, ...] | None) -> dict[str, Any]:
    assert drifts is not None
    return {drift.fact: drift.after for drift in drifts}


def test_first_adoption(project: Project) -> None:
    """Without a baseline there is nothing to compare with; once recorded, the same is the same."""
    assert project.check() is None
    assert project.record()
    assert project.check() == ()
    assert not project.record()


def test_a_group_of_upgrades(adopted: Project) -> None:
    """One pull request moves two packages, both change something: accepted as one, merged, folded."""
    changes = adopted.install(botocore="1.44.8", urllib3="2.8.0")
    assert set(facts(adopted.check(*changes))) == {"attempts", "data_lost", "give_up"}
    adopted.accept(*changes)
    assert adopted.check(*changes) == ()
    adopted.install(botocore="1.44.8", urllib3="1.26.20")
    assert adopted.check() != ()  # only half of the group is another upgrade, which nobody accepted
    adopted.install(urllib3="2.8.0")
    assert adopted.record()
    assert list_coming(adopted.folder) == []
    assert adopted.check() == ()


def test_lock_file_maintenance(adopted: Project) -> None:
    """Many packages move; only those that decide the behaviour stand in the coming file."""
    changes = adopted.install(botocore="1.44.8", boto3="1.44.8")
    stranger = adopted.install(attrs="25.1.0")
    del adopted.versions["attrs"]
    fingerprint = adopted.accept(*changes, *stranger)
    text = (adopted.folder / "coming" / f"s3@{fingerprint}.json").read_text()
    assert json.loads(text)["when"] == {"boto3": ">= 1.44.8", "botocore": ">= 1.44.8"}
    assert adopted.check(*changes) == ()


def test_two_upgrades_at_once(adopted: Project) -> None:
    """Two open pull requests, each accepted on its own: each is right, and so are both together."""
    first = adopted.install(botocore="1.44.8")
    adopted.accept(*first)
    adopted.install(botocore="1.43.127")
    second = adopted.install(urllib3="2.8.0")
    adopted.accept(*second)
    assert adopted.check(*second) == ()
    adopted.install(urllib3="1.26.20", botocore="1.44.8")
    assert adopted.check(*first) == ()
    adopted.install(urllib3="2.8.0", botocore="1.44.8")
    assert adopted.check() == ()
    adopted.record()
    assert list_coming(adopted.folder) == []
    assert adopted.check() == ()


def test_two_upgrades_of_one_package(adopted: Project) -> None:
    """The later one, accepted before the earlier was folded, wins where both hold."""
    adopted.accept(*adopted.install(botocore="1.44.8"))
    adopted.accept(*adopted.install(botocore="1.46.0"))
    assert adopted.check() == ()
    adopted.install(botocore="1.44.9")
    assert adopted.check() == ()


def test_a_revert_before_folding(adopted: Project) -> None:
    """The upgrade was merged and its coming file not yet folded: a revert meets the base, which still stands."""
    adopted.accept(*adopted.install(botocore="1.44.8"))
    adopted.install(botocore="1.43.127")
    assert adopted.check() == ()
    assert not adopted.record()
    assert len(list_coming(adopted.folder)) == 1  # does not hold now: it waits for the next attempt


def test_a_revert_after_folding(adopted: Project) -> None:
    """The base is the new behaviour by then: the revert drifts, is accepted with `<=`, and folded in its turn."""
    before = (adopted.folder / "s3.json").read_text()
    adopted.accept(*adopted.install(botocore="1.44.8"))
    adopted.record()
    changes = adopted.install(botocore="1.43.127")
    assert facts(adopted.check(*changes)) == {"attempts": 5, "give_up": [5.0, 5.0]}
    fingerprint = adopted.accept(*changes)
    assert '"botocore": "<= 1.43.127"' in (adopted.folder / "coming" / f"s3@{fingerprint}.json").read_text()
    assert adopted.check(*changes) == ()
    adopted.install(botocore="1.44.8")
    assert adopted.check() == ()  # the default branch, where the revert is not yet merged
    adopted.install(botocore="1.43.127")
    adopted.record()
    assert (adopted.folder / "s3.json").read_text() == before
    assert list_coming(adopted.folder) == []


def test_two_steps_down(adopted: Project) -> None:
    """Of two reverts that hold, the one further down wins: it was accepted for just this."""
    adopted.install(botocore="1.46.0")
    adopted.record()
    adopted.accept(*adopted.install(botocore="1.44.8"))
    adopted.accept(*adopted.install(botocore="1.43.127"))
    assert adopted.check() == ()
    adopted.install(botocore="1.44.8")
    assert adopted.check() == ()


def test_main_moves_under_a_pull_request(adopted: Project) -> None:
    """While a pull request for urllib3 waits, main accepts, merges and folds one for botocore."""
    second = adopted.install(urllib3="2.8.0")
    adopted.accept(*second)
    adopted.install(urllib3="1.26.20")
    adopted.accept(*adopted.install(botocore="1.44.8"))
    adopted.record()
    assert [subject for subject, _ in list_coming(adopted.folder)] == ["s3"]
    assert adopted.check() == ()
    rebased = adopted.install(urllib3="2.8.0")
    assert adopted.check(*rebased) == ()
    adopted.record()
    base = read_baseline(adopted.folder, "s3")
    assert base is not None
    assert base.packages == {**OLD, "botocore": "1.44.8", "urllib3": "2.8.0"}
    assert adopted.check() == ()


def test_a_python_minor_upgrade(adopted: Project) -> None:
    """The runtime counts as a package: accepted for 3.13, still the old behaviour on 3.12."""
    changes = adopted.install(runtime="python 3.13")
    fingerprint = adopted.accept(*changes)
    coming = json.loads((adopted.folder / "coming" / f"s3@{fingerprint}.json").read_text())
    assert coming["when"] == {"python": ">= 3.13"}
    assert adopted.check(*changes) == ()
    adopted.install(runtime="python 3.12")
    assert adopted.check() == ()
    adopted.install(runtime="python 3.14")
    assert adopted.check() == ()
    adopted.record()
    base = read_baseline(adopted.folder, "s3")
    assert base is not None
    assert base.runtime == "python 3.14"
