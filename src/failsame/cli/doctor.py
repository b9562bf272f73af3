"""What this machine can do."""

import platform
import sys

import typer
from rich.console import Console
from rich.table import Table

from failsame import __version__
from failsame.cli.run import errors_told, finish, leave
from failsame.clock import CannotSkipError, SelfTest, self_test
from failsame.confine import confinement
from failsame.errors import ExitCode


def doctor() -> None:
    """Say whether idle time can be skipped on this machine, and if not, why."""
    with errors_told():
        typer.echo(f"failsame {__version__}, Python {platform.python_version()}, {platform.platform()}")
        confined = confinement()
        if confined is not None:
            typer.echo(f"A client here {confined.says}.")
        try:
            found = finish(self_test(account=confined.probes if confined else None))
        except CannotSkipError as error:
            typer.echo(f"Trials run in real time: {error}")
            leave(ExitCode.SAME)
        Console(file=sys.stdout).print(_table(found))
        typer.echo(
            f"Idle time is skipped (found out in {found.seconds:.2f} s)."
            if found.can_skip
            else f"Trials run in real time: {found.why_not}"
        )


def _table(found: SelfTest) -> Table:
    table = Table("check", "", "what came of it", box=None, pad_edge=False)
    for check in found.checks:
        table.add_row(check.name, "ok" if check.passed else "failed", check.says)
    return table
