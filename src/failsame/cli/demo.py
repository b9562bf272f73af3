"""The demo: botocore's change of November 2026, gated on a small project."""

import shutil
import tempfile
from pathlib import Path

import typer

from failsame.cli.progress import progress
from failsame.cli.run import errors_told, finish
from failsame.errors import UsageError
from failsame.gate import Options, Timing, plan, run_check
from failsame.report import markdown

_PROJECT = "fixtures/python-batch"


def _project() -> Path:
    """The demo's project: in the checkout, or in the package where it was installed."""
    package = Path(__file__).parents[1]
    for place in (package / "demo", package.parents[1] / _PROJECT):
        if place.is_dir():
            return place
    raise UsageError("the demo's project is not here: run it from a checkout of failsame")


def demo() -> None:
    """Gate the upgrade of botocore that changed how every S3 client fails, and print the comment."""
    with errors_told(), tempfile.TemporaryDirectory(prefix="failsame-demo-") as folder:
        project = Path(folder) / "python-batch"
        shutil.copytree(_project(), project)
        options = Options(folder=project, old_lock=project / "before" / "requirements.txt")
        with progress() as told:
            done = finish(run_check(plan(options), Timing(), told))
        typer.echo(markdown(done, label="failsame:accept"), nl=False)  # as it reads on a pull request
