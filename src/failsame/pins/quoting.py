"""Text from lock files, package managers and git, made safe to stand in one line of ours."""

from failsame.text import printable

_LONGEST = 200


def shown(text: str, longest: int = _LONGEST) -> str:
    """Quote hostile text: what does not print escaped, the end cut off."""
    return printable(text if len(text) <= longest else text[:longest] + "…")
