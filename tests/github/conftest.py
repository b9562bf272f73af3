from collections.abc import Callable, Iterator, Mapping
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Any

import pytest
from graphql import GraphQLSchema, build_schema
from tests.cli.commanding import Project
from tests.github import published
from tests.github.acting import Action
from tests.github.contract import Contract
from tests.github.hub.server import SECRET, Hub, serving
from tests.github.hub.state import NAME, Repository
from tests.github.projects import project

from failsame.github.api import Client
from failsame.github.api import Repository as OnGitHub
from failsame.github.event import Payload, read
from failsame.github.job import Job
from failsame.github.runner import Runner
from failsame.github.settings import Settings, settings


@pytest.fixture(scope="session")
def downloads(pytestconfig: pytest.Config) -> Path:
    """What GitHub publishes, kept between runs."""
    return Path(pytestconfig.cache.mkdir("github"))


@pytest.fixture(scope="session")
def contract(downloads: Path) -> Contract:
    return Contract(published.openapi(downloads))


@pytest.fixture(scope="session")
def graphql(downloads: Path) -> GraphQLSchema:
    return build_schema(published.graphql_types(downloads))


@pytest.fixture(scope="session")
def examples(downloads: Path) -> dict[str, list[dict[str, Any]]]:
    """GitHub's own payloads of events."""
    return published.webhook_examples(downloads)


@contextmanager
def hubs(contract: Contract, graphql: GraphQLSchema) -> Iterator[Callable[..., Hub]]:
    """Make GitHubs. At the end, every request and answer was as GitHub describes it."""
    made: list[Hub] = []
    with ExitStack() as around:

        def make(files: Mapping[str, bytes | str] | None = None) -> Hub:
            hub = Hub(Repository(files or {"README.md": "# Batch\n"}), contract, graphql)
            made.append(around.enter_context(serving(hub)))
            return hub

        yield make
    assert [each for hub in made for each in hub.violations] == []


@pytest.fixture
def new_hub(contract: Contract, graphql: GraphQLSchema) -> Iterator[Callable[..., Hub]]:
    with hubs(contract, graphql) as make:
        yield make


@pytest.fixture
def hub(new_hub: Callable[..., Hub]) -> Hub:
    return new_hub()


@pytest.fixture
def told(hub: Hub, tmp_path: Path) -> Settings:
    """The settings of a job in the hub's repository."""
    return settings(environment(hub, tmp_path))


@pytest.fixture
def waits() -> list[float]:
    """The seconds that a client would have waited."""
    return []


@pytest.fixture
def github(told: Settings, waits: list[float]) -> Iterator[OnGitHub]:
    with Client(told, sleep=waits.append) as client:
        yield OnGitHub(client, told.repository)


def environment(hub: Hub, folder: Path, **more: str) -> dict[str, str]:
    """What the runner and the workflow give a job."""
    return {
        "INPUT_TOKEN": SECRET,
        "GITHUB_API_URL": hub.api,
        "GITHUB_GRAPHQL_URL": f"{hub.api}/graphql",
        "GITHUB_REPOSITORY": NAME,
        "GITHUB_EVENT_NAME": "pull_request",
        "GITHUB_EVENT_PATH": str(folder / "event.json"),
        "GITHUB_WORKSPACE": str(folder),
        "GITHUB_SHA": hub.repository.tip.sha,
        "GITHUB_REF": "refs/heads/main",
        "GITHUB_RUN_ID": "77",
        **more,
    }


@pytest.fixture(scope="session")
def cache(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Environments are built once for all tests."""
    return tmp_path_factory.mktemp("cache")


@pytest.fixture(scope="session")
def recorded(tmp_path_factory: pytest.TempPathFactory, cache: Path) -> dict[str, str]:
    """A small project with its baselines, measured once."""
    made = Project(tmp_path_factory.mktemp("recorded"), cache)
    for path, text in project().items():
        made.write(path, text)
    ran = made.run("record")
    assert ran.status == 0, ran.err
    return project(**{f"baselines/{path}": text for path, text in made.baselines().items()})


@pytest.fixture
def upgrading(new_hub: Callable[..., Hub], recorded: dict[str, str]) -> Hub:
    """A repository with a recorded project, and a maintainer."""
    hub = new_hub(recorded)
    hub.repository.permissions |= {"hubot": "write", "triager": "triage"}
    return hub


@pytest.fixture
def action(upgrading: Hub, tmp_path: Path, cache: Path) -> Action:
    return Action(upgrading, tmp_path, cache)


@pytest.fixture
def log() -> list[str]:
    """The lines that a job printed."""
    return []


@pytest.fixture
def new_job(hub: Hub, github: OnGitHub, told: Settings, log: list[str], tmp_path: Path) -> Callable[..., Job]:
    """Make jobs in the hub's repository, for an event."""

    def make(event: str, payload: dict[str, Any], **more: Any) -> Job:
        runner = Runner(log.append, tmp_path / "output", tmp_path / "summary.md")
        return Job(
            told.model_copy(update={"event": event, **more}), read(Payload, payload, "the event"), github, runner
        )

    return make
