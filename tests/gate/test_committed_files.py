"""Files of the project beside the lock files: what changed, and what nothing is compared with."""

from pathlib import Path

import pytest
from tests.pins.test_revisions import git

from failsame.gate import Options, plan
from failsame.gate.edited import edited
from failsame.gate.stale import compared_with_nothing

CONFIG = "version: 1\nsubjects:\n  - {name: batch, file: failsame/batch.py}\n  - builtin: requests\n"


@pytest.fixture
def project(tmp_path: Path) -> Path:
    """A repository on a branch of its own, nothing changed yet."""
    folder = tmp_path / "project"
    files = {
        "failsame.yml": CONFIG,
        "requirements.txt": "requests==2.32.5\n",
        "failsame/batch.py": "def client(endpoint): ...\n",
        "batch/retry.py": "TRIES = 3\n",
        "batch/README.md": "Retries.\n",
        ".gitignore": "build\n",
    }
    for path, text in files.items():
        write(folder, path, text)
    git(folder, "init", "-q", "-b", "main")
    git(folder, "add", "-A")
    git(folder, "commit", "-qm", "one")
    git(folder, "switch", "-qc", "work")
    return folder


def write(folder: Path, path: str, text: str) -> None:
    (folder / path).parent.mkdir(parents=True, exist_ok=True)
    (folder / path).write_text(text)


def changed(folder: Path) -> dict[str, tuple[str, ...] | None]:
    planned = plan(Options(folder=folder))
    return {subject.name: edited(subject, planned) for subject in planned.subjects}


def test_what_of_a_subject_changed(project: Path) -> None:
    """Its own file first, what it may import, its baselines and the configuration: committed or not, new or not.

    What is built in uses none of the project's code.
    """
    assert changed(project) == {"batch": (), "requests": ()}
    write(project, "batch/retry.py", "TRIES = 5\n")
    write(project, "failsame/batch.py", "def client(endpoint): return endpoint\n")
    git(project, "commit", "-qam", "two")
    write(project, "batch/waits.py", "WAIT = 1\n")
    write(project, "batch/README.md", "More retries.\n")
    write(project, "build/made.py", "")
    for path in ("batch.json", "coming/batch@0123abcd.json", "coming/batch-two@0123abcd.json"):
        write(project, f"baselines/{path}", "{}")
    write(project, "failsame.yml", CONFIG + "mode: warn\n")
    code = ("batch/retry.py", "batch/waits.py")
    accepted = ("baselines/batch.json", "baselines/coming/batch@0123abcd.json")
    assert changed(project) == {
        "batch": ("failsame/batch.py", *code, *accepted, "failsame.yml"),
        "requests": ("failsame.yml",),
    }


def test_what_changed_is_not_known_without_a_history(tmp_path: Path) -> None:
    """An old lock file tells what moved, and nothing of the project's own files."""
    write(tmp_path, "requirements.txt", "requests==2.32.5\n")
    write(tmp_path, "old.txt", "requests==2.31.0\n")
    planned = plan(Options(folder=tmp_path, old_lock=tmp_path / "old.txt"))
    assert [edited(subject, planned) for subject in planned.subjects] == [None]


def test_only_the_own_configuration_tells_what_is_stale(project: Path) -> None:
    """Where another one is named its subjects are not all there are; the own one may be named."""
    write(project, "baselines/gone.json", "{}")
    write(project, "part.yml", "version: 1\nsubjects:\n  - builtin: requests\n")
    said = ["`baselines/gone.json` is stale, its subject is gone: remove it"]
    for config, expected in ((None, said), ("failsame.yml", said), ("part.yml", [])):
        options = Options(folder=project, config=project / config if config else None)
        assert list(compared_with_nothing(plan(options))) == expected
