"""`failsame github accept` on a label: who may, what is accepted, what stops it; and after the merge."""

import base64
import json
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest
from tests.github.hub.routes import Answer, problem
from tests.github.hub.server import Hub
from tests.github.hub.state import ACTIONS, NAME, Pull
from tests.github.reported import BASELINE, FILES, complete, drifting, judged, open_upgrade
from tests.report.reports import failing, measurement, report, retried, subject

from failsame.baseline import lay, parse_coming
from failsame.errors import FailsameError
from failsame.facts import recorded
from failsame.github import accept, sticky
from failsame.github.api import GitHubError
from failsame.github.job import Job
from failsame.github.sticky import State

pytestmark = pytest.mark.install

ACCEPT, BASELINE_LABEL = "failsame:accept", "failsame:baseline"
REPORT = drifting()


@pytest.fixture
def hub(new_hub: Callable[..., Hub]) -> Hub:
    """A repository with a recorded client, a maintainer and others, and a token that may do what this takes."""
    hub = new_hub(FILES)
    hub.repository.permissions |= {"hubot": "write", "admin": "admin", "triager": "triage", "reader": "read"}
    hub.repository.permissions |= {"our-bot[bot]": "write"}
    hub.repository.bots.add("our-bot[bot]")
    hub.grant(contents="write", pull_requests="write", actions="write")
    return hub


@pytest.fixture
def pull(hub: Hub) -> Pull:
    """Dependabot's upgrade, which was judged red, with its comment."""
    pull = open_upgrade(hub.repository)
    judged(hub.repository, pull, REPORT)
    tell(hub, pull, REPORT.fingerprint)
    return pull


def tell(hub: Hub, pull: Pull, fingerprint: str | None) -> None:
    """The comment of a check that found this."""
    told = sticky.compose("failsame", State(fingerprint=fingerprint), "", "the report")
    hub.repository.add_comment(pull.number, ACTIONS, told)


@pytest.fixture
def labelled(hub: Hub, new_job: Callable[..., Job]) -> Callable[..., None]:
    """Somebody puts the label on, and the job runs."""

    def labelled(pull: Pull, by: str = "hubot", **more: Any) -> None:
        pull.labels.append(ACCEPT)
        payload = hub.shapes.event(pull, "labeled", sender=by, label=hub.shapes.label(ACCEPT))
        accept(new_job("pull_request", {**payload, **more}))

    return labelled


def test_what_a_maintainer_accepts(hub: Hub, pull: Pull, labelled: Callable[..., None]) -> None:
    """A signed commit on a branch of its own, a labelled pull request with the same table, and an answer."""
    labelled(pull)
    made = hub.repository.pulls[pull.number + 1]
    assert (made.head, made.base) == (f"failsame/accept-{pull.number}-{REPORT.fingerprint}", "main")
    assert (made.labels, pull.labels) == ([BASELINE_LABEL], [])
    assert made.title == f"Accept how batch-s3 fails after #{pull.number}"
    assert f"`hubot` accepted on #{pull.number}" in made.body
    assert "| answers 500 | gave up after 0 to 15 s, 5 attempts |" in made.body
    commit = hub.repository.commits[hub.repository.head_sha(made)]
    assert (commit.signed, commit.author) == (True, ACTIONS)
    assert commit.message == f"{made.title}\n\nAccepted by hubot in #{pull.number}."
    (path,) = commit.files.keys() - FILES.keys()
    assert path == f"baselines/coming/batch-s3@{REPORT.fingerprint}.json"
    document = json.loads(commit.files[path])
    assert document["when"] == {"botocore": ">= 1.44.8"}
    assert document["scenarios"]["status-500"]["call 1"]["attempts"] == 3
    (comment,) = hub.repository.comments
    assert f"**`hubot` accepted `{REPORT.fingerprint}`: merge #{made.number}.**" in comment.body
    assert "close and reopen it" in comment.body
    assert comment.body.endswith("the report\n")


def test_what_was_accepted_covers_this_and_nothing_else(hub: Hub, pull: Pull, labelled: Callable[..., None]) -> None:
    """Laid over the baseline for the new version it gives what was measured; for the old one it changes nothing."""
    labelled(pull)
    made = hub.repository.pulls[pull.number + 1]
    path = f"baselines/coming/batch-s3@{REPORT.fingerprint}.json"
    text = hub.repository.commits[hub.repository.head_sha(made)].files[path].decode()
    coming = {str(REPORT.fingerprint): parse_coming(text, subject="batch-s3", where=path)}
    new, old = {"boto3": "1.44.8", "botocore": "1.44.8"}, {"boto3": "1.43.127", "botocore": "1.43.127"}
    wanted = recorded([measurement(failing("status-500", (0.05, 0.1)))]).calls[0]
    found = lay(BASELINE, coming, new).scenarios["status-500"].calls[0]
    assert {fact: found[fact] for fact in ("attempts", "waits")} == {
        fact: wanted[fact] for fact in ("attempts", "waits")
    }
    assert lay(BASELINE, coming, old).scenarios == BASELINE.scenarios


@pytest.mark.parametrize("by", ["mallory", "reader", "triager", "dependabot[bot]", "our-bot[bot]"])
def test_whose_label_does_nothing(hub: Hub, pull: Pull, labelled: Callable[..., None], by: str) -> None:
    """A stranger's, one that may only label, and every program's, also the one that opened the pull request."""
    before = hub.repository.comments[0].body
    labelled(pull, by)
    assert (len(hub.repository.pulls), pull.labels) == (1, [ACCEPT])
    assert [comment.body for comment in hub.repository.comments] == [before]
    assert {each.method for each in hub.seen} <= {"GET"}


def test_a_label_that_is_off_again_does_nothing(hub: Hub, pull: Pull, labelled: Callable[..., None]) -> None:
    """The label is read live: an event of long ago, run again, accepts nothing."""
    labels = pull.labels
    pull.labels = []
    payload_pull = replace(pull, labels=labels)
    labelled(payload_pull)
    assert len(hub.repository.pulls) == 1


def test_another_label_does_nothing(hub: Hub, pull: Pull, new_job: Callable[..., Job]) -> None:
    """Nor does another instance's, nor the action's own other one."""
    for name in ("bug", BASELINE_LABEL, "failsame-billing:accept"):
        pull.labels.append(name)
        payload = hub.shapes.event(pull, "labeled", sender="hubot", label=hub.shapes.label(name))
        accept(new_job("pull_request", payload))
    assert hub.seen == []


def test_a_label_in_another_case(hub: Hub, pull: Pull, new_job: Callable[..., Job]) -> None:
    """A label that was made as `Failsame:Accept` is the same to GitHub: it accepts, and comes off."""
    pull.labels.append(ACCEPT.title())
    payload = hub.shapes.event(pull, "labeled", sender="hubot", label=hub.shapes.label(ACCEPT.title()))
    accept(new_job("pull_request", payload))
    assert (len(hub.repository.pulls), pull.labels) == (2, [])


def refuse_pulls(hub: Hub, pull: Pull) -> None:
    hub.repository.actions_may_open_pulls = False


def move_on(hub: Hub, pull: Pull) -> None:
    hub.repository.push(pull.head, {"x": "1"})


def judge_nothing(hub: Hub, pull: Pull) -> None:
    hub.repository.runs.clear()


def judge_another_fork(hub: Hub, pull: Pull) -> None:
    for run in hub.repository.runs:
        run.head_repository = "mallory/batch"


def judge_same(hub: Hub, pull: Pull) -> None:
    judged(hub.repository, pull, report("same", subject("batch-s3")), conclusion="success")


def judge_otherwise(hub: Hub, pull: Pull) -> None:
    judged(hub.repository, pull, drifting(retried("status-503")))


def say_nothing(hub: Hub, pull: Pull) -> None:
    hub.repository.comments.clear()


def say_all_is_well(hub: Hub, pull: Pull) -> None:
    hub.repository.comments.clear()
    tell(hub, pull, None)


def judge_badly(hub: Hub, pull: Pull) -> None:
    judged(hub.repository, pull, b"no zip")


def move_no_package(hub: Hub, pull: Pull) -> None:
    hub.repository.comments.clear()
    moved_nothing = drifting(changes=())
    judged(hub.repository, pull, moved_nothing)
    tell(hub, pull, moved_nothing.fingerprint)


def drop_baseline(hub: Hub, pull: Pull) -> None:
    hub.repository.push("main", {"baselines/batch-s3.json": None})


def break_baseline(hub: Hub, pull: Pull) -> None:
    hub.repository.push("main", {"baselines/batch-s3.json": "{"})


def take_rights(hub: Hub, pull: Pull) -> None:
    hub.grant(contents="read", pull_requests="write", actions="read")


def protect(hub: Hub, pull: Pull) -> None:
    hub.repository.protected.add(f"failsame/accept-{pull.number}-{REPORT.fingerprint}")


# What is in the way -> what the person who put the label on is told.
IN_THE_WAY: dict[Callable[[Hub, Pull], None], str] = {
    refuse_pulls: 'tick "Allow GitHub Actions to create and approve pull requests"',
    move_on: "has changed since the label was put on: look again, and put it on again",
    judge_nothing: "has no report: wait until the check has ended, or let it upload its report as",
    judge_another_fork: "has no report: wait until the check has ended",
    judge_same: "the last check found nothing to accept",
    judge_otherwise: "the comment here is not of the last check: wait until it says the same",
    say_nothing: "no comment here says what would be accepted: let the check comment",
    say_all_is_well: "the comment here is not of the last check: wait until it says the same",
    judge_badly: "its archive is broken",
    move_no_package: "no package that decides its behaviour moved",
    drop_baseline: "there is no baselines/batch-s3.json on main: record it first",
    break_baseline: "baselines/batch-s3.json:1:2: not JSON",
    take_rights: "permissions: {contents: write}",
    protect: "a rule protects the branch",
}


@pytest.mark.parametrize("way", IN_THE_WAY, ids=lambda way: way.__name__)
def test_what_is_in_the_way(
    hub: Hub, pull: Pull, labelled: Callable[..., None], way: Callable[[Hub, Pull], None]
) -> None:
    """Each is one clear line, in the job's log and on the pull request; the label comes off, to be put on again."""
    asked = replace(pull, labels=[])
    payload = hub.shapes.pull(asked)
    way(hub, pull)
    with pytest.raises(FailsameError) as told:
        labelled(pull, pull_request=payload)
    assert IN_THE_WAY[way] in str(told.value)
    assert len(str(told.value).splitlines()) == 1
    comment = hub.repository.comments[-1].body
    assert "`hubot` tried to accept this, and it came to nothing." in comment
    assert pull.labels == []
    assert [each.number for each in hub.repository.pulls.values()] == [pull.number]


def test_move_no_package_is_answered_with_the_command(hub: Hub, pull: Pull, labelled: Callable[..., None]) -> None:
    """A drift that no upgrade brought is recorded, not accepted: the answer has the command."""
    move_no_package(hub, pull)
    with pytest.raises(FailsameError, match="failsame record --subject batch-s3"):
        labelled(pull)


def test_accepting_twice_is_once(hub: Hub, pull: Pull, labelled: Callable[..., None]) -> None:
    """A second label, or a run again, finds what is there: no second pull request, no second commit."""
    labelled(pull)
    commits = len(hub.repository.commits)
    told = hub.repository.comments[0].body
    labelled(pull)
    assert len(hub.repository.pulls) == 2
    assert len(hub.repository.commits) == commits
    assert hub.repository.comments[0].body == told


def test_what_a_run_left_half_done(hub: Hub, pull: Pull, labelled: Callable[..., None]) -> None:
    """The branch is there and no pull request, with another content even: it begins again from main."""
    hub.repository.push(f"failsame/accept-{pull.number}-{REPORT.fingerprint}", {"baselines/coming/old.json": "1"})
    hub.repository.push("main", {"more": "1"})
    labelled(pull)
    made = hub.repository.pulls[pull.number + 1]
    head = hub.repository.commits[hub.repository.head_sha(made)]
    assert head.parents == (hub.repository.tip.sha,)
    assert "baselines/coming/old.json" not in head.files


def test_a_race_with_another_run(hub: Hub, pull: Pull, labelled: Callable[..., None]) -> None:
    """Another run makes the branch, commits the same and opens the pull request in between: both end well."""
    branch = f"failsame/accept-{pull.number}-{REPORT.fingerprint}"
    real = hub.answer
    path = f"baselines/coming/batch-s3@{REPORT.fingerprint}.json"

    def between(seen: Any) -> Answer | None:
        if seen.method == "POST" and seen.target.endswith("/git/refs"):
            hub.repository.branches[NAME, branch] = hub.repository.tip.sha
        if seen.target == "/graphql" and hub.repository.branches[NAME, branch] == hub.repository.tip.sha:
            asked = json.loads(seen.body)["variables"]["input"]["fileChanges"]["additions"]
            hub.repository.push(branch, {path: base64.b64decode(asked[0]["contents"])}, signed=True)
            hub.repository.open_pull(branch, author=ACTIONS)
        return real(seen)

    hub.answer = between  # type: ignore[method-assign]
    labelled(pull)
    assert len(hub.repository.pulls) == 2
    assert hub.repository.pulls[pull.number + 1].labels == [BASELINE_LABEL]


def test_a_lost_comment_loses_nothing_else(hub: Hub, pull: Pull, labelled: Callable[..., None], log: list[str]) -> None:
    """The pull request is there and the label is off, though the answer could not be written."""
    hub.trouble("PATCH", "comments", problem(422, "Validation Failed"))
    labelled(pull)
    assert len(hub.repository.pulls) == 2
    assert pull.labels == []
    assert any("GitHub did not comment" in line for line in log)


def test_an_apps_token_starts_checks(hub: Hub, pull: Pull, labelled: Callable[..., None]) -> None:
    """Then nobody is told to close and reopen the pull request."""
    hub.repository.bots.add("our-app[bot]")
    hub.grant(login="our-app[bot]", contents="write", pull_requests="write", actions="write")
    labelled(pull)
    assert "close and reopen" not in hub.repository.comments[0].body
    assert "merge #" in hub.repository.comments[0].body


@pytest.fixture
def pushed(hub: Hub, new_job: Callable[..., Job]) -> Callable[..., None]:
    """Something arrived on main, and the job runs."""

    def pushed(*commits: str) -> None:
        payload = {
            "ref": "refs/heads/main",
            "before": "0" * 40,
            "commits": [{"id": each} for each in commits],
            "repository": {"full_name": NAME, "default_branch": "main"},
        }
        accept(new_job("push", payload, sha=hub.repository.tip.sha))

    return pushed


def test_after_the_merge_the_check_runs_again(
    hub: Hub, pull: Pull, labelled: Callable[..., None], pushed: Callable[..., None]
) -> None:
    """The run that was red runs again, by itself, and the comment says so."""
    labelled(pull)
    hub.repository.merge(hub.repository.pulls[pull.number + 1])
    pushed()
    assert hub.repository.runs[0].rerun_by == [ACTIONS]
    assert f"The baselines of #{pull.number + 1} are merged. The check runs again." in hub.repository.comments[0].body


def test_without_the_right_the_comment_names_the_button(
    hub: Hub, pull: Pull, labelled: Callable[..., None], pushed: Callable[..., None]
) -> None:
    """`actions: write` is missing: the comment says which button, and the YAML."""
    labelled(pull)
    hub.repository.merge(hub.repository.pulls[pull.number + 1])
    hub.grant(contents="write", pull_requests="write", actions="read")
    pushed()
    body = hub.repository.comments[0].body
    assert f'**Press "Re-run failed jobs" on [the run](https://github.com/{NAME}/actions/runs/' in body
    assert "actions: write" in body


def test_a_base_branch_that_starts_nothing(hub: Hub, pull: Pull, labelled: Callable[..., None]) -> None:
    """An upgrade of another branch than the default one is not promised a run that no push starts."""
    hub.repository.push("release", {"x": "1"})
    pull.base = "release"
    labelled(pull)
    made = hub.repository.pulls[pull.number + 1]
    assert made.base == "release"
    body = hub.repository.comments[0].body
    assert f'merge #{made.number}.** Once that is merged, press "Re-run failed jobs" on this check.' in body
    assert "by itself" not in body


def test_a_check_that_still_runs(
    hub: Hub, pull: Pull, labelled: Callable[..., None], pushed: Callable[..., None]
) -> None:
    """It may have read the baselines before they were merged: the comment says what to do if it ends red."""
    labelled(pull)
    hub.repository.merge(hub.repository.pulls[pull.number + 1])
    judged(hub.repository, pull, REPORT, conclusion=None)
    pushed()
    assert hub.asked("POST", "rerun") == []
    assert 'if it ends red, press "Re-run failed jobs" on [the run](' in hub.repository.comments[0].body


def test_a_report_that_has_expired(
    hub: Hub, pull: Pull, labelled: Callable[..., None], pushed: Callable[..., None]
) -> None:
    """The check that uploaded it runs again all the same; to accept what it held takes a new one."""
    labelled(pull)
    hub.repository.merge(hub.repository.pulls[pull.number + 1])
    for artifact in hub.repository.runs[0].artifacts:
        artifact.expired = True
    pushed()
    assert hub.repository.runs[0].rerun_by == [ACTIONS]
    with pytest.raises(FailsameError, match="it has expired: run the check again"):
        labelled(pull)


def test_one_that_cannot_run_again_keeps_no_other_from_it(
    hub: Hub, pull: Pull, labelled: Callable[..., None], pushed: Callable[..., None]
) -> None:
    """Two upgrades waited for one push. Where nothing is found to be run again, the comment names the button."""
    labelled(pull)
    hub.repository.push("second", {"requirements.txt": "botocore==1.44.9\n"}, author="dependabot[bot]")
    second = hub.repository.open_pull("second", author="dependabot[bot]")
    judged(hub.repository, second, REPORT)
    tell(hub, second, REPORT.fingerprint)
    labelled(second)
    made = [each for each in hub.repository.pulls.values() if BASELINE_LABEL in each.labels]
    commits = [hub.repository.merge(each) for each in made]
    hub.repository.runs[0].artifacts.clear()
    pushed(*commits)
    assert [run.rerun_by for run in hub.repository.runs] == [[], [ACTIONS]]
    assert '**Press "Re-run failed jobs" on this check.**' in hub.repository.comments[0].body


def test_other_pushes_do_nothing(
    hub: Hub, pull: Pull, labelled: Callable[..., None], pushed: Callable[..., None]
) -> None:
    """A merge of something else, a forged body from a fork or without the label, a closed upgrade: no run again."""
    labelled(pull)
    made = hub.repository.pulls[pull.number + 1]
    hub.repository.push("feature", {"y": "1"})
    hub.repository.merge(hub.repository.open_pull("feature", author="octocat", body=made.body))
    pushed()
    hub.repository.push("main", {"z": "1"}, repository="mallory/batch")
    forged = hub.repository.open_pull("main", author="mallory", body=made.body, repository="mallory/batch")
    forged.labels.append(BASELINE_LABEL)
    hub.repository.merge(forged)
    pushed()
    pull.state = "closed"
    hub.repository.merge(made)
    pushed()
    assert hub.asked("POST", "rerun") == []


def test_a_squashed_queue_is_looked_through(
    hub: Hub, pull: Pull, labelled: Callable[..., None], pushed: Callable[..., None]
) -> None:
    """A push of several commits, as a merge queue makes it: the baselines' may be any of them."""
    labelled(pull)
    sha = hub.repository.merge(hub.repository.pulls[pull.number + 1])
    hub.repository.push("main", {"y": "1"})
    pushed(sha, hub.repository.tip.sha)
    assert hub.repository.runs[0].rerun_by == [ACTIONS]


def test_github_in_trouble(hub: Hub, pull: Pull, labelled: Callable[..., None]) -> None:
    """It ends with GitHub's trouble as one line; the label, which could be read, comes off if it can."""
    hub.trouble("GET", "git/ref", problem(502, "Bad Gateway"), times=5)
    with pytest.raises(GitHubError, match="githubstatus"):
        labelled(pull)
    assert pull.labels == []


def test_forty_subjects(hub: Hub, pull: Pull, labelled: Callable[..., None]) -> None:
    """Many subjects are one pull request with one file each, and its body fits."""
    names = [f"batch-s3-{number}" for number in range(40)]
    many = [subject(name, retried("status-500"), verdict="drift") for name in names]
    hub.repository.push("main", {f"baselines/{name}.json": _named(name) for name in names})
    upgraded = complete(*many)
    judged(hub.repository, pull, upgraded)
    hub.repository.comments.clear()
    tell(hub, pull, upgraded.fingerprint)
    labelled(pull)
    made = hub.repository.pulls[pull.number + 1]
    files = hub.repository.commits[hub.repository.head_sha(made)].files
    assert sum(path.startswith("baselines/coming/") for path in files) == 40
    assert len(made.body) < 61_000
    assert made.title == f"Accept how 40 clients fail after #{pull.number}"


def _named(name: str) -> str:
    return FILES["baselines/batch-s3.json"].replace('"batch-s3"', f'"{name}"')
