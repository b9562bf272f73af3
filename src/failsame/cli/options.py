"""The options that several commands share."""

import os
from pathlib import Path
from typing import Annotated

import typer

from failsame.config import seconds
from failsame.errors import UsageError
from failsame.gate import ClockChoice, Timing
from failsame.text import printable

Config = Annotated[
    Path | None,
    typer.Option(
        "--config", metavar="FILE", help="The configuration, in the place of .github/failsame.yml or failsame.yml."
    ),
]
Baselines = Annotated[
    Path | None,
    typer.Option(
        "--baselines", metavar="FOLDER", help="The folder of the baselines, in the place of the configuration's."
    ),
]
SubjectNames = Annotated[
    list[str] | None, typer.Option("--subject", metavar="NAME", help="Only this subject; may be repeated.")
]
ScenarioNames = Annotated[
    list[str] | None,
    typer.Option("--scenario", metavar="NAME", help="Only this scenario or group; may be repeated."),
]
Horizon = Annotated[str | None, typer.Option("--horizon", metavar="TIME", help="How long a call may last: 33s, 5min.")]
Clock = Annotated[
    ClockChoice,
    typer.Option(
        "--clock",
        metavar="auto, skip or real",
        help="Skip idle time (hours in seconds) or not; auto skips where this machine can.",
    ),
]


def _writable(file: Path | None) -> Path | None:
    """Complain of what cannot be a report's file before anything is measured for it; follow a link to its end.

    The file is written beside its place and moved there: that would put it in the place of a device, or of a link.
    """
    if file is None:
        return None
    try:
        if file.exists() and not file.is_file():
            raise typer.BadParameter(f"{file} is there and no regular file: give another place")
        end = file.resolve() if file.is_symlink() else file
        if not end.parent.is_dir():
            raise typer.BadParameter(f"there is no folder {end.parent}: make it first")
        if not os.access(end.parent, os.W_OK):
            raise typer.BadParameter(f"nothing can be written in {end.parent}: give another place")
    except (OSError, RuntimeError) as error:  # a name too long, a folder that may not be searched, links in a circle
        raise typer.BadParameter(f"{printable(str(file))[:200]} cannot be a file: give another place") from error
    return end


ReportFile = Annotated[
    Path | None,
    typer.Option("--report", metavar="FILE", callback=_writable, help="Write the report as JSON."),
]
Base = Annotated[
    str | None,
    typer.Option(
        "--base",
        metavar="REV",
        help="The revision from before the upgrade: it tells what moved, and what a subject without a baseline is "
        "compared with. By default where HEAD left the default branch.",
    ),
]
LockFile = Annotated[
    Path | None, typer.Option("--lock", metavar="FILE", help="The lock file, in the place of the project's own.")
]
OldLock = Annotated[Path | None, typer.Option("--old-lock", metavar="FILE", help="The lock file before the upgrade.")]


def timing(clock: ClockChoice, horizon: str | None) -> Timing:
    """The clock and the horizon; raises UsageError for what is no time."""
    return Timing(clock, _horizon(horizon))


def _horizon(given: str | None) -> float | None:
    """Seconds of `--horizon`; raises UsageError for what is no time, or none that a call could last."""
    if given is None:
        return None
    try:
        value = seconds(given)
    except ValueError as error:
        raise UsageError(f"--horizon {given}: {error}") from None
    if not 0 < value <= 86400:  # noqa: PLR2004 - a day
        raise UsageError(f"--horizon {given}: a call may last from more than 0 s to 24 h: give a time between")
    return value
