from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from tests.cli.commanding import CLIENT, LOCK, NODE_CLIENT, NODE_LOCK, NODE_MANIFEST, AtOnce, Project


@pytest.fixture(scope="session")
def cache(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Environments are built once for all tests."""
    return tmp_path_factory.mktemp("cache")


PYTHON = {"requirements.txt": LOCK, "good.py": CLIENT}
NODE = {"package.json": NODE_MANIFEST, "package-lock.json": NODE_LOCK, "good.mjs": NODE_CLIENT}


def maker(factory: pytest.TempPathFactory, cache: Path, files: dict[str, str], suffix: str) -> Callable[[], Project]:
    def make() -> Project:
        project = Project(factory.mktemp("at"), cache)
        for path, text in files.items():
            project.write(path, text)
        project.configure("good", suffix=suffix)
        return project

    return make


@pytest.fixture(scope="session")
def new_project(tmp_path_factory: pytest.TempPathFactory, cache: Path) -> Callable[[], Project]:
    """Make projects with a lock file and one subject that works."""
    return maker(tmp_path_factory, cache, PYTHON, "py")


@pytest.fixture(scope="session")
def new_node_project(tmp_path_factory: pytest.TempPathFactory, cache: Path) -> Callable[[], Project]:
    """The same for Node."""
    return maker(tmp_path_factory, cache, NODE, "mjs")


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
