"""From an event to what is done about it."""

from typing import Any

import pytest

from failsame.errors import UsageError
from failsame.github.activity import Activity, Author, activity, author
from failsame.github.event import Payload, PullRequest, read

pytestmark = pytest.mark.install

LABEL = "failsame:accept"
MAIN = {"repository": {"full_name": "o/r", "default_branch": "main"}}

# Command, event, payload -> what is done.
TABLE: list[tuple[str, str, dict[str, Any], Activity]] = [
    ("check", "pull_request", {"action": "opened"}, Activity.JUDGE_PULL),
    ("check", "pull_request", {"action": "synchronize"}, Activity.JUDGE_PULL),
    ("check", "pull_request", {"action": "reopened"}, Activity.JUDGE_PULL),
    ("check", "pull_request", {"action": "labeled", "label": {"name": LABEL}}, Activity.JUDGE_PULL),
    ("check", "pull_request", {"action": "closed"}, Activity.NOTHING),
    ("check", "merge_group", {"action": "checks_requested"}, Activity.JUDGE_GROUP),
    ("check", "push", {"ref": "refs/heads/main", **MAIN}, Activity.JUDGE_PUSH),
    ("check", "workflow_dispatch", {}, Activity.RECORD),
    ("check", "schedule", {}, Activity.RECORD),
    ("comment", "workflow_run", {"action": "completed"}, Activity.COMMENT),
    ("comment", "workflow_run", {"action": "requested"}, Activity.NOTHING),
    ("accept", "pull_request", {"action": "labeled", "label": {"name": LABEL}}, Activity.ACCEPT),
    ("accept", "pull_request_target", {"action": "labeled", "label": {"name": LABEL}}, Activity.ACCEPT),
    ("accept", "pull_request", {"action": "labeled", "label": {"name": "failsame:baseline"}}, Activity.NOTHING),
    ("accept", "pull_request", {"action": "labeled", "label": {"name": LABEL.title()}}, Activity.ACCEPT),
    ("accept", "pull_request", {"action": "opened"}, Activity.NOTHING),
    ("accept", "push", {"ref": "refs/heads/main", **MAIN}, Activity.RERUN),
    ("accept", "push", {"ref": "refs/heads/other", **MAIN}, Activity.NOTHING),
    ("accept", "push", {"ref": "refs/tags/main", **MAIN}, Activity.NOTHING),
    ("accept", "workflow_dispatch", {}, Activity.PROPOSE),
    ("accept", "schedule", {}, Activity.PROPOSE),
]


@pytest.mark.parametrize("row", range(len(TABLE)))
def test_the_table(row: int) -> None:
    """Each event of each command does what the table says."""
    command, event, payload, wanted = TABLE[row]
    assert activity(command, event, read(Payload, payload, "the event"), accept_label=LABEL) is wanted


@pytest.mark.parametrize(
    ("command", "event", "says"),
    [
        ("check", "pull_request_target", "beside your secrets: use `pull_request`"),
        ("check", "workflow_run", "beside your secrets: use `pull_request`"),
        ("check", "issues", "it runs on pull_request, merge_group, push, workflow_dispatch, schedule: mend `on:`"),
        ("comment", "pull_request", "it runs on workflow_run"),
        ("accept", "issue_comment", "it runs on pull_request, pull_request_target"),
    ],
)
def test_other_events_are_refused(command: str, event: str, says: str) -> None:
    """An event that a command has nothing to do with is wrong usage, above all one that brings rights along."""
    with pytest.raises(UsageError, match=says):
        activity(command, event, Payload(), accept_label=LABEL)


def test_githubs_own_payloads_are_understood(examples: dict[str, list[dict[str, Any]]]) -> None:
    """Every example payload that GitHub publishes is read, and leads to something."""
    seen = set()
    for event, command in {
        "pull_request": "check",
        "merge_group": "check",
        "push": "accept",
        "workflow_dispatch": "check",
        "workflow_run": "comment",
    }.items():
        for example in examples[event]:
            payload = read(Payload, example, "the event")
            seen.add(activity(command, event, payload, accept_label=LABEL))
            if event == "pull_request":
                assert payload.pull_request is not None
                assert payload.pull_request.number == example["number"]
                assert author(payload.pull_request) is Author.PERSON
    assert seen >= {Activity.JUDGE_PULL, Activity.JUDGE_GROUP, Activity.RERUN, Activity.RECORD, Activity.COMMENT}


@pytest.mark.parametrize(
    ("login", "head", "wanted"),
    [
        ("dependabot[bot]", "o/r", Author.DEPENDABOT),
        ("renovate[bot]", "o/r", Author.RENOVATE),
        ("octocat", "o/r", Author.PERSON),
        ("octocat", "octocat/r", Author.FORK),
        ("octocat", None, Author.FORK),
        ("dependabot", "o/r", Author.PERSON),
        ("dependabot[bot]x", "o/r", Author.PERSON),
    ],
)
def test_who_a_pull_request_is_from(login: str, head: str | None, wanted: Author) -> None:
    """It goes by the account that opened it, which nobody can choose, and by where its branch lies."""
    pull = {
        "number": 1,
        "state": "open",
        "user": {"login": login},
        "head": {"ref": "dependabot/pip/x", "sha": "a", "repo": {"full_name": head} if head else None},
        "base": {"ref": "main", "sha": "b", "repo": {"full_name": "o/r"}},
    }
    assert author(read(PullRequest, pull, "it")) is wanted


def test_a_payload_of_another_shape_is_told() -> None:
    """What GitHub does not send is one line, which quotes nothing of it."""
    with pytest.raises(UsageError, match=r"is not as GitHub documents it \(pull_request.number: ") as told:
        read(Payload, {"pull_request": {"number": "<script>", "state": "open"}}, "the event")
    assert "<script>" not in str(told.value)
