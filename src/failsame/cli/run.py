"""The edge of the program: what every command does about errors, signals, reports and exit codes."""

import asyncio
import signal
import sys
from collections.abc import Callable, Coroutine, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, NoReturn, TypeVar

import typer

from failsame.errors import ExitCode, FailsameError
from failsame.report import Report, markdown, terminal, write

T = TypeVar("T")


@contextmanager
def errors_told() -> Iterator[None]:
    """Turn what stops failsame into one clear line (or one a problem) on standard error, and its exit code."""
    try:
        yield
    except FailsameError as error:
        for line in str(error).splitlines():
            typer.echo(f"failsame: {line}", err=True)
        leave(error.exit_code)
    except (KeyboardInterrupt, asyncio.CancelledError):
        typer.echo("failsame: interrupted, nothing was written", err=True)
        leave(ExitCode.INTERRUPTED)
    except OSError as error:
        where = f"{error.filename}: " if error.filename else ""
        typer.echo(f"failsame: {where}{error.strerror or error}: mend that and run it again", err=True)
        leave(ExitCode.UNMEASURED)


def leave(code: ExitCode) -> NoReturn:
    """End the program."""
    raise typer.Exit(int(code))


def finish(work: Coroutine[Any, Any, T]) -> T:
    """Run to the end, or until SIGINT or SIGTERM, after which nothing is left running."""

    async def cancellable() -> T:
        task = asyncio.ensure_future(work)
        asyncio.get_running_loop().add_signal_handler(signal.SIGTERM, task.cancel)
        return await task

    return asyncio.run(cancellable())


def show(report: Report) -> None:
    """Print a report: plain text on a terminal, GitHub's Markdown into a file or a pipe."""
    render: Callable[[Report], str] = terminal if sys.stdout.isatty() else markdown
    typer.echo(render(report), nl=False)


def save(report: Report, path: Path | None) -> None:
    """Write the report's JSON where it was asked for."""
    if path is not None:
        write(report, path)
