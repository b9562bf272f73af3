"""The commands."""

from pathlib import Path
from typing import Annotated

import typer

from failsame import __version__
from failsame.cli import github, options, suite
from failsame.cli.demo import demo
from failsame.cli.doctor import doctor
from failsame.cli.init import init
from failsame.cli.progress import progress
from failsame.cli.run import conclude, errors_told, finish, heed_signals, leave, save
from failsame.errors import UsageError
from failsame.gate import (
    Options,
    Plan,
    compare_reports,
    exit_code,
    not_measured,
    plan,
    run_check,
    run_measure,
    run_record,
)
from failsame.report import read

app = typer.Typer(
    help="After the upgrade, your clients fail the same.",
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
)
app.command()(demo)
app.command()(init)
app.command()(doctor)
app.command()(suite.scenarios)
app.command()(suite.explain)
app.command()(suite.serve)
app.add_typer(github.app, name="github")


def main() -> None:
    """Run the command line."""
    heed_signals()
    app()


def _version(asked: bool) -> None:
    if asked:
        typer.echo(f"failsame {__version__}")
        raise typer.Exit


@app.callback()
def _common(
    _: Annotated[
        bool, typer.Option("--version", callback=_version, is_eager=True, help="Show the version and leave.")
    ] = False,
) -> None:
    pass


def _plan(
    config: Path | None,
    baselines: Path | None,
    subject: list[str] | None,
    scenario: list[str] | None,
    lock: Path | None,
    old_lock: Path | None = None,
    base: str | None = None,
) -> Plan:
    if old_lock is not None and base is not None:
        raise UsageError("--base and --old-lock both say what to compare with: give one of them")
    return plan(
        Options(
            folder=Path.cwd(),
            config=config,
            baselines=baselines,
            subjects=tuple(subject or ()),
            scenarios=frozenset(scenario or ()),
            lock=lock,
            old_lock=old_lock,
            base=base,
        )
    )


@app.command()
def measure(
    config: options.Config = None,
    subject: options.SubjectNames = None,
    scenario: options.ScenarioNames = None,
    clock: options.Clock = "auto",
    horizon: options.Horizon = None,
    lock: options.LockFile = None,
    report: options.ReportFile = None,
) -> None:
    """Measure how the clients fail, and compare with nothing."""
    with errors_told():
        planned = _plan(config, None, subject, scenario, lock)
        with progress() as told:
            done = finish(run_measure(planned, options.timing(clock, horizon), told))
        conclude(done, report)


@app.command()
def check(
    config: options.Config = None,
    baselines: options.Baselines = None,
    subject: options.SubjectNames = None,
    scenario: options.ScenarioNames = None,
    clock: options.Clock = "auto",
    horizon: options.Horizon = None,
    base: options.Base = None,
    lock: options.LockFile = None,
    old_lock: options.OldLock = None,
    report: options.ReportFile = None,
) -> None:
    """Measure how the clients fail, and compare with the baselines: exit 1 if that changed."""
    with errors_told():
        planned = _plan(config, baselines, subject, scenario, lock, old_lock, base)
        with progress() as told:
            done = finish(run_check(planned, options.timing(clock, horizon), told))
        conclude(done, report)


@app.command()
def record(
    config: options.Config = None,
    baselines: options.Baselines = None,
    subject: options.SubjectNames = None,
    scenario: options.ScenarioNames = None,
    clock: options.Clock = "auto",
    horizon: options.Horizon = None,
    lock: options.LockFile = None,
    report: options.ReportFile = None,
) -> None:
    """Measure how the clients fail, twice, and write the baselines."""
    with errors_told():
        planned = _plan(config, baselines, subject, scenario, lock)
        with progress() as told:
            done = finish(run_record(planned, options.timing(clock, horizon), told))
        save(done.report, report)
        for line in done.files:
            typer.echo(line)
        for name, why in not_measured(done.report).items():
            typer.echo(f"failsame: {name} was not recorded: {why}", err=True)
        leave(exit_code(done.report))


@app.command()
def compare(
    old: Annotated[Path, typer.Argument(metavar="OLD.json", help="The report from before.")],
    new: Annotated[Path, typer.Argument(metavar="NEW.json", help="The report from after.")],
    report: options.ReportFile = None,
) -> None:
    """Compare two reports of `measure` or `check`: exit 1 if the clients fail differently."""
    with errors_told():
        done = compare_reports(read(old), read(new), str(old))
        conclude(done, report)
