"""What a run tells about itself while it runs."""

from typing import Protocol


class Progress(Protocol):
    """Told as things happen; who shows it, and how, is the command line's business."""

    def step(self, subject: str, what: str) -> None:
        """The subject is at this step: `installing`, `is it well`, …."""
        ...

    def expect(self, subject: str, trials: int) -> None:
        """So many more trials are to come."""
        ...

    def done(self, subject: str, trial: str) -> None:
        """One trial is over, in words: `silent, low`."""
        ...

    def finished(self, subject: str, verdict: str) -> None:
        """The subject is through."""
        ...
