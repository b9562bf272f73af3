"""The suite by itself: listed, explained, and served to any client."""

from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console
from rich.table import Table

from failsame.budgets import CATALOGUE
from failsame.budgets.document import entry as rule_entry
from failsame.cli import options
from failsame.cli.run import EndedError, errors_told, finish
from failsame.config import find_config, read_config
from failsame.errors import UsageError
from failsame.suite import SCENARIOS, Scenario
from failsame.suite.dialects import DIALECTS, dialect_of, fits
from failsame.suite.document import entry
from failsame.words import unknown


def _all_scenarios(config: Path | None) -> dict[str, Scenario]:
    """The suite's scenarios and the project's own."""
    folder = Path.cwd()
    path = config.resolve() if config else find_config(folder)
    own = read_config(path, folder).config.own if path else ()
    return {**SCENARIOS, **{scenario.name: scenario for scenario in own}}


def _named(name: str, config: Path | None) -> Scenario:
    every = _all_scenarios(config)
    if name not in every:
        raise UsageError(unknown("scenario", name, every))
    return every[name]


def scenarios(config: options.Config = None) -> None:
    """List all scenarios, the project's own included."""
    with errors_told():
        table = Table("scenario", "group", "the service …", "what it shows", box=None, pad_edge=False)
        for scenario in _all_scenarios(config).values():
            table.add_row(scenario.name, scenario.group, scenario.when, scenario.shows)
        console = Console()
        with console.capture() as shown:
            console.print(table)
        typer.echo(shown.get(), nl=False)  # rich would end the program with 1 where nobody reads on


def explain(
    name: Annotated[
        str, typer.Argument(metavar="NAME", help="A scenario, a group of them, or a rule of the catalogue.")
    ],
    config: options.Config = None,
) -> None:
    """Explain a scenario, what the server does and how to see it with curl; or a rule that a budget may name."""
    with errors_told():
        every = _all_scenarios(config)
        group = [scenario for scenario in every.values() if name in (scenario.name, scenario.group)]
        if name in CATALOGUE:
            typer.echo(rule_entry(CATALOGUE[name]))
        elif not group:
            raise UsageError(unknown("name", name, {**every, **CATALOGUE}))
        for scenario in group:
            typer.echo(entry(scenario))


def serve(
    name: Annotated[str, typer.Argument(metavar="SCENARIO", help="A scenario.")],
    port: Annotated[
        int, typer.Option(min=0, max=65535, metavar="NUMBER", help="The port, on 127.0.0.1; 0 takes a free one.")
    ] = 0,
    dialect: Annotated[
        str, typer.Option(metavar="NAME", help="What good answers and errors look like: " + ", ".join(DIALECTS) + ".")
    ] = "http",
    config: options.Config = None,
) -> None:
    """Run the broken server alone, for any client in any language; every request is broken. Ctrl-C ends it."""
    with errors_told():
        from failsame.faults.serve import serve as serve_scenario

        scenario = _named(name, config)
        several = 2 if scenario.needs == "several-endpoints" else 1
        if (why := fits(scenario, dialect_of(dialect), several)) is not None:
            raise UsageError(f"{name} cannot be served so, {why}: name another with --dialect ({', '.join(DIALECTS)})")
        try:
            finish(serve_scenario(scenario, port, dialect, typer.echo))
        except EndedError:
            typer.echo("ended", err=True)  # as it is meant to end: exit 0
