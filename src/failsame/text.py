"""Text that others wrote, made safe to stand in one line of ours."""


def printable(text: str) -> str:
    """Escape control, invisible and direction-changing characters.

    A terminal obeys escape sequences, and a reader is fooled by characters that reverse the direction of writing;
    `str.isprintable` is false for both kinds.
    """
    return "".join(c if c.isprintable() else c.encode("unicode_escape").decode() for c in text)
