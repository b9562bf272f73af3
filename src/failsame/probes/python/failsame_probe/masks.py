"""Text of a subject, made fit to be shown and compared: one line, short, without what differs from run to run."""

from __future__ import annotations

import re

_MASKS = (
    (re.compile(r"0x[0-9a-fA-F]+"), "0x…"),
    (re.compile(r"\b[0-9a-fA-F]{8}-(?:[0-9a-fA-F]{4}-){3}[0-9a-fA-F]{12}\b"), "…"),
    # Hex ids: eight digits or more, at least one of them a decimal one, so that no word is taken for an id.
    (re.compile(r"\b(?=[a-fA-F]*[0-9])[0-9a-fA-F]{8,}\b"), "…"),
    (re.compile(r"\d+(?:[.,:]\d+)*"), "N"),
)

_READ = 4096
"""Characters looked at; a subject may hand over megabytes."""


def one_line(text: str, limit: int) -> str:
    """`text` on one line of at most `limit` characters, without characters that steer a terminal."""
    shown = "".join(letter if letter.isprintable() else " " for letter in text[:_READ])
    line = " ".join(shown.split())
    return line if len(line) <= limit else line[: limit - 1] + "…"


def masked(text: str, limit: int) -> str:
    """The same with numbers, hex ids and addresses masked, so that two runs say the same."""
    text = text[:_READ]
    for pattern, mask in _MASKS:
        text = pattern.sub(mask, text)
    return one_line(text, limit)
