"""Projects with something wrong in them, and what is said of it."""

from collections.abc import Collection, Mapping
from dataclasses import dataclass, field
from typing import Any

from tests.cli.commanding import FAST, Ended, Project


@dataclass(frozen=True)
class Bad:
    """A project with something wrong in it: files (None: not there), a command, and what is said of it."""

    line: str
    files: dict[str, str | None] = field(default_factory=dict)
    command: tuple[str, ...] = ("check",)
    status: int = 2


OLD = '{"schema": 1, "suite": 1, "subject": "%s", "runtime": "any 1.0", "packages": {}, "scenarios": {}}\n'

BASELINE = OLD % "good"


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


Told = tuple[Project, Ended]
"""A project of many subjects, and the one `record` of all of them."""


def recorded_with_baselines(project: Project, sources: Mapping[str, str], suffix: str) -> Told:
    """Record subjects of which every one has a baseline already."""
    for name, source in sources.items():
        project.write(f"{name.replace('-', '_')}.{suffix}", source)
        project.write(f"baselines/{name}.json", OLD % name)
    project.configure(*sources, suffix=suffix)
    return project, project.run("record", *FAST, "--report", "report.json")


def in_one_line(told: Told, name: str, said: str) -> None:
    """It was not measured: one line says where and what to do, and its file stays."""
    project, ended = told
    (line,) = [line for line in ended.told if line.startswith(f"{name} was not recorded: ")]
    assert said in line
    assert subject_in(ended, name)["verdict"] == "unmeasured"
    assert project.baselines()[f"{name}.json"] == OLD % name
    assert f"{name}.json" not in ended.out


def as_a_result(told: Told, name: str, outcome: str) -> None:
    """It was measured, with this outcome, and recorded."""
    project, ended = told
    subject = subject_in(ended, name)
    assert subject["why"] is None, subject["why"]
    (scenario,) = [each for each in subject["scenarios"] if each["name"] == "status-500"]
    (calls,) = scenario["calls"]
    assert (calls.get("both") or calls["low"])["outcome"] == outcome
    assert f'"outcome": "{outcome}"' in project.baselines()[f"{name}.json"]
    assert f"baselines/{name}.json written" in ended.out.splitlines()


def as_a_whole(told: Told, unmeasured: Collection[str], measured: Collection[str]) -> None:
    """One line for each that was not measured and no other, exit 3; no half-written file is left."""
    project, ended = told
    assert (ended.status, len(ended.told)) == (3, len(unmeasured))
    assert sorted(project.baselines()) == sorted(f"{name}.json" for name in (*unmeasured, *measured))


def subject_in(ended: Ended, name: str) -> dict[str, Any]:
    (subject,) = [each for each in ended.report["subjects"] if each["name"] == name]
    return dict(subject)
