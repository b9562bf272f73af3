import pytest
from tests.facts.measuring import measure_all

from failsame.report import Report, read, write


@pytest.fixture(scope="session")
def measured(tmp_path_factory: pytest.TempPathFactory) -> Report:
    """Every subject of the project in every scenario asked for, measured once, as a reader of the report has it."""
    path = tmp_path_factory.mktemp("facts") / "report.json"
    write(measure_all(), path)
    return read(path)
