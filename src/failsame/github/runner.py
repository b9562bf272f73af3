"""What the action tells the runner: lines of a log, annotations, outputs, the step's summary.

The runner obeys whatever looks like a command in a log, on either stream. So commands are stopped while anything but
one of ours is printed, by a word that nobody can know beforehand.
https://docs.github.com/en/actions/reference/workflows-and-actions/workflow-commands
"""

import os
import secrets
import sys
from collections.abc import Callable
from pathlib import Path

from failsame.errors import UnmeasuredError
from failsame.report.annotations import Annotation

MOST_ANNOTATIONS = 10
"""The runner takes ten of each level from a step, and shows ten."""
SUMMARY = 1024 * 1024
"""Bytes; a longer summary of a step is refused as a whole."""

_DATA = {"%": "%25", "\r": "%0D", "\n": "%0A"}
_PROPERTY = {**_DATA, ":": "%3A", ",": "%2C"}


def command(annotation: Annotation) -> str:
    """Write an annotation as a workflow command."""
    places = {"file": annotation.file, "line": annotation.line, "title": annotation.title}
    told = ",".join(f"{name}={_escaped(str(value), _PROPERTY)}" for name, value in places.items() if value)
    return f"::{annotation.level} {told}::{_escaped(annotation.message, _DATA)}"


class Runner:
    """Tells the runner; `write` takes lines for the log, `outputs` and `summary` are the step's files."""

    def __init__(self, write: Callable[[str], None], outputs: Path | None, summary: Path | None) -> None:
        self._write = write
        self._outputs = outputs
        self._summary = summary
        self._word = ""
        self._annotated = 0
        self._stop()

    def _stop(self) -> None:
        self._word = secrets.token_hex(16)
        self._write(f"::stop-commands::{self._word}")

    def say(self, text: str) -> None:
        """Print lines to the log, whatever they hold."""
        self._write(text)

    def annotate(self, annotation: Annotation) -> None:
        """Add an annotation; what is beyond the runner's number is said in the log alone."""
        self._annotated += 1
        if self._annotated > MOST_ANNOTATIONS:
            self.say(f"{annotation.title}: {annotation.message}")
            return
        self._write(f"::{self._word}::")
        self._write(command(annotation))
        self._stop()

    def output(self, name: str, value: str) -> None:
        """Set an output of the step. Between random words: a value cannot end itself and begin another."""
        word = secrets.token_hex(16)
        self._append(self._outputs, f"{name}<<{word}\n{value}\n{word}\n")

    def summarize(self, markdown: str) -> None:
        """Add to the step's summary."""
        self._append(self._summary, f"{markdown}\n")

    def _append(self, file: Path | None, text: str) -> None:
        if file is None:
            return
        try:
            with file.open("a", encoding="utf-8") as opened:
                opened.write(text)
        except OSError as error:
            raise UnmeasuredError(f"{file}: cannot be written ({error.strerror}): run the job again") from error


def one_stream() -> None:
    """Let what is written to standard error come out of standard output, too.

    They are two pipes, which the runner reads in no order: a command could be stopped after what it was to be stopped
    for.
    """
    sys.stderr.flush()
    os.dup2(sys.stdout.fileno(), sys.stderr.fileno())


def _escaped(text: str, signs: dict[str, str]) -> str:
    return "".join(signs.get(character, character) for character in text)
