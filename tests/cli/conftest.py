from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from tests.cli.commanding import CLIENT, LOCK, NODE_CLIENT, NODE_LOCK, NODE_MANIFEST, AtOnce, Project


@pytest.fixture(scope="session")
def cache(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Environments are built once for all tests."""
    return tmp_path_factory.mktemp("cache")


@pytest.fixture(scope="session")
def new_project(tmp_path_factory: pytest.TempPathFactory, cache: Path) -> Callable[[], Project]:
    """Make projects with a lock file and one subject that works."""

    def make() -> Project:
        project = Project(tmp_path_factory.mktemp("at"), cache)
        project.write("requirements.txt", LOCK)
        project.write("good.py", CLIENT)
        project.configure("good")
        return project

    return make


@pytest.fixture(scope="session")
def new_node_project(tmp_path_factory: pytest.TempPathFactory, cache: Path) -> Callable[[], Project]:
    """The same for Node."""

    def make() -> Project:
        project = Project(tmp_path_factory.mktemp("at"), cache)
        project.write("package.json", NODE_MANIFEST)
        project.write("package-lock.json", NODE_LOCK)
        project.write("good.mjs", NODE_CLIENT)
        project.configure("good", suffix="mjs")
        return project

    return make


@pytest.fixture
def project(new_project: Callable[[], Project]) -> Project:
    return new_project()


@pytest.fixture(params=["python", "node"])
def any_project(
    request: pytest.FixtureRequest, new_project: Callable[[], Project], new_node_project: Callable[[], Project]
) -> Project:
    """One in each language."""
    return {"python": new_project, "node": new_node_project}[request.param]()


@pytest.fixture(scope="module")
def at_once() -> Iterator[AtOnce]:
    commands = AtOnce()
    yield commands
    commands.close()
