"""What a row is called, and in which order rows stand."""

import pytest
from tests.report.reports import retried, subject

from failsame.report.naming import familiarity, in_cell, in_sentence
from failsame.report.rows import rows, stories
from failsame.suite.scenarios import SCENARIOS


def test_every_scenario_has_a_place_of_its_own() -> None:
    """The order of familiarity has each scenario of the suite, so that a new one must be given its place."""
    places = [familiarity(name) for name in SCENARIOS]
    assert sorted(places) == list(range(len(SCENARIOS)))


def test_own_scenarios_come_first() -> None:
    """What a project wrote itself is what its people know best."""
    assert familiarity("our-outage") < min(familiarity(name) for name in SCENARIOS)


@pytest.mark.parametrize(
    ("words", "cell", "told"),
    [
        (["throttles"], "throttles", "throttles"),
        (["answers 500", "answers 503"], "answers 500 or 503", "answers 500 or 503"),
        (["throttles", "answers 429", "is late"], "throttles, answers 429 or is late", None),
        (["answers 500", "a", "answers 503", "b"], "answers 500 or 503, a or b", None),
        (["answers 500", "a", "b", "c", "d"], "answers 500, a, b, and 2 more", "answers 500 (and in 4 more scenarios)"),
        (
            ["answers 500", "answers 502", "a", "b", "c"],
            "answers 500 or 502, a, and 2 more",
            "answers 500 (and in 4 more scenarios)",
        ),
    ],
)
def test_merged_scenarios(words: list[str], cell: str, told: str | None) -> None:
    """Up to four are named, statuses as one; of more the rest is counted, so that it never says "and 1 more"."""
    assert in_cell(words) == cell
    assert in_sentence(words) == (told or cell)


def test_among_equals_the_most_familiar_first() -> None:
    """Rows that are as strong as each other stand in the order of familiarity, and so do the names in a row."""
    names = ["garbage", "refused", "status-408", "throttled", "status-500", "status-504"]
    waits = {"throttled": (1.0, 2.0), "status-408": (3.0, 4.0)}
    found = rows(stories(subject("s", *(retried(name, waits.get(name, (0.05, 0.1))) for name in names))), "s", "S3")
    assert [row.scenarios for row in found] == [
        ("status-500", "refused", "status-504", "garbage"),
        ("throttled",),
        ("status-408",),
    ]
