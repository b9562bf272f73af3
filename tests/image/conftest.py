"""One image for all of these tests, which run only where they are asked for: `make image-test`."""

from collections.abc import Callable
from pathlib import Path

import pytest
from tests.image.engine import Engine, engine
from tests.image.runner import Job


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--image", action="store_true", help="build the image, and test it")


@pytest.fixture(scope="session")
def image(request: pytest.FixtureRequest) -> Engine:
    if not request.config.getoption("--image", default=False):
        pytest.skip("builds an image: make image-test")
    made = engine()
    made.build()
    return made


@pytest.fixture
def new_job(image: Engine, tmp_path: Path) -> Callable[[str], Job]:
    return lambda project: Job.with_checkout(image, tmp_path, project)
