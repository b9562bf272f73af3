"""Progress on standard error: a bar per subject on a terminal, plain lines elsewhere."""

from collections.abc import Iterator
from contextlib import contextmanager

from rich.console import Console
from rich.markup import escape
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TaskID, TextColumn, TimeElapsedColumn

from failsame.gate.progress import Progress as Told


class _Bars:
    """One bar per subject."""

    def __init__(self, shown: Progress) -> None:
        self._shown = shown
        self._tasks: dict[str, TaskID] = {}

    def _task(self, subject: str) -> TaskID:
        if subject not in self._tasks:
            self._tasks[subject] = self._shown.add_task(escape(subject), total=None, what="")
        return self._tasks[subject]

    def step(self, subject: str, what: str) -> None:
        self._shown.update(self._task(subject), what=escape(what))

    def expect(self, subject: str, trials: int) -> None:
        task = self._task(subject)
        known = next((t.total for t in self._shown.tasks if t.id == task), None)
        self._shown.update(task, total=(known or 0) + trials)

    def done(self, subject: str, trial: str) -> None:
        self._shown.update(self._task(subject), advance=1, what=escape(trial))

    def finished(self, subject: str, verdict: str) -> None:
        self._shown.update(self._task(subject), what=f"[bold]{escape(verdict)}[/bold]")


class _Lines:
    """One line per step, and one per tenth of a subject's trials: a log is read, not watched."""

    def __init__(self, console: Console) -> None:
        self._console = console
        self._total: dict[str, int] = {}
        self._done: dict[str, int] = {}

    def _say(self, subject: str, what: str) -> None:
        self._console.print(f"{subject}: {what}", markup=False, highlight=False, soft_wrap=True)

    def step(self, subject: str, what: str) -> None:
        self._say(subject, what)

    def expect(self, subject: str, trials: int) -> None:
        self._total[subject] = self._total.get(subject, 0) + trials
        self._say(subject, f"{trials} trials")

    def done(self, subject: str, trial: str) -> None:
        del trial
        done = self._done[subject] = self._done.get(subject, 0) + 1
        total = self._total.get(subject, done)
        if done * 10 // total != (done - 1) * 10 // total:
            self._say(subject, f"{done} of {total} trials")

    def finished(self, subject: str, verdict: str) -> None:
        self._say(subject, verdict)


@contextmanager
def progress() -> Iterator[Told]:
    """Show progress on standard error while this is entered."""
    console = Console(stderr=True)
    if not console.is_terminal:
        yield _Lines(console)
        return
    columns = (
        TextColumn("{task.description}"),
        BarColumn(),
        MofNCompleteColumn(),
        TimeElapsedColumn(),
        TextColumn("{task.fields[what]}"),
    )
    with Progress(*columns, console=console) as shown:
        yield _Bars(shown)
