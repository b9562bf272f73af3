"""What a job tells through its environment: read in one place, strictly, and never with the token in a message."""

from pathlib import Path

import pytest
from tests.github.conftest import environment
from tests.github.hub.server import SECRET, Hub

from failsame.errors import UsageError
from failsame.github.settings import settings

pytestmark = pytest.mark.install


def test_names_come_from_the_instance(hub: Hub, tmp_path: Path) -> None:
    """Labels, report and artifact are called after the input `name`, so that two uses do not meet."""
    told = settings(environment(hub, tmp_path, INPUT_NAME="failsame-billing"))
    assert told.accept_label == "failsame-billing:accept"
    assert told.baseline_label == "failsame-billing:baseline"
    assert told.report_name == "failsame-billing-report.json"
    assert told.artifact == "failsame-billing-report"
    assert settings(environment(hub, tmp_path, INPUT_NAME="")).name == "failsame"


@pytest.mark.parametrize(
    ("more", "says"),
    [
        ({"INPUT_TOKEN": ""}, r"INPUT_TOKEN: is not set: pass `token: \$\{\{ github.token \}\}`"),
        ({"INPUT_NAME": "../up"}, "INPUT_NAME: use at most 40 of a to z"),
        ({"INPUT_CONFIG": "/failsame.yml"}, "INPUT_CONFIG: name a file by its path from the root of the repository"),
        ({"INPUT_CONFIG": "sub/../failsame.yml"}, "INPUT_CONFIG: name a file by its path .*: mend the input `config`"),
        ({"GITHUB_REPOSITORY": "a/b/../../c"}, "GITHUB_REPOSITORY: it is owner/name: run this as an action"),
        ({"GITHUB_RUN_ID": "many"}, "GITHUB_RUN_ID"),
        ({"GITHUB_EVENT_PATH": ""}, "GITHUB_EVENT_PATH: is not set: run this as an action"),
    ],
)
def test_what_is_wrong_is_named(hub: Hub, tmp_path: Path, more: dict[str, str], says: str) -> None:
    """Every missing or broken setting is one line that names it and the remedy."""
    with pytest.raises(UsageError, match=says) as told:
        settings(environment(hub, tmp_path, **more))
    assert SECRET not in str(told.value)
    assert len(str(told.value).splitlines()) == 1


def test_an_event_that_is_none_is_told(hub: Hub, tmp_path: Path) -> None:
    """A payload that is missing, or no JSON, is wrong usage."""
    told = settings(environment(hub, tmp_path))
    with pytest.raises(UsageError, match="holds no event"):
        told.payload()
    told.event_file.write_text("{")
    with pytest.raises(UsageError, match="holds no event"):
        told.payload()


@pytest.mark.parametrize("written", ["ci/failsame.yml", "./ci/failsame.yml", "ci//./failsame.yml"])
def test_the_configuration_has_one_name(hub: Hub, tmp_path: Path, written: str) -> None:
    """However it is written, it is compared with the paths that GitHub lists."""
    assert settings(environment(hub, tmp_path, INPUT_CONFIG=written)).config == "ci/failsame.yml"
