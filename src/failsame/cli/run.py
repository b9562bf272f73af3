"""The edge of the program: what every command does about errors, signals, reports and exit codes."""

import asyncio
import logging
import os
import signal
import sys
from collections.abc import Callable, Coroutine, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, NoReturn, TypeVar

import typer

from failsame.errors import ExitCode, FailsameError
from failsame.faults.remedies import reason
from failsame.gate import exit_code, not_measured
from failsame.report import Report, markdown, terminal, write

T = TypeVar("T")

_ENDING = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)


class EndedError(FailsameError):
    """Work that a signal ended."""

    exit_code = ExitCode.INTERRUPTED


def heed_signals() -> None:
    """End at SIGTERM and SIGHUP as at an interrupt, with nothing left running.

    The kernel ignores SIGTERM for process 1 otherwise. What is ignored stays so: nohup asks for that.
    """
    for number in _ENDING:
        if signal.getsignal(number) is not signal.SIG_IGN:
            signal.signal(number, signal.default_int_handler)


def _end_once(loop: asyncio.AbstractEventLoop, task: "asyncio.Task[Any]") -> None:
    """Cancel a task at the first signal. Those that follow change nothing: what is cleared away is not left halfway.

    Not by the loop's own handlers: it gives them back while it closes, and the next signal would fall in between.
    """

    def end(*_: object) -> None:
        if loop.is_closed():
            raise KeyboardInterrupt
        for number in _ENDING:
            signal.signal(number, signal.SIG_IGN)
        loop.call_soon_threadsafe(lambda: task.cancelling() or task.cancel())

    for number in _ENDING:
        if signal.getsignal(number) is not signal.SIG_IGN:
            signal.signal(number, end)


@contextmanager
def errors_told() -> Iterator[None]:
    """Turn what stops failsame into one clear line (or one a problem) on standard error, and its exit code."""
    try:
        yield
    except FailsameError as error:
        for line in str(error).splitlines():
            typer.echo(f"failsame: {line}", err=True)
        leave(error.exit_code)
    except KeyboardInterrupt:
        typer.echo("failsame: interrupted: run it again", err=True)
        leave(ExitCode.INTERRUPTED)
    except BrokenPipeError:
        # Who read our output has left, `| head` for one: nothing is left to say, and nobody to hear it.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        leave(ExitCode.UNMEASURED)
    except OSError as error:
        where = f"{error.filename}: " if error.filename else ""
        typer.echo(f"failsame: {where}{reason(error)}; then run it again", err=True)
        leave(ExitCode.UNMEASURED)


def leave(code: ExitCode) -> NoReturn:
    """End the program."""
    raise typer.Exit(int(code))


def finish(work: Coroutine[Any, Any, T]) -> T:
    """Run to the end. Raises EndedError after SIGINT, SIGTERM or SIGHUP, once nothing is left running."""
    # asyncio remarks on each line for a process that is gone; that it is gone is told where it matters.
    logging.getLogger("asyncio").setLevel(logging.ERROR)

    async def cancellable() -> tuple[T, bool]:
        task = asyncio.ensure_future(work)
        _end_once(asyncio.get_running_loop(), task)
        return await task, signal.getsignal(signal.SIGTERM) is signal.SIG_IGN

    ignored = signal.getsignal(signal.SIGTERM) is signal.SIG_IGN
    interrupted = EndedError("interrupted: nothing was written, run it again")
    try:
        done, ended = asyncio.run(cancellable())
    except (KeyboardInterrupt, asyncio.CancelledError):
        raise interrupted from None
    finally:
        heed_signals()  # those above belong to a loop that is gone
    if ended and not ignored:  # by a signal at the last moment, when nothing was left to cancel
        raise interrupted
    return done


def conclude(report: Report, path: Path | None) -> NoReturn:
    """Write a report where it was asked for, print it, say what is missing in it, and leave with its exit code.

    Printed is plain text for whoever reads it as it comes, GitHub's Markdown where it goes into a file or a pipe of
    its own; who does not read that there is told here what could not be measured.
    """
    save(report, path)
    together = os.path.sameopenfile(sys.stdout.fileno(), sys.stderr.fileno())
    render: Callable[[Report], str] = terminal if together or sys.stdout.isatty() else markdown
    typer.echo(render(report), nl=False)
    for subject, why in not_measured(report).items() if not together else ():
        typer.echo(f"failsame: {subject} was not measured: {why}", err=True)
    leave(exit_code(report))


def save(report: Report, path: Path | None) -> None:
    """Write the report's JSON where it was asked for."""
    if path is not None:
        write(report, path)
