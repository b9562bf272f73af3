"""A page made shorter step by step, what helps a reader least first, until it fits into a comment."""

from collections.abc import Callable, Iterator
from dataclasses import replace

from failsame.report.page import Page

FITS = 60_000
"""Bytes. GitHub takes 65,536 characters in a comment; whoever posts one adds a marker and a line or two."""


def shorter(page: Page) -> Iterator[Page]:
    """Give the page whole, then each time shorter than before; the last is the verdict and the choices alone."""
    yield page
    for step in _STEPS:
        page = step(page)
        yield page
    number = len(page.sections)
    while number:
        number //= 2
        left = len(page.sections) - number
        subjects = f"{left} subjects" if number else "what each subject does"
        yield replace(page, sections=page.sections[:number], cut=(*page.cut, subjects))


def _without_unchanged(page: Page) -> Page:
    if page.listed:
        return page
    folded = tuple(replace(section, lines=()) for section in page.folded)
    return replace(page, folded=folded, cut=(*page.cut, "the tables of what is unchanged"))


def _without_each(page: Page) -> Page:
    sections = tuple(replace(section, each=()) for section in page.sections)
    return replace(page, sections=sections, cut=(*page.cut, "the changes scenario by scenario"))


def _without_sentences(page: Page) -> Page:
    sections = tuple(replace(section, told=tuple(row for row in section.told if row.ends)) for section in page.sections)
    return replace(page, sections=sections, cut=(*page.cut, "most changes in words"))


def _without_method(page: Page) -> Page:
    return replace(page, folded=(), cut=(*page.cut, "how each subject was measured"))


_STEPS: tuple[Callable[[Page], Page], ...] = (
    _without_unchanged,
    _without_each,
    _without_sentences,
    _without_method,
)
