from collections.abc import Iterator

import pytest
from tests.faults.driving import Driver


@pytest.fixture(scope="session")
def driver(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Driver]:
    """One fault server for all tests, as failsame has one for all trials."""
    with Driver(tmp_path_factory.mktemp("faults")) as driver:
        yield driver
