"""Text that others wrote, made harmless: the one way it gets into Markdown or onto a terminal.

GitHub reads a comment twice. First as Markdown: every character that could start something there becomes a numeric
entity, which is text and nothing else. Then its own filters run over the finished page and link mentions, issue
numbers, commits and addresses in any text that is not in a <code> element, however it was written; an invisible
zero-width space takes such a word apart, as Renovate does it.
"""

import re
import unicodedata

from markupsafe import Markup

LIMIT = 1000
"""No single value is longer than so many characters; parts that come from elsewhere are cut shorter before."""

_SPACE, _NOTHING = Markup(" "), Markup("")
_ZERO_WIDTH_SPACE = "&#8203;"
# Everything that Markdown, its tables, GitHub's mathematics or HTML could take for a sign. An underscore within a word
# is none (GFM 6.4: it could neither open nor close an emphasis), and names are full of them.
_SIGNS = re.compile(r"[&<>\"`*\[\]{}|\\~!#@$^]|(?<![A-Za-z0-9])_|_(?![A-Za-z0-9])")
# In a code span nothing of this starts anything, and a person who reads the source reads it too.
_TAME = re.compile(r"[A-Za-z0-9_ ./=+,:()@-]+")
_LIST_NUMBER = re.compile(r"^(\d+)([.)])(?=\s|$)")
_LIST_BULLET = re.compile(r"^[-+=]")
# In text: a mention, an issue (#1, GH-1), an address, an emoji; and a commit (7 to 40 hex digits).
_LINKED_IN_TEXT = re.compile(r"[@#](?=\S)|:(?=[\w/+-])|\bwww(?=\.)|\bgh-(?=\d)", re.IGNORECASE)
_COMMIT = re.compile(r"\b[0-9a-f]{7,}\b", re.IGNORECASE)
_SHORTER_THAN_A_COMMIT = re.compile(r"[0-9a-f]{6}(?!$)", re.IGNORECASE)
# In <code> the filters keep out, but the Markdown reader itself still links addresses and e-mail there.
_LINKED_IN_CODE = re.compile(r"(?<=[\w.+-])@(?=[\w-]+\.)|:(?=//)|\bwww(?=\.)|\b(?:mailto|xmpp)(?=:)", re.IGNORECASE)
_INVISIBLE = frozenset({"Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp"})


def short(text: str, limit: int = 80) -> str:
    """Cut a text that came from elsewhere: at most `limit` characters, the last then an ellipsis."""
    return text if len(text) <= limit else text[: limit - 1] + "…"


def visible(value: object, limit: int = LIMIT) -> str:
    r"""Put any value on one line: white space collapsed, control and bidi characters as `\x1b`, `\u202e`."""
    # Cut twice: before the work, so that megabytes cost nothing, and after it, since "\u202e" is six characters.
    line = " ".join(short(str(value), limit).split())
    return short("".join(_shown(character) for character in line), limit)


def text(value: object) -> Markup:
    """Make a value plain text in Markdown. What is Markup already was made by a template and stays."""
    if isinstance(value, Markup):
        return value
    line = _LINKED_IN_TEXT.sub(lambda found: f"{found[0]}\u200b", visible(value))
    line = _COMMIT.sub(lambda found: _SHORTER_THAN_A_COMMIT.sub("\\g<0>\u200b", found[0]), line)
    line = _LIST_BULLET.sub(lambda found: _entity(found[0]), _signs(line))
    line = _LIST_NUMBER.sub(lambda found: f"{found[1]}{_entity(found[2])}", line)
    return Markup(line.replace("\u200b", _ZERO_WIDTH_SPACE))  # noqa: S704 - this is the escaping


def code(value: object) -> Markup:
    """Make a value code: plain words in backticks, all else as an element of entities, which no text can close."""
    line = visible(value)
    if _TAME.fullmatch(line):
        return Markup(f"`{line}`")  # noqa: S704 - there is nothing to escape
    line = _signs(_LINKED_IN_CODE.sub(lambda found: f"{found[0]}\u200b", line))
    line = line.replace("\u200b", _ZERO_WIDTH_SPACE)
    return Markup(f"<code>{line}</code>")  # noqa: S704 - as above


def message(value: object) -> Markup:
    """Make one of our own lines Markdown: what it says in backticks is code, and all of it is escaped."""
    parts = visible(value).split("`")
    if len(parts) % 2 == 0:
        return text(value)
    # A space beside a code element is the sentence's.
    return Markup("").join(code(part) if place % 2 else _spaced(part) for place, part in enumerate(parts))


def _spaced(part: str) -> Markup:
    words = text(part)
    before, after = part[:1] == " ", part[1:] and part[-1] == " "
    return (_SPACE if before else _NOTHING) + words + (_SPACE if after else _NOTHING)


def _shown(character: str) -> str:
    if unicodedata.category(character) in _INVISIBLE:
        return character.encode("unicode_escape").decode("ascii")
    return character


def _signs(line: str) -> str:
    return _SIGNS.sub(lambda found: _entity(found[0]), line)


def _entity(character: str) -> str:
    return f"&#{ord(character)};"
