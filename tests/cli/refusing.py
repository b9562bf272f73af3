"""Projects with something wrong in them, and what is said of it."""

from dataclasses import dataclass, field

from tests.cli.commanding import Ended, Project


@dataclass(frozen=True)
class Bad:
    """A project with something wrong in it: files (None: not there), a command, and what is said of it."""

    line: str
    files: dict[str, str | None] = field(default_factory=dict)
    command: tuple[str, ...] = ("check",)
    status: int = 2


BASELINE = '{"schema": 1, "suite": 1, "subject": "good", "runtime": "any 1.0", "packages": {}, "scenarios": {}}\n'


def config(text: str, line: str) -> Bad:
    return Bad(line, {"failsame.yml": "version: 1\n" + text})


def baseline(text: str, line: str, command: str = "check") -> Bad:
    return Bad(line, {"baselines/good.json": text}, (command,))


def laid_out(case: Bad, project: Project) -> Project:
    """The project with what is wrong in it."""
    for path, text in case.files.items():
        (project.folder / path).unlink(missing_ok=True)
        if text is not None:
            project.write(path, "").write_bytes(text.encode(errors="surrogateescape"))
    return project


def shown_right(case: Bad, ended: Ended, project: Project) -> None:
    (line,) = ended.told
    assert line.startswith(case.line.format(folder=project.folder))
    assert ended.status == case.status
    expected = {path.removeprefix("baselines/"): text for path, text in case.files.items() if "baselines/" in path}
    assert project.baselines() == expected


def refused(case: Bad, project: Project) -> None:
    """One line, before anything ran."""
    ended = laid_out(case, project).invoke(*case.command)
    shown_right(case, ended, project)
    assert ended.out == ""
    assert len(ended.err.splitlines()) == 1
