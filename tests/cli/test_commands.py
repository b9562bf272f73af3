"""The commands around measuring, and what a run shows of itself."""

import contextlib
import http.client
import os
import pty
import re
import signal
import subprocess
import sys
import urllib.parse
from collections.abc import Iterator
from pathlib import Path
from typing import IO

import pytest
import typer
from tests.cli.commanding import FAST, Project

from failsame import __version__
from failsame.cli.app import app
from failsame.cli.document import document
from failsame.suite import SCENARIOS

PROGRAM = typer.main.get_group(app)
README = (Path(__file__).parents[2] / "README.md").read_text(encoding="utf-8")
COMMANDS = (
    "measure",
    "check",
    "record",
    "compare",
    "scenarios",
    "explain",
    "serve",
    "demo",
    "doctor",
    "init",
    "github",
)

OWN = """\
version: 1
subjects:
  - {name: good, file: good.py}
scenarios:
  - name: our-429
    answers: [{status: 429, headers: {retry-after: "61"}, body: "wait"}]
"""


def test_the_installed_command() -> None:
    """`failsame` and `python -m failsame` are one program, which knows its version."""
    for program in ([str(Path(sys.executable).with_name("failsame"))], [sys.executable, "-m", "failsame"]):
        said = subprocess.run([*program, "--version"], capture_output=True, text=True, check=True)
        assert said.stdout == f"failsame {__version__}\n"


def test_help_and_readme(project: Project) -> None:
    """Each command says what it does; the README names all of them, and no other."""
    said = project.run("--help").out
    assert set(COMMANDS) == set(PROGRAM.commands)
    assert all(re.search(rf"^. {command} ", said, re.MULTILINE) for command in COMMANDS)
    assert set(re.findall(r"`failsame ([a-z]+)", README)) | {"demo"} == set(COMMANDS)


def test_the_documentation_is_current() -> None:
    """docs/commands.md is what `python -m failsame.cli.document` writes: every command with all its options."""
    page = (Path(__file__).parents[2] / "docs/commands.md").read_text(encoding="utf-8")
    assert page == document()
    assert all(f"| `{option} " in page for each in PROGRAM.commands["check"].params for option in each.opts)


def test_options_of_the_readme() -> None:
    """Every option that the README names belongs to a command."""
    said = {option for command in PROGRAM.commands.values() for each in command.params for option in each.opts}
    named = {option for line in README.splitlines() if "failsame" in line for option in re.findall(r"--[a-z-]+", line)}
    assert [option for option in named if option not in said] == []


def test_scenarios(project: Project) -> None:
    """All scenarios are listed, the project's own among them, each with its group."""
    project.write("failsame.yml", OWN)
    listed = project.run("scenarios", variables={"COLUMNS": "200"}).out
    rows = {line.split()[0]: line.split()[1] for line in listed.splitlines()[1:]}
    assert {name: rows[name] for name in SCENARIOS} == {each.name: each.group for each in SCENARIOS.values()}
    assert "our-429" in rows


@pytest.mark.parametrize("name", ["silent", "our-429"])
def test_explain(name: str, project: Project) -> None:
    """A scenario is explained: what the server does, and how to see it."""
    project.write("failsame.yml", OWN)
    said = project.run("explain", name).out
    assert name in said
    assert f"failsame serve {name}" in said


def test_explain_a_group(project: Project) -> None:
    """A group's scenarios, one after the other."""
    said = project.run("explain", "quota").out
    members = [each.name for each in SCENARIOS.values() if each.group == "quota"]
    assert re.findall(r"^### `(.*)`$", said, re.MULTILINE) == members


def test_explain_a_rule(project: Project) -> None:
    """A rule of the catalogue: what it asks, why, and where that is said."""
    said = project.run("explain", "function-timeout").out
    assert said.strip() in (Path(__file__).parents[2] / "docs/budgets.md").read_text(encoding="utf-8")
    assert "https://" in said


def test_doctor(project: Project) -> None:
    """Whether idle time can be skipped here is said in words, and why not if it cannot."""
    said = project.run("doctor")
    assert "idle time" in said.out.lower() or "real time" in said.out


@contextlib.contextmanager
def served(project: Project, *arguments: str) -> Iterator[tuple["subprocess.Popen[str]", IO[str], int]]:
    """A server that runs: its process, what it says, and its port."""
    process = project.start("serve", *arguments)
    assert process.stdout is not None
    url = process.stdout.readline()
    try:
        yield process, process.stdout, urllib.parse.urlsplit(url.strip()).port or 0
    finally:
        process.kill()
        process.communicate()


def test_serve(project: Project) -> None:
    """The broken server answers any client, with the project's own scenarios too, and tells what happens."""
    project.write("failsame.yml", OWN)
    with served(project, "our-429") as (_, said, port):
        connection = http.client.HTTPConnection("127.0.0.1", port)
        connection.request("GET", "/any")
        answer = connection.getresponse()
        assert (answer.status, answer.headers["retry-after"], answer.read()) == (429, "61", b"wait")
        connection.close()
        assert any("GET /any -> 429" in said.readline() for _ in range(2))


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_serve_ends(number: signal.Signals, project: Project) -> None:
    """Ctrl-C is how `serve` is meant to end: exit 0, and one word."""
    with served(project, "silent") as (process, _, _):
        process.send_signal(number)
        _, err = process.communicate()
        assert (process.returncode, err) == (0, "ended\n")
    assert project.processes() == []


@pytest.mark.install
def test_progress_in_a_log(project: Project) -> None:
    """Where nobody watches, progress is plain lines on standard error, and the report alone on standard output."""
    ended = project.run("measure", *FAST)
    assert ended.err.splitlines()[:3] == ["good: installing requirements.txt", "good: is it well?", "good: 4 trials"]
    assert ended.err.splitlines()[-1] == "good: measured"
    assert "\x1b" not in ended.err
    assert ended.out.startswith("**Measured how your clients fail.**")
    assert "good: " not in ended.out


@pytest.mark.install
def test_progress_on_a_terminal(project: Project) -> None:
    """On a terminal there is a bar for each subject, and the report is plain text."""
    master, slave = pty.openpty()
    process = project.start("measure", *FAST, stdout=slave, stderr=slave, stdin=slave, variables={"TERM": "xterm"})
    os.close(slave)
    shown = b""
    with contextlib.suppress(OSError):  # how Linux says that nobody writes any more
        while chunk := os.read(master, 65536):
            shown += chunk
    os.close(master)
    assert process.wait() == 0
    text = shown.decode()
    assert "4/4" in text
    assert "\x1b[" in text
    assert "**" not in text
    assert "Measured how your clients fail." in text


def test_a_report_behind_a_link(project: Project) -> None:
    """The file that a link leads to is written, and the link stays."""
    project.write("elsewhere/old.json", "")
    (project.folder / "report.json").symlink_to("elsewhere/old.json")
    ended = project.run("measure", *FAST, "--report", "report.json")
    assert (project.folder / "report.json").is_symlink()
    assert ended.report["command"] == "measure"


@pytest.mark.install
def test_what_was_not_measured_is_told_once(project: Project) -> None:
    """Where report and errors come out in one place, it is plain text, and says each thing once."""
    project.write("requirements.txt", "failsame-no-such-package==1.0\n")
    ended = project.run("check", stderr=subprocess.STDOUT)
    assert ended.status == 3
    assert ended.out.count("the index has no package failsame-no-such-package") == 1
    assert not re.search(r"&#|\*\*|^> ", ended.out, re.MULTILINE)
