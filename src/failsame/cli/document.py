"""docs/commands.md, made from the commands: `python -m failsame.cli.document > docs/commands.md` writes it anew."""

import sys
from collections.abc import Iterator
from typing import Any

import typer

from failsame.cli.app import app
from failsame.clock import REAL_HORIZON
from failsame.observation import ENDLESS

_HEAD = f"""\
# The commands

Made from the commands by `python -m failsame.cli.document`; `failsame COMMAND --help` says the same.

All run in the folder of the project: that of the configuration, or where there is none that of the lock file. Exit
codes: 0 same; 1 drift, a broken budget, or a configured subject without a baseline; 2 wrong usage or configuration;
3 could not be measured; 130 interrupted.

What `measure`, `check` and `compare` print is plain text for whoever reads it as it comes, and GitHub's Markdown where
it is sent elsewhere: `failsame check > comment.md`.

In all that measure:

- `--subject` and `--scenario` choose among what is configured. `healthy` always runs.
- `--clock skip` fails where idle time cannot be skipped, `real` never skips it, `auto` skips it where it can and says
  so where it cannot. `--horizon` is how long a call is watched: by default {ENDLESS:,.0f} s of skipped time, or
  {REAL_HORIZON:g} s of real time.
- `--lock` takes the place of the project's own lock file, for one run: the code stays where it is.
- `check` compares with the baselines. What moved, and what a subject without a baseline did before, it finds out from
  the lock files of another revision (`--base`) or from another file (`--old-lock`). By itself it takes the revision
  where HEAD left the default branch; outside of a git repository it says that it does not know what moved.
- `--report` writes all that was found as JSON ([its schema](../schemas/report.json)); `compare` reads two of these.
"""


def document() -> str:
    """The whole page."""
    group: Any = typer.main.get_group(app)
    return "\n".join([_HEAD, *_commands(group, "failsame")])


def _commands(group: Any, path: str) -> Iterator[str]:
    for name, command in group.commands.items():
        if hasattr(command, "commands"):
            yield from _commands(command, f"{path} {name}")
            continue
        options = [each for each in command.params if each.opts[0].startswith("--")]
        arguments = [each.metavar for each in command.params if each not in options]
        yield f"## `{' '.join([path, name, *arguments])}`\n\n{' '.join(command.help.split())}\n"
        if options:
            yield "| option | default | what it is |\n| --- | --- | --- |"
            yield from (f"| `{each.opts[0]} {each.metavar}` | {_default(each)} | {each.help} |" for each in options)
            yield ""


def _default(option: Any) -> str:
    return "" if option.default is None else f"`{option.default}`"


if __name__ == "__main__":
    sys.stdout.write(document())
