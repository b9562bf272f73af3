"""A copy of a project's code, with the packages of an environment in it."""

import os
from pathlib import Path

import pytest
from tests.environments.node_projects import listing, run, write

from failsame.environments import Environment, copy_for
from failsame.errors import UnmeasuredError


@pytest.fixture
def repository(tmp_path: Path) -> Path:
    files: dict[str, object] = {
        "src/client.mjs": 'export { name as default } from "sdk";\n',
        "src/data.csv": "a,b\n",
        "web/failsame/subject.mjs": 'import a from "../../src/client.mjs";\nimport b from "sdk";\nconsole.log(a, b);\n',
        "web/node_modules/sdk/package.json": {"name": "sdk", "exports": "./index.mjs"},
        "web/node_modules/sdk/index.mjs": "export const name = 'of the user'; export default name;",
        ".venv/pyvenv.cfg": "",
        ".venv/big.js": "",
        ".config/settings.json": {},
        ".git/config": "",
    }
    folder = write(tmp_path / "repository", files)
    (folder / "inside").symlink_to("src")
    (folder / "web/absolute.mjs").symlink_to(folder / "src/client.mjs")
    (folder / "outside").symlink_to(tmp_path)
    (folder / "broken").symlink_to("nowhere")
    os.mkfifo(folder / "pipe")
    return folder


@pytest.fixture
def environment(tmp_path: Path) -> Environment:
    files: dict[str, object] = {
        "web/package.json": {},
        "web/node_modules/sdk/package.json": {"name": "sdk", "exports": "./index.mjs"},
        "web/node_modules/sdk/index.mjs": "export const name = 'pinned'; export default name;",
        "web/node_modules/.bin/sdk": "",
        "web/packages/own/package.json": {"name": "@own/package"},
        "web/packages/own/node_modules/sdk/package.json": {"name": "sdk"},
    }
    tree = write(tmp_path / "environment", files)
    (tree / "web/node_modules/@own").mkdir()
    (tree / "web/node_modules/@own/package").symlink_to("../../packages/own")
    node = Path(run("node", "-p", "process.execPath", cwd=tmp_path).strip())
    return Environment("node", node, "20.19.0", (tree,), "node 20.19", Path("web/package-lock.json"))


def copied(file: Path, environment: Environment, repository: Path) -> Path:
    into = repository.parent / "copies"
    return copy_for(file, environment, repository=repository, project=repository / "web", into=into)


def test_the_packages_are_the_environments(repository: Path, environment: Environment) -> None:
    """The user's node_modules are not seen; code beside the project finds the packages as well; nothing is written."""
    before = listing(repository)
    file = copied(repository / "web/failsame/subject.mjs", environment, repository)
    assert run(str(environment.interpreter), str(file), cwd=repository) == "pinned pinned\n"
    assert listing(repository) == before
    assert copied(repository / "src/client.mjs", environment, repository).parents[1] == file.parents[2]


def test_what_is_copied_and_what_is_linked(repository: Path, environment: Environment) -> None:
    """Code is copied, all else linked; links within the repository lead to the copy, those out of it where they led."""
    top = copied(repository / "src/client.mjs", environment, repository).parents[1]
    assert not (top / "src/client.mjs").is_symlink()
    for linked in ("src/data.csv", ".venv", ".config/settings.json", "pipe"):
        assert (top / linked).is_symlink()
        assert (top / linked).resolve() == repository / linked
    assert (top / "inside").resolve() == top / "src"
    assert (top / "web/absolute.mjs").resolve() == top / "src/client.mjs"
    assert (top / "outside").resolve() == repository.parent
    assert not (top / ".git").exists()
    own = top / "web/node_modules/@own/package"
    assert own.resolve() == top / "web/packages/own"
    assert not (top / "web/node_modules/.bin").exists()


def test_a_built_in_subject(repository: Path, environment: Environment, tmp_path: Path) -> None:
    """A file that is not the project's is put beside its packages, and not into the project."""
    built_in = write(tmp_path / "ours", {"s.mjs": 'import name from "sdk";\nconsole.log(name);\n'}) / "s.mjs"
    before = listing(repository)
    file = copied(built_in, environment, repository)
    assert run(str(environment.interpreter), str(file), cwd=repository) == "pinned\n"
    assert listing(repository) == before


def test_a_workspace_that_is_a_link(repository: Path, environment: Environment, tmp_path: Path) -> None:
    """Where a workspace is a link out of the repository, nothing is written behind it."""
    elsewhere = tmp_path / "elsewhere"
    elsewhere.mkdir()
    (repository / "web/packages").symlink_to(elsewhere)
    copied(repository / "src/client.mjs", environment, repository)
    assert listing(elsewhere) == set()


def test_nowhere_to_write(repository: Path, environment: Environment, tmp_path: Path) -> None:
    """A place that cannot hold a copy is named, with the remedy."""
    (tmp_path / "file").touch()
    with pytest.raises(UnmeasuredError, match=r"cannot be copied to .*: Not a directory: set TMPDIR elsewhere"):
        copy_for(
            repository / "src/client.mjs",
            environment,
            repository=repository,
            project=repository,
            into=tmp_path / "file" / "copies",
        )
