"""From an event to what is done about it: one table, and no more to it."""

from collections.abc import Mapping
from enum import Enum

from failsame.errors import UsageError
from failsame.github.event import Payload, PullRequest

_DEPENDABOT = frozenset({"dependabot[bot]", "dependabot-preview[bot]"})
_RENOVATE = frozenset({"renovate[bot]", "renovate-bot", "mend-renovate[bot]", "forking-renovate[bot]"})


class Activity(Enum):
    """What a run does."""

    JUDGE_PULL = "judge the pull request, and comment"
    JUDGE_GROUP = "judge what the merge queue would merge"
    JUDGE_PUSH = "judge the branch, against what it was before"
    RECORD = "measure, and write down what is new for a pull request"
    COMMENT = "comment on the pull request that another run judged"
    ACCEPT = "propose what the labelled pull request changes as baselines"
    PROPOSE = "propose what this run recorded as baselines"
    RERUN = "run again what waited for these baselines"
    NOTHING = "nothing"


class Author(Enum):
    """Who a pull request is from: it decides how an upgrade is tried again."""

    DEPENDABOT = "dependabot"
    RENOVATE = "renovate"
    FORK = "fork"
    PERSON = "person"


ANY = "*"

# Command -> event -> action (or any, where there is none) -> what is done. What is not here is wrong usage.
_TABLE: Mapping[str, Mapping[str, Mapping[str, Activity]]] = {
    "check": {
        # Whatever stands under `types:`, every run judges: a label that turned a red check green would be a way round.
        "pull_request": {"closed": Activity.NOTHING, ANY: Activity.JUDGE_PULL},
        "merge_group": {"checks_requested": Activity.JUDGE_GROUP, ANY: Activity.NOTHING},
        "push": {ANY: Activity.JUDGE_PUSH},
        "workflow_dispatch": {ANY: Activity.RECORD},
        "schedule": {ANY: Activity.RECORD},
    },
    "comment": {
        "workflow_run": {"completed": Activity.COMMENT, ANY: Activity.NOTHING},
    },
    "accept": {
        "pull_request": {"labeled": Activity.ACCEPT, ANY: Activity.NOTHING},
        "pull_request_target": {"labeled": Activity.ACCEPT, ANY: Activity.NOTHING},
        "push": {ANY: Activity.RERUN},
        "workflow_dispatch": {ANY: Activity.PROPOSE},
        "schedule": {ANY: Activity.PROPOSE},
    },
}

_WHY_NOT = {
    (
        "check",
        "pull_request_target",
    ): "it would run the pull request's own code beside your secrets: use `pull_request`",
    ("check", "workflow_run"): "it would run the pull request's own code beside your secrets: use `pull_request`",
}


def activity(command: str, event: str, payload: Payload, *, accept_label: str) -> Activity:
    """What to do about an event. Raises UsageError for one that this command has nothing to do with."""
    events = _TABLE[command]
    if event not in events:
        why = _WHY_NOT.get((command, event), f"it runs on {', '.join(events)}: mend `on:` in the workflow")
        raise UsageError(f"`failsame github {command}` does not run on {event}: {why}")
    found = events[event].get(payload.action or ANY, events[event][ANY])
    if found is Activity.ACCEPT and (payload.label is None or not payload.label.named(accept_label)):
        return Activity.NOTHING
    if found is Activity.RERUN and not payload.pushed_to_default:
        return Activity.NOTHING
    return found


def author(pull: PullRequest) -> Author:
    """Who opened a pull request: by its author, which nobody can choose, not by who last touched it."""
    login = pull.user.login if pull.user else ""
    if login in _DEPENDABOT:
        return Author.DEPENDABOT
    if login in _RENOVATE:
        return Author.RENOVATE
    return Author.FORK if pull.from_fork else Author.PERSON
