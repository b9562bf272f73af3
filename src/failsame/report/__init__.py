"""Verdicts in words: the report as Markdown, as plain text and as JSON."""

from failsame.report.file import read, write
from failsame.report.model import Report
from failsame.report.render import markdown, terminal
from failsame.report.verdicts import summary

__all__ = ["Report", "markdown", "read", "summary", "terminal", "write"]
