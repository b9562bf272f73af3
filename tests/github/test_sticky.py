"""The one comment: found, written, never doubled, never somebody else's."""

import re
from collections.abc import Callable

import pytest
from tests.github.hub.routes import problem
from tests.github.hub.server import SECRET, Hub
from tests.github.hub.state import ACTIONS
from tests.report.reports import BOTOCORE, report, retried, subject
from tests.report.test_report_hostile import HOSTILE, infected

from failsame.drift import overall
from failsame.github import sticky, words
from failsame.github.api import GitHubError, Repository
from failsame.github.event import PullRequest
from failsame.github.say import Said, say
from failsame.github.settings import Settings
from failsame.github.sticky import Acceptance, State
from failsame.report import Report

pytestmark = pytest.mark.install

RETRIED = subject("batch-s3", retried("status-500"), verdict="drift")
DRIFT = report(
    "drift", RETRIED, changes=(BOTOCORE,), fingerprint=overall(d for s in RETRIED.scenarios for d in s.drifts)
)
SAME = report("same", subject("batch-s3"))


@pytest.fixture
def pull(hub: Hub, github: Repository) -> PullRequest:
    """An open pull request."""
    hub.repository.push("up", {"a": "1"})
    return github.pull(hub.repository.open_pull("up", author="dependabot[bot]").number)


@pytest.fixture
def speak(github: Repository, told: Settings, pull: PullRequest) -> Callable[..., Said]:
    def speak(what: Report, name: str = "failsame", *, fresh: bool = False) -> Said:
        return say(github, told.model_copy(update={"name": name}), pull, what, fresh=fresh)

    return speak


def test_a_clean_pull_request_is_left_alone(hub: Hub, speak: Callable[..., Said]) -> None:
    """No comment where there is nothing to say; of a fresh one not even a question."""
    assert speak(SAME, fresh=True).url is None
    assert hub.seen[1:] == []
    assert speak(SAME).url is None
    assert hub.repository.comments == []


def test_one_comment_through_all_pages(hub: Hub, speak: Callable[..., Said], pull: PullRequest) -> None:
    """The first drift makes it; after 150 other comments it is found, changed in place, and mended to one line."""
    for number in range(150):
        hub.repository.add_comment(pull.number, "octocat", str(number))
    first = speak(DRIFT)
    for number in range(150):
        hub.repository.add_comment(pull.number, "octocat", str(number))
    assert speak(DRIFT).url == first.url
    assert speak(SAME).url == first.url
    (own,) = [comment for comment in hub.repository.comments if comment.author == ACTIONS]
    assert own.body.endswith("**Your clients fail the same again.**\n")


def test_two_instances_do_not_fight(hub: Hub, speak: Callable[..., Said]) -> None:
    """Each has its own comment, and mends no other."""
    one, two = speak(DRIFT), speak(DRIFT, "failsame-billing")
    assert one.url != two.url
    speak(SAME, "failsame-billing")
    assert ["same again" in comment.body for comment in hub.repository.comments] == [False, True]


@pytest.mark.parametrize("author", ["mallory", "evil-app[bot]"])
def test_a_forged_marker_is_not_ours(hub: Hub, speak: Callable[..., Said], pull: PullRequest, author: str) -> None:
    """Somebody else's comment with our marker is neither changed nor believed."""
    forged = sticky.compose("failsame", State(accepted=(Acceptance(by="root", fingerprint="0" * 8, pull=1),)), "", "x")
    theirs = hub.repository.add_comment(pull.number, author, forged)
    speak(DRIFT)
    assert theirs.body == forged
    assert "root" not in hub.repository.comments[1].body


def test_a_marker_within_our_words_is_none(hub: Hub, speak: Callable[..., Said], pull: PullRequest) -> None:
    """What another tool posts with the same token, quoting a marker, is not taken for ours."""
    quoted = f"Preview of the description:\n{sticky.compose('failsame', State(), '', 'x')}"
    other = hub.repository.add_comment(pull.number, ACTIONS, quoted)
    speak(DRIFT)
    assert other.body == quoted
    assert len(hub.repository.comments) == 2


@pytest.mark.parametrize("login", ["octocat", "our-app[bot]"])
def test_whatever_the_token(hub: Hub, speak: Callable[..., Said], login: str) -> None:
    """A person's or an App's token finds its own comment, and the one that the job's own token made before."""
    first = speak(DRIFT)
    hub.grant(SECRET, login, pull_requests="write")
    assert speak(SAME).url == first.url
    hub.repository.comments.clear()
    second = speak(DRIFT)
    assert hub.repository.comments[0].author == login
    assert speak(SAME).url == second.url
    assert len(hub.repository.comments) == 1


def test_a_lost_answer_makes_no_second_comment(hub: Hub, speak: Callable[..., Said]) -> None:
    """A gateway's timeout that hid the comment: it is looked for, and taken."""
    hub.trouble("POST", "comments", problem(502, "Bad Gateway"), after=True)
    assert speak(DRIFT).url is not None
    assert len(hub.repository.comments) == 1
    hub.repository.comments.clear()
    hub.trouble("POST", "comments", problem(502, "Bad Gateway"))
    with pytest.raises(GitHubError):
        speak(DRIFT)


def test_an_older_run_says_nothing_over_a_newer(hub: Hub, speak: Callable[..., Said]) -> None:
    """The head moved, or the pull request was closed, while this was measured: the comment is another's to write."""
    hub.repository.push("up", {"a": "2"})
    assert "moved on" in speak(DRIFT).why
    assert hub.repository.comments == []


def test_what_was_accepted_is_remembered(
    hub: Hub, speak: Callable[..., Said], github: Repository, pull: PullRequest
) -> None:
    """Through a mended comment and the next drift: the same one waits for its merge, another one is new."""
    speak(DRIFT)
    there = sticky.find(github, pull.number, "failsame")
    assert there is not None
    baselines = hub.repository.open_pull("up", author=ACTIONS)
    accepted = Acceptance(by="hubot", fingerprint=str(DRIFT.fingerprint), pull=baselines.number)
    state = there.state.model_copy(update={"accepted": (accepted,)})
    sticky.write(github, pull.number, "failsame", sticky.compose("failsame", state, "x", there.report), there)
    speak(DRIFT)
    (comment,) = hub.repository.comments
    assert words.accepted(accepted, pull) in comment.body
    assert "this check runs again by itself; the comment `@dependabot rebase` does it, too." in comment.body
    baselines.state = "closed"
    speak(DRIFT)
    assert f"#{baselines.number} was closed: reopen it, or put the label on again." in comment.body
    baselines.merged = True
    speak(DRIFT)
    assert f'#{baselines.number} was merged while this check ran: press "Re-run failed jobs"' in comment.body
    other = DRIFT.model_copy(update={"fingerprint": "0" * 8})
    speak(other)
    told = f"`hubot` accepted `{DRIFT.fingerprint}` in #{baselines.number}"
    assert f"{told}, but that was another change: this one is new." in comment.body
    speak(SAME)
    assert comment.body.endswith(f"**Your clients fail the same again.** {told}.\n")


@pytest.mark.parametrize("held", ["", "bm9uZQ==", "eyJhY2NlcHRlZCI6IDF9", "-", "====="])
def test_a_marker_that_somebody_edited(hub: Hub, speak: Callable[..., Said], pull: PullRequest, held: str) -> None:
    """A state that cannot be read is an empty one; Windows line ends are none of our business."""
    hub.repository.add_comment(pull.number, ACTIONS, f"<!-- failsame:comment name=failsame state={held} -->\r\nx")
    speak(SAME)
    assert len(hub.repository.comments) == 1
    assert "same again" in hub.repository.comments[0].body


def test_a_long_report_fits(hub: Hub, speak: Callable[..., Said]) -> None:
    """60,000 characters at most, marker and all, whatever there is to say."""
    many = [subject(f"s3-{n}", *(retried(f"status-{m}") for m in range(500, 530)), verdict="drift") for n in range(40)]
    speak(report("drift", *many, changes=(BOTOCORE,)))
    (comment,) = hub.repository.comments
    assert 40_000 < len(comment.body) <= 60_000
    assert "Cut to fit into a comment" in comment.body


def test_hostile_text_stays_in_its_place(hub: Hub, speak: Callable[..., Said]) -> None:
    """No text from a report ends the comment's own parts or makes another of our markers."""
    for word in HOSTILE.values():
        speak(infected(word).model_copy(update={"fingerprint": "0" * 8}))
        (comment,) = hub.repository.comments
        assert re.findall("<!--.*?-->", comment.body) == [comment.body.splitlines()[0], "<!-- failsame:report -->"]
        assert len(comment.body) <= 60_000


@pytest.mark.parametrize("word", HOSTILE.values(), ids=HOSTILE)
def test_hostile_words_of_a_refusal(word: str) -> None:
    """An error's text, which may quote a file's, is escaped where a person is told of it."""
    told = words.refused("hubot", f"there is no {word[:500]}: mend it")
    assert "<!--" not in told
    assert "\n" not in told
    assert not re.search(r"(?<![\w`])@\w", told)
