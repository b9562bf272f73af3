"""Projects with something wrong in them, and what is said of it."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

from tests.cli.commanding import AtOnce, Ended, Project


@dataclass(frozen=True)
class Bad:
    """A project with something wrong in it: files (None: not there), a command, and what is said of it."""

    line: str
    files: dict[str, str | None] = field(default_factory=dict)
    command: tuple[str, ...] = ("check",)
    status: int = 2


def begun(at_once: AtOnce, cases: Mapping[str, Bad], new_project: Callable[[], Project]) -> dict[str, Project]:
    projects = {}
    for name, case in cases.items():
        project = projects[name] = new_project()
        for path, text in case.files.items():
            (project.folder / path).unlink(missing_ok=True)
            if text is not None:
                file = project.write(path, "")
                file.write_bytes(text.encode(errors="surrogateescape"))
        at_once.begin(name, lambda project=project, case=case: project.run(*case.command))  # type: ignore[misc]
    return projects


def shown_right(case: Bad, ended: Ended, project: Project) -> None:
    (line,) = ended.told
    assert line.startswith(case.line.format(folder=project.folder))
    assert ended.status == case.status
    expected = {path.removeprefix("baselines/"): text for path, text in case.files.items() if "baselines/" in path}
    assert project.baselines() == expected


def refused(case: Bad, ended: Ended, project: Project) -> None:
    """One line, before anything ran."""
    shown_right(case, ended, project)
    assert ended.out == ""
    assert len(ended.err.splitlines()) == 1
