"""Verdicts in words: the report as Markdown, as plain text and as JSON."""

from failsame.report.file import read, write
from failsame.report.model import Report
from failsame.report.render import accepted_page, markdown, terminal
from failsame.report.verdicts import headline

__all__ = ["Report", "accepted_page", "headline", "markdown", "read", "terminal", "write"]
