"""What `.github/failsame.yml` may hold.

The words under each key are its documentation: they stand in docs/configuration.md and in schemas/config.json.
"""

from collections.abc import Mapping
from typing import Annotated, Any, Literal

from pydantic import ConfigDict, Discriminator, Field, Tag, model_validator

from failsame.budgets import Severity, Wanted
from failsame.config.values import (
    Address,
    Amount,
    Body,
    Duration,
    EndpointName,
    GroupName,
    HeaderName,
    HeaderValue,
    HostName,
    Name,
    OneLine,
    Package,
    PythonVersion,
    RepositoryPath,
    RuleText,
    TermName,
    VariableName,
    VariableValue,
)
from failsame.model import Model
from failsame.observation import MAIN
from failsame.suite import Answer, Close, Failure, Garbage, Good, GoodAnswer, Phase, Reset, Scenario, Silent

OWN_GROUP = "own"
"""The group of all own scenarios."""

AnswerWord = Literal["good", "silent", "reset", "close", "garbage"]

_WORDS: dict[AnswerWord, Answer] = {
    "good": Good(),
    "silent": Silent(),
    "reset": Reset(),
    "close": Close(),
    "garbage": Garbage(),
}

_NO_BODY = frozenset({204, 205, 304})  # RFC 9110 15.3.5, 15.3.6, 15.4.5
_ERRORS_FROM = 400


class Section(Model):
    """A mapping of the configuration. Strict: "yes please" is no boolean, and 3.10 no version."""

    model_config = ConfigDict(strict=True, use_attribute_docstrings=True)


class GoodSection(Section):
    """What a good answer is (dialect `http` only)."""

    status: Annotated[int, Field(ge=200, le=599)] = 200
    """The status."""
    headers: Mapping[HeaderName, HeaderValue] = Field(default_factory=dict, examples=[{"content-type": "text/plain"}])
    """Headers, name to value."""
    body: Body = Field(default="", examples=['{"id": 1}'])
    """The body, sent as UTF-8."""

    @model_validator(mode="after")
    def _body_allowed(self) -> "GoodSection":
        _refuse_body(self.status, self.body)
        return self

    def answer(self) -> GoodAnswer:
        """The same, in the suite's words."""
        return GoodAnswer(status=self.status, headers=self.headers, body=self.body)


class BudgetSection(Section):
    """A rule that the client has to keep, where its text does not say enough. docs/budgets.md has the terms."""

    rule: RuleText = Field(examples=["give_up.max < function_timeout", "function-timeout"])
    """An inequality over measured and declared values, or the name of one in the catalogue."""
    because: OneLine | None = Field(default=None, examples=["the function must fail by itself"])
    """The reason, for whoever breaks it."""
    severity: Severity = Field(default="must", examples=["should"])
    """`must` fails when it is broken; `should` only says so."""
    slack: Amount = Field(default="0", examples=["500ms"])
    """What it may be broken by, in the unit of the rule."""
    source: Address | None = Field(default=None, examples=["https://example.com/runbook#timeouts"])
    """Where its number, or the advice, comes from."""

    def wanted(self) -> Wanted:
        """The same, in the words of budgets."""
        return Wanted(self.rule, self.because, self.severity, self.slack, self.source)


def _text_or_mapping(value: Any) -> str:
    return "mapping" if isinstance(value, (dict, BudgetSection)) else "text"


OwnBudget = Annotated[
    Annotated[RuleText, Tag("text")] | Annotated[BudgetSection, Tag("mapping")], Discriminator(_text_or_mapping)
]


class SubjectSection(Section):
    """One SDK client as the project builds it."""

    builtin: str | None = Field(default=None, examples=["boto3-s3"])
    """A built-in subject; in the place of `file`."""
    name: Name | None = Field(default=None, examples=["batch-s3"])
    """Free and unique; by default the built-in's. Its baseline is called after it."""
    file: RepositoryPath | None = Field(default=None, examples=["failsame/batch_s3.py"])
    """The file with `client(endpoint)` and `call(client)`: `.py`, or for Node `.mjs`, `.js`, `.cjs` or `.ts`."""
    root: RepositoryPath | None = Field(default=None, examples=["services/batch"])
    """The folder that Python's imports start from, with the `src` in it; by default that of the lock file."""
    lock: RepositoryPath | None = Field(default=None, examples=["services/batch/uv.lock"])
    """The lock file; by default the nearest of the file's language, from its folder (or `root`) upwards."""
    python: PythonVersion | None = Field(default=None, examples=["3.12"])
    """The Python to run on; by default that of `.python-version`, else the newest installed that the project
    allows. Node is the `node` on the PATH."""
    groups: tuple[GroupName, ...] = Field(default=(), examples=[["main"]])
    """The dependency groups to install (Python, from a uv.lock or pylock.toml)."""
    extras: tuple[GroupName, ...] = Field(default=(), examples=[["s3"]])
    """The extras to install (Python, from a uv.lock or pylock.toml)."""
    package: Package | None = Field(default=None, examples=["batch"])
    """The member of a workspace to install (Python, from a uv.lock)."""
    build: tuple[Package, ...] = Field(default=(), examples=[["psycopg2"]])
    """Packages that may run code to be built; the others have to come as wheels (Python)."""
    watch: tuple[RepositoryPath, ...] = Field(default=(), examples=[["src/batch/**"]])
    """Files whose change runs the subject, as patterns or folders; by default those of its language under `root`."""
    dialect: str | None = Field(default=None, examples=["s3"])
    """What good answers and errors look like; by default `http`. A built-in subject has its own."""
    endpoints: Mapping[EndpointName, str] | None = Field(
        default=None, examples=[{"primary": "anthropic", "fallback": "openai"}]
    )
    """Several endpoints, in the order in which they are called: name -> dialect; in the place of `dialect`. The
    function is then `client(endpoint, endpoints)`."""
    scenarios: tuple[str, ...] = Field(default=(), examples=[["silence", "status-500", "quota"]])
    """Groups or names of scenarios, own ones included; by default all that fit, of several endpoints the group `chain`.
    `healthy` always runs."""
    env: Mapping[VariableName, VariableValue] = Field(default_factory=dict, examples=[{"AWS_RETRY_MODE": "standard"}])
    """Environment variables, set before anything is imported."""
    tls: bool = Field(default=False, examples=[True])
    """Hand out https, and the authority in the variables that clients read."""
    hosts: Mapping[HostName, str] = Field(default_factory=dict, examples=[{"api.example.com": "main"}])
    """Host names that stand in the code -> the endpoint that answers for them: one of `endpoints`, else `main`."""
    good: GoodSection | None = Field(default=None, examples=[{"status": 200, "body": '{"id": 1}'}])
    """What a good answer is, for the dialect `http`."""
    declare: Mapping[TermName, Amount] = Field(
        default_factory=dict, max_length=100, examples=[{"function_timeout": "30s", "async_invocations": 3}]
    )
    """Numbers that its budgets, and those of other subjects, may use: what the platform around it allows."""
    budgets: tuple[OwnBudget, ...] = Field(
        default=(), max_length=50, examples=[["give_up.max < function_timeout", "async-invocations"]]
    )
    """Rules that it has to keep. A rule is an inequality, the name of one in the catalogue (docs/budgets.md), or a
    mapping."""

    @property
    def wanted(self) -> tuple[Wanted, ...]:
        """Its budgets, in the words of budgets."""
        return tuple(Wanted(each) if isinstance(each, str) else each.wanted() for each in self.budgets)

    @property
    def called(self) -> str:
        """Its name, given or the built-in's; empty if it has neither (a problem of its own)."""
        return self.name or self.builtin or ""

    @property
    def dialects(self) -> Mapping[str, str]:
        """Endpoint -> dialect, of a subject that brings its own file."""
        return self.endpoints or {MAIN: self.dialect or "http"}


class AnswerSection(Section):
    """One answer of an own scenario, where a word does not say enough."""

    status: Annotated[int, Field(ge=200, le=599)] | None = Field(default=None, examples=[429])
    """The status; without one it is the dialect's good answer."""
    headers: Mapping[HeaderName, HeaderValue] = Field(default_factory=dict, examples=[{"retry-after": "61"}])
    """Headers, name to value."""
    body: Body | None = Field(default=None, examples=["slow down"])
    """The body; by default the dialect's error body from status 400 on, and none below."""
    after: Duration = Field(default=0, examples=["3s"])
    """How long after the end of the request it is sent."""

    @model_validator(mode="after")
    def _stands_alone(self) -> "AnswerSection":
        if self.status is None and (self.headers or self.body is not None):
            raise ValueError('an answer with "headers" or "body" needs a "status"')
        if self.status is not None:
            _refuse_body(self.status, self.body or "")
        return self

    def answer(self) -> Answer:
        """The same, in the suite's words."""
        if self.status is None:
            return Good(delay=self.after)
        body = self.body if self.body is not None or self.status >= _ERRORS_FROM else ""
        return Failure(status=self.status, headers=self.headers, body=body, delay=self.after)


def _written_as(value: Any) -> str:
    return "mapping" if isinstance(value, (dict, AnswerSection)) else "word"


OwnAnswer = Annotated[
    Annotated[AnswerWord, Tag("word")] | Annotated[AnswerSection, Tag("mapping")], Discriminator(_written_as)
]


class ScenarioSection(Section):
    """An own scenario, beside the suite. Its group is `own`."""

    name: Name = Field(examples=["our-gateway-429"])
    """Unique among scenarios and groups, the suite's included."""
    when: OneLine | None = Field(default=None, examples=["answers 429 through our gateway"])
    """What the service does, as a verb that completes "when the service …" in reports."""
    answers: tuple[OwnAnswer, ...] = Field(
        min_length=1, max_length=200, examples=[[{"status": 429, "headers": {"retry-after": "61"}}, "good"]]
    )
    """In each call attempt 1 gets the first answer, attempt 2 the second, …; the last one is for ever. An answer is one
    of `good`, `silent`, `reset`, `close`, `garbage`, or a mapping."""
    calls: Annotated[int, Field(ge=1, le=1000)] = Field(default=1, examples=[1])
    """How many calls the subject makes, on one client."""

    def scenario(self) -> Scenario:
        """The same, in the suite's words."""
        answers = tuple(
            answer.answer() if isinstance(answer, AnswerSection) else _WORDS[answer] for answer in self.answers
        )
        return Scenario(
            name=self.name,
            group=OWN_GROUP,
            when=self.when or f"answers as in {self.name}",
            shows="a fault of the project's own",
            phases=(Phase(calls=self.calls, answers=answers),),
            # Every attempt of a call may have to sit out its delay.
            lasts=sum(answer.after for answer in self.answers if isinstance(answer, AnswerSection)),
        )


class Config(Section):
    """The whole file."""

    version: Literal[1] = Field(examples=[1])
    """The version of this format."""
    mode: Literal["block", "warn"] = Field(default="block", examples=["warn"])
    """`block` fails on drift; `warn` only says so (what could not be measured still fails)."""
    baselines: RepositoryPath = Field(default="baselines", examples=["tests/baselines"])
    """The folder of the baselines."""
    subjects: tuple[SubjectSection, ...] = Field(default=(), min_length=1, max_length=500)
    """The clients to measure; by default one built-in subject for each SDK that the project requires itself."""
    scenarios: tuple[ScenarioSection, ...] = Field(default=(), max_length=500)
    """Own scenarios, beside the suite."""

    @property
    def own(self) -> tuple[Scenario, ...]:
        """The own scenarios, in the suite's words."""
        return tuple(section.scenario() for section in self.scenarios)


def _refuse_body(status: int, body: str) -> None:
    if status in _NO_BODY and body:
        raise ValueError(f'an answer with status {status} has no body: leave "body" out')


SECTIONS: dict[tuple[str, ...], type[Section]] = {
    (): Config,
    ("subjects",): SubjectSection,
    ("subjects", "good"): GoodSection,
    ("subjects", "budgets"): BudgetSection,
    ("scenarios",): ScenarioSection,
    ("scenarios", "answers"): AnswerSection,
}
"""Where each mapping stands, without the numbers of list items -> what it may hold."""
