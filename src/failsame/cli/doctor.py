"""What this machine can do."""

import tempfile
from pathlib import Path

import typer

from failsame.cli.run import errors_told, finish
from failsame.clock import SkippedTime


async def _skip(folder: Path) -> None:
    async with SkippedTime.open(folder):
        pass


def doctor() -> None:
    """Say whether idle time can be skipped on this machine: exit 3 and the reason if it cannot."""
    with errors_told(), tempfile.TemporaryDirectory(prefix="failsame-") as folder:
        finish(_skip(Path(folder)))
        typer.echo("idle time can be skipped here: an outage of an hour is measured in seconds")
