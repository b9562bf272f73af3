"""The action in its image, from an event to a comment, against a GitHub on loopback."""

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import pytest
from tests.github.acting import outputs
from tests.github.conftest import (  # noqa: F401 - fixtures
    cache,
    contract,
    downloads,
    graphql,
    new_hub,
    recorded,
)
from tests.github.hub.server import SECRET, Hub
from tests.github.hub.state import Pull
from tests.github.projects import locked
from tests.image.engine import Engine
from tests.image.runner import Job, told


@dataclass(frozen=True)
class Checked:
    """A job that has run `check` on a pull request."""

    job: Job
    status: int
    log: str

    @property
    def outputs(self) -> dict[str, str]:
        return outputs(self.job.said("set_output"))


@pytest.fixture
def check(image: Engine, tmp_path: Path) -> Callable[[Hub, Pull], Checked]:
    """Run the action on a pull request, as its workflow does."""

    def run(hub: Hub, pull: Pull) -> Checked:
        (tmp_path / "checkout").mkdir()
        sha = hub.repository.merged_tree(pull).sha
        hub.repository.check_out(sha, tmp_path / "checkout")
        job = Job.around(image, tmp_path)
        job.event(hub.shapes.event(pull, "opened"))
        done = job.run("github", "check", network=True, more=told(hub, sha))
        return Checked(job, done.returncode, done.stdout + done.stderr)

    return run


def test_an_upgrade(
    recorded: dict[str, str], new_hub: Callable[..., Hub], check: Callable[[Hub, Pull], Checked]
) -> None:
    """Dependabot's upgrade changes how often the client tries: red, a comment, outputs, a summary, the report."""
    hub = new_hub(recorded)
    hub.repository.push("dependabot/pip/six-1.17.0", {"requirements.txt": locked("1.17.0")}, author="dependabot[bot]")
    pull = hub.repository.open_pull("dependabot/pip/six-1.17.0", author="dependabot[bot]", title="Bump six")
    checked = check(hub, pull)
    assert checked.status == 1, checked.log
    (comment,) = hub.repository.comments
    assert "This upgrade changes how your clients fail" in comment.body
    assert checked.outputs["verdict"] == "drift"
    report = (checked.job.workspace / checked.outputs["report"]).read_text()
    assert "of the job it sees the checkout alone" in report
    assert "This upgrade changes how your clients fail" in checked.job.said("step_summary")
    assert SECRET not in report + checked.log + checked.job.said("step_summary") + comment.body


def test_nothing_that_matters(
    recorded: dict[str, str],
    new_hub: Callable[..., Hub],
    check: Callable[[Hub, Pull], Checked],
) -> None:
    """A pull request that changes nothing watched is green, without a comment, and nothing is installed."""
    hub = new_hub(recorded)
    hub.repository.push("words", {"README.md": "# New\n"}, author="octocat")
    checked = check(hub, hub.repository.open_pull("words", author="octocat", title="Words"))
    assert (checked.status, checked.outputs["verdict"]) == (0, "same"), checked.log
    assert not hub.repository.comments
    assert not (checked.job.home / ".cache").exists()
