"""Each room's tests share what they install and measure, so with several workers a room stays on one of them."""

import pytest


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    for item in items:
        item.add_marker(pytest.mark.xdist_group(item.path.parent.name))
