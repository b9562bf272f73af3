"""`failsame github check` as a job runs it: the verdict, and everything it leaves behind."""

import pytest
from tests.github.acting import Action
from tests.github.hub.server import Hub
from tests.github.hub.state import Pull
from tests.github.projects import AFTER

pytestmark = pytest.mark.install


def upgrade(hub: Hub, **more: str | None) -> Pull:
    """Dependabot upgrades six."""
    hub.repository.push("dependabot/pip/six-1.17.0", {"requirements.txt": AFTER, **more}, author="dependabot[bot]")
    return hub.repository.open_pull("dependabot/pip/six-1.17.0", author="dependabot[bot]", title="Bump six")


def test_an_upgrade_that_changes_behaviour(upgrading: Hub, action: Action) -> None:
    """A drift: red, one comment, an annotation on the lock file's line, outputs, the summary, the report."""
    pull = upgrade(upgrading)
    ended = action.check(pull)
    print(ended.log)
    assert ended.status == 1
    (comment,) = upgrading.repository.comments
    print(comment.body)
    assert ended.annotations[0].startswith("::error file=requirements.txt,line=1,title=unit fails differently::")
    assert ended.outputs == {}
