from pathlib import Path

import pytest
from tests.facts.furnished import furnished
from tests.facts.measuring import measure_all

from failsame.report import Report, read, write


@pytest.fixture(scope="session")
def project(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The project that facts are measured on."""
    return furnished(tmp_path_factory.mktemp("facts") / "project")


@pytest.fixture(scope="session")
def measured(project: Path) -> Report:
    """Every subject of the project in every scenario asked for, measured once, as a reader of the report has it."""
    path = project.with_name("report.json")
    write(measure_all(project), path)
    return read(path)
