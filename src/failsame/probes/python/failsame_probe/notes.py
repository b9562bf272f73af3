"""What is worth a line in the report and never red: warnings that the subject's code logs or raises."""

from __future__ import annotations

import logging
import warnings
from collections.abc import Callable
from typing import Any

from failsame_probe.masks import masked

MOST_NOTES = 20

_LENGTH = 300


class Notes:
    """At most 20 distinct notes, each told once; those of the import are kept until somebody listens."""

    def __init__(self) -> None:
        self._seen: list[str] = []
        self._tell: Callable[[str], None] | None = None

    def add(self, text: str) -> None:
        """Take a note of `text`, masked."""
        note = masked(text, _LENGTH)
        if note in self._seen or len(self._seen) >= MOST_NOTES:
            return
        self._seen.append(note)
        if self._tell is not None:
            self._tell(note)

    def tell(self, listener: Callable[[str], None]) -> None:
        """Hand every note to `listener`, those to come at once."""
        self._tell = listener
        for note in self._seen:
            listener(note)

    def install(self) -> None:
        """Listen to `logging`, at WARNING and above, and to `warnings`.

        Beneath handlers, levels and filters, which are the subject's: what it logs, and what it does not, stays as it
        is. A logger that is switched off makes no record, and so no note.
        """
        handle = logging.Logger.handle
        show = warnings.showwarning

        def noted_handle(logger: logging.Logger, record: logging.LogRecord) -> None:
            if record.levelno >= logging.WARNING:
                self.add(f"{record.name}: {_message(record)}")
            handle(logger, record)

        def noted_show(message: Warning | str, category: type[Warning], *rest: Any, **named: Any) -> None:
            self.add(f"{category.__name__}: {_text(message)}")
            show(message, category, *rest, **named)

        logging.Logger.handle = noted_handle  # type: ignore[assignment, method-assign]
        warnings.showwarning = noted_show


def _message(record: logging.LogRecord) -> str:
    try:
        return record.getMessage()
    except BaseException:
        return _text(record.msg)


def _text(value: object) -> str:
    try:
        return str(value)
    except BaseException:
        return "(a warning that cannot be shown)"
