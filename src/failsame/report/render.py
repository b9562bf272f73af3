"""A report as text: Markdown for GitHub, and plain text for a terminal, from templates.

Whatever a template puts in braces goes through one function, `escape.text` or `escape.visible`: a template can forget
nothing. In Markdown only `code`, `trusted` and macros make Markup, which that function lets through.
"""

import re
from functools import cache

from jinja2 import Environment, PackageLoader, StrictUndefined
from markupsafe import Markup

from failsame.report import escape
from failsame.report.counts import count
from failsame.report.fit import FITS, shorter
from failsame.report.model import Report
from failsame.report.page import Page, page

_EMPTY_LINES = re.compile(r"\n{3,}")
_ISOLATION = {
    "fork": "Every trial was a fork of one process that had imported the client",
    "fresh": "Every trial was a fresh interpreter",
}


def markdown(report: Report, *, label: str | None = None, fits: int = FITS) -> str:
    """Render a report as GitHub's Markdown, ending in a newline, in at most `fits` bytes of UTF-8.

    `label` is what accepts a drift where it is read: none on a terminal.
    """
    return _fitting(page(report, label=label), "report.md.j2", fits)


def accepted_page(report: Report, *, by: str, pull: int) -> str:
    """Render what a person accepted on a pull request, for the one that proposes it; as `markdown` else."""
    return _fitting(page(report), "accepted.md.j2", FITS, by=by, pull=pull)


def terminal(report: Report) -> str:
    """Render a report as plain text of any width, ending in a newline."""
    return _render(_environment("txt"), "report.txt.j2", page(report))


def _fitting(whole: Page, template: str, fits: int, **told: object) -> str:
    rendered = ""
    for one in shorter(whole):
        rendered = _render(_environment("md"), template, one, **told)
        if len(rendered.encode()) <= fits:
            break
    return rendered


def _render(environment: Environment, template: str, arranged: Page, **told: object) -> str:
    text = environment.get_template(template).render(page=arranged, **told)
    # No value holds a line break: three in a row are a part of the template that had nothing to say.
    return _EMPTY_LINES.sub("\n\n", text).strip() + "\n"


@cache
def _environment(kind: str) -> Environment:
    environment = Environment(
        loader=PackageLoader("failsame.report"),
        # Jinja would escape for HTML what `finalize` did not make Markup; `finalize` makes everything Markup.
        autoescape=kind == "md",  # noqa: S701 - a terminal reads no HTML
        finalize=escape.text if kind == "md" else escape.visible,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=False,
    )
    environment.filters.update(short=escape.short)
    if kind == "md":
        environment.filters.update(code=escape.code, message=escape.message, trusted=_trusted)
    environment.globals.update(count=count, isolation=_ISOLATION)
    return environment


def _trusted(text: str) -> Markup:
    """Let Markdown of our own through: an advisory's words, the picture. Never for what came from elsewhere."""
    return Markup(text)  # noqa: S704 - see above
