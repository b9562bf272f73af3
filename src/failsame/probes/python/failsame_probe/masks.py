"""Text of a subject, made fit to be shown and compared: one line, short, without what differs from run to run."""

from __future__ import annotations

import re

_VARIES = re.compile(
    r"0x[0-9a-f]+"
    r"|\b[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}\b"
    # Ids: eight hex digits or more, at least one of them a decimal one, so that no word is taken for an id.
    r"|\b(?=[a-f]*[0-9])[0-9a-f]{8,}\b"
    r"|\d+(?:[.,:]\d+)*",
    re.IGNORECASE,
)
"""Addresses, ids, numbers."""

_READ = 4096
"""Characters looked at; a subject may hand over megabytes."""


def one_line(text: str, limit: int) -> str:
    """`text` on one line of at most `limit` characters, without characters that steer a terminal."""
    shown = "".join(letter if letter.isprintable() else " " for letter in text[:_READ])
    line = " ".join(shown.split())
    return line if len(line) <= limit else line[: limit - 1] + "…"


def masked(text: str, limit: int) -> str:
    """The same with numbers, hex ids and addresses as `N`, so that two runs say the same."""
    return one_line(_VARIES.sub("N", text[:_READ]), limit)
