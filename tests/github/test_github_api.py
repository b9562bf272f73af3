"""The API client against the fake: what it asks, when it asks again, and what it says when it does not get it."""

from collections.abc import Callable

import pytest
from tests.github.hub.routes import Answer, problem
from tests.github.hub.server import SECRET, Hub
from tests.github.hub.state import NAME

from failsame.github.api import Client, Commit, ForbiddenError, GitHubError, Repository
from failsame.github.api.retry import LONGEST
from failsame.github.settings import Settings

pytestmark = pytest.mark.install  # GitHub's description of its API comes from npm

BUSY = problem(502, "Server Error")


def test_a_comparison_names_merge_base_and_paths(hub: Hub, github: Repository) -> None:
    """Both names of a renamed file count, and what the base did meanwhile does not."""
    old = hub.repository.tip.sha
    hub.repository.push("up", {"README.md": None, "docs/README.md": "# Batch\n", "a file.py": "1"})
    hub.repository.push("main", {"other": "1"})
    found = github.compare("main", hub.repository.branches[NAME, "up"])
    assert found.base == old
    assert set(found.paths or ()) == {"README.md", "docs/README.md", "a file.py"}


def test_a_comparison_of_too_many_files_names_none(hub: Hub, github: Repository) -> None:
    """GitHub lists 300 files: what is beyond is unknown, and must not count as unchanged."""
    hub.repository.push("up", {f"{number}.py": "1" for number in range(301)})
    assert github.compare("main", "up").paths is None


@pytest.mark.parametrize("path", ["README.md", "a folder/with #signs?.txt", "ü.txt"])
def test_a_file_is_read_raw(hub: Hub, github: Repository, path: str) -> None:
    """A file's bytes come as they are, whatever its name; a folder and what is not there are None."""
    hub.repository.push("main", {path: b"\xff" * 2_000_000})
    assert github.file(path, "main") == b"\xff" * 2_000_000
    assert github.file("gone.txt", "main") is None
    hub.repository.push("main", {"folder/a": "1"})
    assert github.file("folder", "main") is None


def test_pages_are_read_to_the_end(hub: Hub, github: Repository) -> None:
    """All comments over three pages, by the addresses that GitHub gives, which have the repository by number."""
    pull = hub.repository.open_pull("main", author="octocat")
    for number in range(250):
        hub.repository.add_comment(pull.number, "octocat", str(number))
    assert [comment.body for comment in github.comments(pull.number)] == [str(number) for number in range(250)]
    assert len(hub.asked("GET", "comments")) == 3


@pytest.mark.parametrize(
    ("answer", "waited"),
    [
        (problem(429, "slow down"), 60),
        (Answer(403, {"message": "You have exceeded a secondary rate limit."}), 60),
        (Answer(403, {"message": "no"}, {"Retry-After": "17"}), 17),
        (Answer(429, {"message": "no"}, {"Retry-After": "3"}), 3),
        (Answer(503, {"message": "no"}, {"Retry-After": "9"}), 9),
    ],
)
def test_it_waits_as_long_as_it_is_asked_to(
    hub: Hub, github: Repository, waits: list[float], answer: Answer, waited: float
) -> None:
    """Rate limits, primary and secondary, are waited for as GitHub's documentation asks."""
    hub.trouble("GET", "git/ref", answer)
    assert github.branch("main") == hub.repository.tip.sha
    assert waits == [waited]


def test_a_used_up_rate_limit_is_told(hub: Hub, github: Repository, waits: list[float]) -> None:
    """A wait longer than a runner should idle is not begun."""
    hub.trouble(
        "GET",
        "git/ref",
        Answer(403, {"message": "x"}, {"X-RateLimit-Remaining": "0", "X-RateLimit-Reset": "99999999999"}),
    )
    with pytest.raises(GitHubError, match=r"rate limit is used up: run it again in \d+ min"):
        github.branch("main")
    assert waits == []


def test_passing_trouble_is_outwaited(hub: Hub, github: Repository, waits: list[float]) -> None:
    """Gateway errors and dropped connections are tried again, each time after a longer wait."""
    hub.trouble("GET", "git/ref", BUSY, times=2)
    hub.trouble("GET", "git/ref", None, times=2)
    assert github.branch("main") == hub.repository.tip.sha
    assert len(waits) == 4
    assert waits == sorted(waits)
    assert sum(waits) < LONGEST


def test_lasting_trouble_is_told(hub: Hub, github: Repository) -> None:
    """After five tries: one line, with where to look."""
    hub.trouble("GET", "git/ref", BUSY, times=5)
    with pytest.raises(GitHubError, match=r"GitHub did not tell about main \(502: Server Error\): .*githubstatus"):
        github.branch("main")
    assert hub.troubles == []


def test_a_comment_whose_answer_is_lost_is_not_made_twice(hub: Hub, github: Repository) -> None:
    """A gateway's timeout may hide a comment that is there: whoever asked has to look."""
    hub.trouble("POST", "comments", BUSY, after=True)
    with pytest.raises(GitHubError):
        github.add_comment(hub.repository.open_pull("main", author="octocat").number, "hello")
    assert len(hub.repository.comments) == 1


def test_redirects_are_followed_verbatim(hub: Hub, github: Repository) -> None:
    """A renamed repository is found, by changes too, with method and body."""
    pull = hub.repository.open_pull("main", author="octocat")
    there = {"Location": f"{hub.api}/repos/{NAME}/issues/{pull.number}/comments"}
    hub.trouble("POST", "comments", Answer(307, {"message": "moved"}, there))
    assert github.add_comment(pull.number, "hello").body == "hello"


def test_an_archive_is_fetched_without_the_token(hub: Hub, github: Repository) -> None:
    """The archive lies on another host (the fake refuses a token there), and a large one is not read."""
    run = hub.repository.add_run(head_sha="a" * 40, head_branch="up", conclusion="failure")
    artifact = hub.repository.upload(run, "failsame-report", b"x" * 5000)
    assert github.archive(artifact.id, largest=5000) == b"x" * 5000
    with pytest.raises(GitHubError, match="more than 4 KiB"):
        github.archive(artifact.id, largest=4096)


def test_circles_and_downgrades_are_not_followed(hub: Hub, github: Repository) -> None:
    """A redirect to itself ends, and one to another scheme is not followed."""
    for place in (f"{hub.api}/repos/{NAME}/git/ref/heads/main", "ftp://example.com/"):
        hub.trouble("GET", "git/ref", Answer(302, None, {"Location": place}), times=9)
        with pytest.raises(GitHubError):
            github.branch("main")
        hub.troubles.clear()


REFUSED: dict[str, tuple[Callable[[Repository], object], str]] = {
    "comment": (lambda it: it.add_comment(11, "x"), "permissions: {pull-requests: write}"),
    "branch": (lambda it: it.make_branch("b", "x"), "permissions: {contents: write}"),
    "commit": (lambda it: it.commit("b", "x", Commit("h", "b", {"f": "1"})), "permissions: {contents: write}"),
    "rerun": (lambda it: it.rerun_failed(1), "permissions: {actions: write}"),
    "runs": (lambda it: list(it.runs("a" * 40)), "permissions: {actions: read}"),
}


@pytest.mark.parametrize("case", REFUSED)
def test_a_missing_right_is_named(hub: Hub, github: Repository, case: str) -> None:
    """A refusal ends in the YAML that mends it, in one line."""
    hub.grant()
    ask, yaml = REFUSED[case]
    with pytest.raises(ForbiddenError) as told:
        ask(github)
    assert yaml in str(told.value)
    assert len(str(told.value).splitlines()) == 1


def test_a_repository_that_forbids_pull_requests_is_told(hub: Hub, github: Repository) -> None:
    """The setting that keeps actions from opening pull requests is named."""
    hub.repository.actions_may_open_pulls = False
    hub.repository.push("b", {"a": "1"})
    with pytest.raises(GitHubError, match='tick "Allow GitHub Actions to create and approve pull requests"'):
        github.open_pull(head="b", base="main", title="t", body="b")


def test_a_protected_branch_is_told(hub: Hub, github: Repository) -> None:
    """A rule that keeps the action from its branch is named."""
    hub.grant(contents="write")
    with pytest.raises(GitHubError, match="a rule protects the branch"):
        github.commit("main", hub.repository.tip.sha, Commit("h", "b", {"f": "1"}))


def test_a_branch_that_moved_is_told(hub: Hub, github: Repository) -> None:
    """A commit onto a tip that is no longer one is refused, as 409."""
    tip = hub.repository.push("b", {"a": "1"})
    hub.grant(contents="write")
    hub.repository.push("b", {"a": "2"})
    with pytest.raises(GitHubError) as told:
        github.commit("b", tip, Commit("h", "b", {"f": "1"}))
    assert told.value.status == 409


def test_a_commit_is_signed_and_holds_all_files(hub: Hub, github: Repository) -> None:
    """One commit adds, changes and removes files; GitHub signs it."""
    hub.grant(contents="write")
    tip = hub.repository.push("b", {"a": "1", "b": "1"})
    sha = github.commit("b", tip, Commit("Headline", "Body", {"a": "ü", "b": None, "c/d": "3"}))
    made = hub.repository.commits[sha]
    assert (made.files["a"], "b" in made.files, made.files["c/d"]) == ("ü".encode(), False, b"3")
    assert (made.signed, made.message, made.parents) == (True, "Headline\n\nBody", (tip,))


@pytest.mark.parametrize(
    ("role", "may"),
    [("admin", True), ("maintain", True), ("write", True), ("triage", False), ("read", False), ("none", False)],
)
def test_who_may_write(hub: Hub, github: Repository, role: str, may: bool) -> None:
    """Write, maintain and admin may; triage, which may label, may not."""
    hub.repository.permissions["someone"] = role
    assert github.may_write("someone") is may


def test_the_token_is_nowhere(told: Settings, hub: Hub, github: Repository) -> None:
    """Neither settings nor client nor an error, in full, shows the token."""
    hub.trouble("GET", "git/ref", problem(401, "Bad credentials"))
    with pytest.raises(GitHubError) as error:
        github.branch("main")
    shown = [
        repr(told),
        str(told),
        told.model_dump_json(),
        repr(github),
        repr(vars(github)),
        repr(error.getrepr(showlocals=True)),
    ]
    with Client(told) as client:
        shown.append(repr(vars(client)) + repr(vars(client._transport)) + repr(client._transport._http.headers))
    assert SECRET not in "".join(shown)
    assert SECRET not in str(error.getrepr(showlocals=True))


def test_an_unreachable_github_is_told(told: Settings, waits: list[float]) -> None:
    """Nothing listens: a line that says so, after all tries."""
    nowhere = told.model_copy(update={"api": "http://127.0.0.1:1"})
    with (
        Client(nowhere, sleep=waits.append) as client,
        pytest.raises(GitHubError, match=r"cannot be reached \(ConnectError\)"),
    ):
        Repository(client, NAME).branch("main")
    assert len(waits) == 4
