"""The entry points of the action: all they are told comes from the job's environment."""

from collections.abc import Callable, Coroutine
from typing import Any, TypeVar

import typer

from failsame.cli.progress import progress
from failsame.cli.run import errors_told, finish, leave
from failsame.gate import Progress

T = TypeVar("T")

app = typer.Typer(help="The action's entry points, for a job of a GitHub workflow.", no_args_is_help=True)


@app.command()
def check() -> None:
    """Judge what is checked out, and comment on the pull request; by hand or on a schedule, record instead."""
    from failsame import github

    with errors_told(), github.opened(typer.echo) as job:
        leave(github.check(job, _measure))


@app.command()
def comment() -> None:
    """Comment on the pull request that another workflow judged (on workflow_run)."""
    from failsame import github

    with errors_told(), github.opened(typer.echo) as job:
        leave(github.comment(job))


@app.command()
def accept() -> None:
    """Propose new baselines: for a labelled upgrade, or for what this run recorded; and check again once merged."""
    from failsame import github

    with errors_told(), github.opened(typer.echo) as job:
        leave(github.accept(job))


def _measure(work: Callable[[Progress], Coroutine[Any, Any, T]]) -> T:
    with progress() as told:
        return finish(work(told))
