"""Words from outside in a message: quoted so that they stay one line, and the known word nearest to a wrong one."""

from collections.abc import Collection
from difflib import get_close_matches

from failsame.text import printable

_LONGEST = 60
_LISTED = 20


def quoted(word: object) -> str:
    """A word between double quotes, on one line: cut at 60 characters, with what does not print escaped."""
    text = str(word)
    if len(text) > _LONGEST:
        text = text[: _LONGEST - 1] + "…"
    return f'"{printable(text)}"'


def unknown(kind: str, word: str, known: Collection[str]) -> str:
    """Say that a word is unknown, and what may have been meant: the nearest known one, or the first of all."""
    # A long word is no typing error, and comparing takes time in its length.
    near = get_close_matches(word, known, n=1) if len(word) <= _LONGEST else []
    if near:
        return f"unknown {kind} {quoted(word)}, did you mean {quoted(near[0])}?"
    listed = [*known][:_LISTED]
    more = ", …" if len(listed) < len(known) else ""
    return f"unknown {kind} {quoted(word)}, known are {', '.join(listed)}{more}"
