"""Whole stories, with real measurements: an upgrade is opened, blocked, accepted, merged."""

import pytest
from tests.github.acting import Action, label, merge
from tests.github.hub.server import Hub
from tests.github.hub.state import ACTIONS
from tests.github.projects import AFTER

pytestmark = pytest.mark.install

ACCEPT = "failsame:accept"


def test_dependabot(upgrading: Hub, action: Action) -> None:
    """Drift blocks; a stranger's label and a bot's do nothing; a maintainer's proposes baselines; merged, all is well."""
    hub, repository = upgrading, upgrading.repository
    repository.permissions |= {"hubot": "write", "triager": "triage"}
    repository.push("dependabot/pip/six-1.17.0", {"requirements.txt": AFTER}, author="dependabot[bot]")
    pull = repository.open_pull("dependabot/pip/six-1.17.0", author="dependabot[bot]", title="Bump six")

    red = action.check(pull)
    assert (red.status, red.outputs["verdict"]) == (1, "drift")
    (comment,) = repository.comments
    assert "`failsame:accept`" in comment.body

    hub.grant(contents="write", pull_requests="write", actions="write")
    told = comment.body
    for nobody, says in {"triager": "may not write here", "dependabot[bot]": "a program"}.items():
        ended = label(action, pull, ACCEPT, nobody)
        assert ended.status == 0
        assert says in ended.log
        pull.labels.remove(ACCEPT)
    assert (comment.body, len(repository.pulls)) == (told, 1)

    ended = label(action, pull, ACCEPT, "hubot")
    assert ended.status == 0, ended.log
    print(ended.log, comment.body)
    proposed = repository.pulls[int(ended.outputs["pull-request"])]
    print(proposed.body)
    print(repository.commits[repository.head_sha(proposed)].files.keys())
    assert proposed.labels == ["failsame:baseline"]
    assert pull.labels == []
    commit = repository.commits[repository.head_sha(proposed)]
    assert (commit.signed, commit.author, commit.parents) == (True, ACTIONS, (repository.tip.sha,))

    ended = merge(action, proposed)
    print(ended.log, comment.body)
    assert repository.runs[-1].rerun_by == [ACTIONS]

    green = action.check(pull, GITHUB_RUN_ATTEMPT="2")
    print(green.log, comment.body)
    assert (green.status, green.outputs["verdict"]) == (0, "same")
    assert 0
