"""The documentation of budgets says what the code does."""

import re
from pathlib import Path

from failsame.budgets import CATALOGUE, COSTS, SETTINGS, UNITS
from failsame.budgets.document import EXAMPLE, document
from failsame.config.reading import parse_config

PAGE = Path(__file__).parents[2] / "docs" / "budgets.md"


def test_the_page_is_current() -> None:
    """docs/budgets.md is what `python -m failsame.budgets.document` writes."""
    assert PAGE.read_text() == document()


def test_every_rule_of_the_catalogue_has_its_entry() -> None:
    """What it is, why, its source and what to do, of each once and in order."""
    page = PAGE.read_text()
    assert re.findall(r"^### `(.+)`$", page, re.MULTILINE) == list(CATALOGUE)
    for named in CATALOGUE.values():
        entry = page.partition(f"### `{named.name}`\n")[2].partition("\n### ")[0]
        assert all(words in entry for words in (named.rule, named.because, named.why, named.remedy, named.source))
        assert all(f"`{name}: {value}`" in entry for name, value in {**named.needs, **named.defaults}.items())


def test_every_word_of_the_language_is_there() -> None:
    """Units, settings and costs stand in the page."""
    page = PAGE.read_text()
    assert [word for word in (*UNITS, *(f"settings.{name}" for name in SETTINGS)) if f"`{word}`" not in page] == []
    assert [cost.what for cost in COSTS.values() if f"| {cost.what} |" not in page] == []


def test_the_example_is_a_configuration() -> None:
    """It is read without a complaint, beside the subject that it names."""
    other = "  - {name: assistant, file: failsame/assistant.mjs}\n"
    config = parse_config(f"version: 1\n{EXAMPLE}{other}".encode(), "failsame.yml").config
    assert len(config.subjects[0].budgets) == 4
