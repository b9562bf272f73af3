"""The first steps: configuration, workflows and baselines for the repository that it stands in."""

from pathlib import Path

import typer

from failsame.cli.progress import progress
from failsame.cli.run import errors_told, finish, leave
from failsame.config import find_config
from failsame.errors import UsageError
from failsame.files import write_whole
from failsame.gate import Options, Timing, configuration, exit_code, find_sdks, not_measured, plan, run_record
from failsame.pins import Repository

_EXAMPLES = "examples/workflows"
_CONFIGURATION = ".github/failsame.yml"
_WORKFLOWS = {".github/workflows/failsame.yml": "simple.yml", ".github/workflows/failsame-accept.yml": "accept.yml"}
_MAIN = "branches: [main]"

_NEXT = """
Commit these files; on GitHub make the job `failsame` a required check, and add the label `failsame:accept`.
https://github.com/failsame/failsame/blob/main/docs/github.md has the rest:
a workflow without any rights, Renovate, merge queues, parts of a large repository.
"""


def init() -> None:
    """Write configuration, workflows and first baselines for the repository here, and nothing over what is there."""
    with errors_told():
        folder = Path.cwd()
        _configure(folder)
        for place, example in _WORKFLOWS.items():
            _write(folder, place, _workflow(example, _branch(folder)))
        planned = plan(Options(folder=folder))
        new = [each.name for each in planned.subjects if not (planned.baselines / f"{each.name}.json").exists()]
        if not new:
            typer.echo("every subject has a baseline already: `failsame record` measures again")
            return
        with progress() as told:
            done = finish(run_record(plan(Options(folder=folder, subjects=tuple(new))), Timing(), told))
        for line in done.files:
            typer.echo(line)
        for name, why in not_measured(done.report).items():
            typer.echo(f"failsame: {name} was not recorded: {why}", err=True)
        typer.echo(_NEXT)
        leave(exit_code(done.report))


def _configure(folder: Path) -> None:
    there = find_config(folder)
    if there is not None:
        typer.echo(f"{there.relative_to(folder)} is there already, and stays as it is")
        return
    found = find_sdks(folder)
    if not found:
        raise UsageError(
            "no SDK is required directly that failsame has a subject for: write one, a file with `client(endpoint)` "
            f"and `call(client)`, name it in {_CONFIGURATION} (docs/configuration.md), and run it again"
        )
    for each in found:
        typer.echo(f"found {each.package} {each.version} in {each.lock}: subject {each.name}")
    _write(folder, _CONFIGURATION, configuration(found))


def _write(folder: Path, place: str, text: str) -> None:
    path = folder / place
    if path.exists():
        typer.echo(f"{place} is there already, and stays as it is")
        return
    path.parent.mkdir(parents=True, exist_ok=True)
    write_whole(path, text.encode())
    typer.echo(f"{place} written")


def _workflow(example: str, branch: str) -> str:
    package = Path(__file__).parents[1]
    for place in (package / "workflows", package.parents[1] / _EXAMPLES):
        if place.is_dir():
            return (place / example).read_text(encoding="utf-8").replace(_MAIN, f"branches: [{branch}]")
    raise UsageError("the workflows are not here: run it from a checkout of failsame, or install it again")


def _branch(folder: Path) -> str:
    """The default branch, where git tells."""
    try:
        return Repository.around(folder).default_branch() or "main"
    except UsageError:
        return "main"
