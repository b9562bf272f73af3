"""What a job tells the action through its environment: the runner's variables and the action's inputs.

An input `name` comes as `INPUT_NAME`, empty where it was not given, and nobody but the action itself checks that it
makes sense. Variables: https://docs.github.com/en/actions/reference/workflows-and-actions/variables.
"""

import json
import re
from collections.abc import Mapping
from pathlib import Path, PurePosixPath
from typing import Annotated, Any

from pydantic import AfterValidator, BeforeValidator, Field, SecretStr, ValidationError

from failsame.errors import UsageError
from failsame.model import Model
from failsame.text import printable

_NAME = re.compile(r"[a-z0-9][a-z0-9-]{0,39}", re.ASCII)
_REPOSITORY = re.compile(r"[A-Za-z0-9._-]+/[A-Za-z0-9._-]+", re.ASCII)
LARGEST_EVENT = 32 * 1024 * 1024
"""Bytes. GitHub caps the payload of a webhook at 25 MB."""


def _instance(text: str) -> str:
    if not _NAME.fullmatch(text):
        raise ValueError("use at most 40 of a to z, 0 to 9 and -, and begin with a letter or digit")
    return text


def _repository(text: str) -> str:
    if not _REPOSITORY.fullmatch(text):
        raise ValueError("it is owner/name")
    return text


def _inside(text: str) -> str:
    """One spelling, the one in which GitHub names files that changed."""
    path = PurePosixPath(text)
    if path.is_absolute() or ".." in path.parts:
        raise ValueError("name a file by its path from the root of the repository, without `..`")
    return path.as_posix()


class Settings(Model):
    """One run of the action. Where a default stands, the runner or the workflow may leave it out."""

    token: Annotated[SecretStr, Field(alias="INPUT_TOKEN", min_length=1)]
    name: Annotated[str, AfterValidator(_instance), Field(alias="INPUT_NAME")] = "failsame"
    """Tells several uses of the action in one repository apart: their comments, labels, branches and reports."""
    config: Annotated[str | None, AfterValidator(lambda text: text and _inside(text)), Field(alias="INPUT_CONFIG")] = (
        None
    )
    """The configuration, from the root of the repository."""

    api: Annotated[str, Field(alias="GITHUB_API_URL")] = "https://api.github.com"
    graphql: Annotated[str, Field(alias="GITHUB_GRAPHQL_URL")] = "https://api.github.com/graphql"
    server: Annotated[str, Field(alias="GITHUB_SERVER_URL")] = "https://github.com"
    repository: Annotated[str, AfterValidator(_repository), Field(alias="GITHUB_REPOSITORY")]
    event: Annotated[str, Field(alias="GITHUB_EVENT_NAME")]
    event_file: Annotated[Path, Field(alias="GITHUB_EVENT_PATH")]
    workspace: Annotated[Path, Field(alias="GITHUB_WORKSPACE")]
    sha: Annotated[str, Field(alias="GITHUB_SHA")]
    ref: Annotated[str, Field(alias="GITHUB_REF")]
    run: Annotated[int, BeforeValidator(int), Field(alias="GITHUB_RUN_ID")]
    attempt: Annotated[int, BeforeValidator(int), Field(alias="GITHUB_RUN_ATTEMPT")] = 1
    """Counts from 1: a run that is run again keeps its event."""
    workflow: Annotated[str, Field(alias="GITHUB_WORKFLOW_REF")] = ""
    """`owner/name/.github/workflows/file.yml@ref`: where this run's workflow stands."""
    outputs: Annotated[Path | None, Field(alias="GITHUB_OUTPUT")] = None
    summary: Annotated[Path | None, Field(alias="GITHUB_STEP_SUMMARY")] = None

    @property
    def accept_label(self) -> str:
        """What a person puts on an upgrade to accept what it changes."""
        return f"{self.name}:accept"

    @property
    def baseline_label(self) -> str:
        """What a pull request with new baselines carries."""
        return f"{self.name}:baseline"

    @property
    def report_name(self) -> str:
        """The report's file in the workspace; the artifact that it is uploaded as has its name without `.json`."""
        return f"{self.name}-report.json"

    @property
    def artifact(self) -> str:
        """The artifact that holds the report."""
        return self.report_name.removesuffix(".json")

    @property
    def workflow_file(self) -> str | None:
        """The file of this run's workflow, where it lies in this repository."""
        path = self.workflow.partition("@")[0]
        return path.removeprefix(f"{self.repository}/") if path.startswith(f"{self.repository}/") else None

    def payload(self) -> Any:
        """Read the event's payload. Raises UsageError if there is none."""
        try:
            with self.event_file.open("rb") as file:
                return json.loads(file.read(LARGEST_EVENT))
        except (OSError, ValueError) as error:
            raise UsageError(
                f"GITHUB_EVENT_PATH: {self.event_file} holds no event ({printable(str(error))[:100]}): "
                "run this as an action, in a workflow"
            ) from None


_WHERE = {
    "INPUT_TOKEN": "pass `token: ${{ github.token }}`",
    "INPUT_NAME": "mend the input `name`",
    "INPUT_CONFIG": "mend the input `config`",
}


def settings(environ: Mapping[str, str]) -> Settings:
    """Read the settings from an environment. Raises UsageError, which never holds the token, for what is no use."""
    known = {field.alias for field in Settings.model_fields.values()}
    given = {name: value.strip() for name, value in environ.items() if name in known and value.strip()}
    try:
        return Settings.model_validate(given)
    except ValidationError as error:
        # Neither the value nor pydantic's own words, which hold it: it may be the token.
        first = error.errors(include_url=False, include_context=False, include_input=False)[0]
        name = str(first["loc"][0])
        said = "is not set" if first["type"] == "missing" else first["msg"].removeprefix("Value error, ")
        raise UsageError(f"{name}: {said}: {_WHERE.get(name, 'run this as an action, in a workflow')}") from None
