"""What happened: an event's payload, as far as it matters.

Whoever opens a pull request chooses its title, its branch's name and much else: it is text, compared and quoted, never
run. Payloads: https://docs.github.com/en/webhooks/webhook-events-and-payloads.
"""

from typing import Any, Literal, TypeVar

from pydantic import BaseModel, ConfigDict, ValidationError

from failsame.errors import UsageError
from failsame.text import printable

EventName = Literal[
    "pull_request",
    "pull_request_target",
    "merge_group",
    "push",
    "workflow_dispatch",
    "schedule",
    "workflow_run",
]
_BRANCH = "refs/heads/"

T = TypeVar("T", bound="Told")


class Told(BaseModel):
    """Something that GitHub told: frozen; what it says besides is of no interest."""

    model_config = ConfigDict(frozen=True, extra="ignore")


class User(Told):
    """An account. `type` is `User`, `Bot`, `Organization` or `Mannequin`."""

    login: str
    type: str = "User"

    @property
    def is_bot(self) -> bool:
        """Whether a program speaks here: an app's account; one may also use a person's."""
        return self.type == "Bot"


class RepositoryName(Told):
    """A repository."""

    full_name: str
    default_branch: str | None = None


class Branch(Told):
    """One side of a pull request; `repo` is None where a fork is gone."""

    ref: str
    sha: str
    repo: RepositoryName | None = None


class Label(Told):
    """A label. GitHub keeps the case it was made in, and takes every other for the same."""

    name: str

    def named(self, name: str) -> bool:
        """Whether this is its name."""
        return self.name.lower() == name.lower()


class PullRequest(Told):
    """A pull request. `user` is who opened it; None if that account is gone."""

    number: int
    state: Literal["open", "closed"]
    title: str = ""
    body: str | None = None
    html_url: str = ""
    user: User | None = None
    head: Branch
    base: Branch
    labels: tuple[Label, ...] = ()
    merged_at: str | None = None

    @property
    def merged(self) -> bool:
        """Whether it was merged, and not only closed."""
        return self.merged_at is not None

    @property
    def to_default(self) -> bool:
        """Whether it goes to the default branch."""
        return self.base.repo is not None and self.base.repo.default_branch == self.base.ref

    @property
    def from_fork(self) -> bool:
        """Whether its branch lies in another repository."""
        return self.head.repo is None or self.base.repo is None or self.head.repo.full_name != self.base.repo.full_name

    def labelled(self, name: str) -> bool:
        """Whether it carries a label."""
        return any(label.named(name) for label in self.labels)


class MergeGroup(Told):
    """Pull requests that a merge queue tests together: `base_sha` is what they are merged onto."""

    head_sha: str
    base_sha: str
    base_ref: str


class WorkflowRun(Told):
    """A run of a workflow."""

    id: int
    event: str
    head_sha: str
    head_branch: str | None = None
    head_repository: RepositoryName | None = None
    status: str | None = None
    conclusion: str | None = None
    html_url: str = ""


class PushedCommit(Told):
    """One commit of a push."""

    id: str


class Payload(Told):
    """An event's payload; what the event does not have is None."""

    action: str | None = None
    sender: User | None = None
    repository: RepositoryName | None = None
    pull_request: PullRequest | None = None
    label: Label | None = None
    merge_group: MergeGroup | None = None
    workflow_run: WorkflowRun | None = None
    before: str | None = None
    commits: tuple[PushedCommit, ...] = ()
    ref: str | None = None

    @property
    def pushed_to_default(self) -> bool:
        """Whether it is a push to the default branch."""
        branch = self.repository.default_branch if self.repository else None
        return branch is not None and self.ref == f"{_BRANCH}{branch}"


def read(kind: type[T], value: Any, what: str) -> T:
    """Read what GitHub told; raises UsageError, in which nothing of it is quoted."""
    try:
        return kind.model_validate(value)
    except ValidationError as error:
        first = error.errors(include_url=False, include_context=False, include_input=False)[0]
        place = printable(".".join(map(str, first["loc"])))[:100]
        raise UsageError(
            f"{what} is not as GitHub documents it ({place}: {first['msg'][:100]}): upgrade failsame"
        ) from None


def branch_name(ref: str) -> str | None:
    """The branch of a full ref; None for a tag or a pull request's ref."""
    return ref.removeprefix(_BRANCH) if ref.startswith(_BRANCH) else None
