"""What a probe said during one trial, and how its process ended."""

from dataclasses import dataclass, field
from typing import Literal

from failsame.trial.channel import CallEnded, CallStarted, Connect, Done, Failed, Note, Ready, Unforkable

Cut = Literal["horizon", "limit", "kernel"]


@dataclass
class Record:
    """One trial as its probe told it, in order; filled while the trial runs."""

    ready: Ready | None = None
    failed: Failed | None = None
    started: dict[int, CallStarted] = field(default_factory=dict)
    ended: dict[int, CallEnded] = field(default_factory=dict)
    connects: list[Connect] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)
    done: Done | None = None
    unforkable: str | None = None
    """Why it needs a process of its own: all else is void."""
    cut: Cut | None = None
    """Why failsame ended it: a call reached the horizon, or 200 attempts, or the end of the kernel's own patience."""
    status: int | None = None
    """Exit status, negative for a signal; None while it runs."""

    def wrote(self, said: object) -> bool:
        """Write down what asks for nothing; whether it was such a message."""
        match said:
            case Failed():
                self.failed = said
            case Connect():
                self.connects.append(said)
            case Note():
                self.notes.append(said.text)
            case Done():
                self.done = said
            case Unforkable():
                self.unforkable = said.why
            case _:
                return False
        return True

    @property
    def running(self) -> int | None:
        """The number of the call that has begun and not ended."""
        open_calls = self.started.keys() - self.ended.keys()
        return max(open_calls, default=None)
