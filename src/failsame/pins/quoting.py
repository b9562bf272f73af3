"""Text from lock files, package managers and git, made safe to stand in one line of ours."""

_LONGEST = 200


def shown(text: str, longest: int = _LONGEST) -> str:
    """Quote hostile text: control, invisible and direction-changing characters escaped, the end cut off.

    A terminal obeys escape sequences, and a reader is fooled by characters that reverse the direction of writing;
    `str.isprintable` is false for both kinds.
    """
    cut = text if len(text) <= longest else text[:longest] + "…"
    return "".join(
        character if character.isprintable() else character.encode("unicode_escape").decode() for character in cut
    )
