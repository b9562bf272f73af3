"""Words for a line of ours: text that others wrote made safe, and how a process ended."""

from signal import Signals


def printable(text: str) -> str:
    """Escape control, invisible and direction-changing characters.

    A terminal obeys escape sequences, and a reader is fooled by characters that reverse the direction of writing;
    `str.isprintable` is false for both kinds.
    """
    return "".join(c if c.isprintable() else c.encode("unicode_escape").decode() for c in text)


def how_ended(status: int) -> str:
    """Name a status as `subprocess` has it: `exit 3`, `signal SIGKILL`; most real-time signals have no name."""
    if status >= 0:
        return f"exit {status}"
    return f"signal {Signals(-status).name if -status in Signals.__members__.values() else -status}"
