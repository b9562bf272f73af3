"""Real packages from the registry, installed by real package managers, loaded by a real Node."""

import io
import json
import os
import re
import socket
import subprocess
import sys
import tarfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from tests.environments.node_projects import (
    LOCKINGS,
    WORKSPACE,
    environ,
    listing,
    locked,
    program,
    programs,
    run,
    write,
)

from failsame.environments import Environment, Recipe, copy_for, distributions_of, environment_of, installed
from failsame.errors import UnmeasuredError, UsageError
from failsame.pins import Repository, Tree

pytestmark = pytest.mark.install

FIXTURES = Path(__file__).parents[2] / "fixtures"
ONE: dict[str, Any] = {"package.json": {"name": "one", "version": "1.0.0", "dependencies": {"ms": "2.1.3"}}}
WORKSPACES_PACKAGES = {"debug": "4.3.4", "ms": "2.1.3", "ms (nested)": "2.1.2", "ms (nested 2)": "2.1.1"}


@pytest.fixture(scope="module")
def shelf(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("programs")


@pytest.fixture(scope="module")
def cache(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    folder = tmp_path_factory.mktemp("cache")
    yield folder
    assert not list((folder / "environments").glob(".building-*"))


def make(root: Path, lock: str, binaries: Path, cache: Path, **variables: str) -> Environment:
    return environment_of(Recipe(Tree(root), lock), {**environ(binaries, cache), **variables})


def told(environment: Environment, file: Path) -> dict[str, object]:
    done = subprocess.run((environment.interpreter, file), capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    found: dict[str, object] = json.loads(done.stdout)
    return found


@pytest.mark.parametrize("locking", LOCKINGS)
def test_a_workspace(tmp_path: Path, shelf: Path, cache: Path, locking: str) -> None:
    """Each package manager's workspace: what is pinned is installed, no script has run, the user's tree is as it was.

    In a copy an ES module and a CommonJS one find their own copies of a package, a workspace finds another, and data
    beside the code is read; the owners of loaded files are told, nested copies included.
    """
    project = tmp_path / "project"
    binaries = programs(shelf, locking)
    lock = locked(project, locking, binaries, dict(WORKSPACE))
    before = listing(project)
    environment = make(project, lock, binaries, cache)
    expected = {**WORKSPACES_PACKAGES, "ms (nested 3)": "2.0.0"}
    assert installed(environment) == expected
    assert re.fullmatch(r"node \d+\.\d+", environment.runtime)
    assert environment.version.startswith(environment.runtime.removeprefix("node ") + ".")
    subject = project / "packages/app/subject.mjs"
    copy = copy_for(subject, environment, repository=project, project=project, into=tmp_path / "copies")
    said = told(environment, copy)
    assert (said["lib"], said["own"], said["data"]) == (172_800_000, 86_400_000, {"read": True})
    files = said["files"]
    assert isinstance(files, list)
    assert distributions_of(environment, files) == WORKSPACES_PACKAGES
    assert distributions_of(environment, [copy, program("node")]) == {}
    assert listing(project) == before
    assert not list(environment.folders[0].rglob("ran"))


def test_found_in_the_cache(tmp_path: Path, shelf: Path, cache: Path) -> None:
    """A second time no package manager is asked; a package.json that differs makes another environment."""
    lock = locked(tmp_path / "one", "npm", programs(shelf, "npm"), dict(ONE))
    first = make(tmp_path / "one", lock, programs(shelf, "npm"), cache)
    alone = programs(shelf, "yarn 1")  # no npm there
    assert make(tmp_path / "one", lock, alone, cache) == first
    (tmp_path / "one/package.json").write_text(json.dumps({**ONE["package.json"], "private": True}))
    with pytest.raises(UnmeasuredError, match="npm is not installed: it comes with Node: install Node again"):
        make(tmp_path / "one", lock, alone, cache)


def test_the_fixtures_before_and_after(cache: Path, shelf: Path) -> None:
    """Of node-batch only what @aws-sdk/client-s3 brings has moved; both lock files install what they pin."""
    project = FIXTURES / "node-batch"
    before = listing(project)
    for lock, core in {"before/package-lock.json": "3.39.0", "package-lock.json": "3.40.0"}.items():
        environment = make(project, lock, programs(shelf, "npm"), cache)
        found = installed(environment)
        assert (found["@aws-sdk/client-s3"], found["@smithy/core"]) == ("3.1061.0", core)
        subject = project / "failsame/batch-s3.mjs"
        copy = copy_for(subject, environment, repository=project, project=project, into=cache / "copies")
        loads = "import(process.argv[1]).then(({ client }) => client('http://127.0.0.1:9').config.retryMode())"
        loads += ".then(console.log)"
        done = subprocess.run((environment.interpreter, "-e", loads, copy), capture_output=True, text=True, check=True)
        assert done.stdout == "standard\n"
    assert listing(project) == before


def test_an_archive_of_the_project(tmp_path: Path, shelf: Path, cache: Path) -> None:
    """A packed package of the repository is installed, its script not run, though the project's .npmrc asks for it."""
    project = tmp_path / "project"
    (project / "vendor").mkdir(parents=True)
    about = json.dumps({"name": "packed", "version": "1.2.3", "scripts": {"postinstall": "touch ran"}}).encode()
    with tarfile.open(project / "vendor/packed.tgz", "w:gz") as archive:
        entry = tarfile.TarInfo("package/package.json")
        entry.size = len(about)
        archive.addfile(entry, io.BytesIO(about))
    files: dict[str, object] = {
        "package.json": {"name": "x", "version": "1.0.0", "dependencies": {"packed": "file:vendor/packed.tgz"}},
        ".npmrc": "ignore-scripts=false\n",
    }
    lock = locked(project, "npm", programs(shelf, "npm"), files)
    environment = make(project, lock, programs(shelf, "npm"), cache)
    assert installed(environment) == {"packed": "1.2.3"}
    assert not list(environment.folders[0].rglob("ran"))


def spoiled(folder: Path, old: str, new: str, *names: str) -> None:
    for name in names:
        text = (folder / name).read_text()
        assert old in text
        (folder / name).write_text(text.replace(old, new))


GONE = "failsame-has-no-such-package"
CANNOT = {
    "a package that does not exist": (
        ("ms", GONE),
        rf"line \d+: the registry has no {GONE}.*: lock again, or name your",
    ),
    "a version that does not exist": (("2.1.3", "2.1.99"), r"line \d+: .*2\.1\.99.*: lock again"),
    "another hash": (("sha512-6F", "sha512-7F"), r"line \d+: the registry's .* has another hash.*: lock again"),
    "a package.json that moved on": (
        None,
        r"does not fit its package\.json, or was written by another \w+: lock again",
    ),
}


@pytest.mark.parametrize("locking", ["npm", "pnpm 10", "yarn 1", "yarn 4"])
@pytest.mark.parametrize("case", CANNOT)
def test_what_cannot_be_installed(tmp_path: Path, shelf: Path, cache: Path, locking: str, case: str) -> None:
    """One line that names the package, its line in the lock file, and what to do; nothing is left in the cache."""
    change, said = CANNOT[case]
    binaries = programs(shelf, locking)
    lock = locked(tmp_path / "one", locking, binaries, dict(ONE))
    if change is None:
        spoiled(tmp_path / "one", "2.1.3", "2.1.2", "package.json")
    else:
        old, new = change
        if locking == "yarn 4" and old.startswith("sha512"):
            old, new = "checksum: 10c0/", "checksum: 10c0/00"
        names = ("package.json", lock) if "sha512" not in old and "checksum" not in old else (lock,)
        text = (tmp_path / "one" / lock).read_text()
        # What yarn has seen under a name it takes from its cache; without a checksum it asks.
        text = re.sub(r"\n  (?:resolved|integrity|checksum).*", "", text) if len(names) > 1 else text
        (tmp_path / "one" / lock).write_text(text)
        for name in names:
            path = tmp_path / "one" / name
            path.write_text(re.sub(rf"\b{re.escape(old)}" if old == "ms" else re.escape(old), new, path.read_text()))
    with pytest.raises((UnmeasuredError, UsageError)) as caught:
        make(tmp_path / "one", lock, binaries, cache)
    message = str(caught.value)
    assert re.search(said, message), message
    assert message.startswith(lock)
    assert "\n" not in message
    assert message.isprintable()


@pytest.mark.parametrize("locking", ["npm", "pnpm 10", "yarn 1", "yarn 4"])
def test_no_registry(tmp_path: Path, shelf: Path, cache: Path, locking: str) -> None:
    """A registry that does not answer is told within seconds, and how to name another."""
    binaries = programs(shelf, locking)
    lock = locked(tmp_path / "one", locking, binaries, dict(ONE))
    text = (tmp_path / "one" / lock).read_text()
    (tmp_path / "one" / lock).write_text(re.sub(r"\n  resolved.*", '\n  resolved "http://127.0.0.1:9/ms.tgz"', text))
    nowhere = "http://127.0.0.1:9"
    variables = {
        "npm_config_registry": nowhere,
        "npm_config_cache": str(tmp_path / "npm"),
        "npm_config_store_dir": str(tmp_path / "pnpm"),
        "YARN_NPM_REGISTRY_SERVER": nowhere,
        "YARN_UNSAFE_HTTP_WHITELIST": "127.0.0.1",
        "YARN_CACHE_FOLDER": str(tmp_path / "yarn"),
        "YARN_GLOBAL_FOLDER": str(tmp_path / "berry"),
    }
    said = r"cannot reach the registry \(.*ECONNREFUSED.*\): check the network, the proxy variables, or name your own"
    with pytest.raises(UnmeasuredError, match=said):
        make(tmp_path / "one", lock, binaries, cache, **variables)


def test_a_hash_of_another_version(tmp_path: Path) -> None:
    """npm may install what its cache has under a hash, whatever version stands beside it: that is told."""
    binaries = tmp_path / "binaries"
    binaries.mkdir()
    (binaries / "node").symlink_to(program("node"))
    installs = """echo '{"name": "ms", "version": "2.1.3"}' >node_modules/ms/package.json"""
    (binaries / "npm").write_text(f"#!/bin/sh\n[ $1 = ci ] || exec echo 11.0.0\nmkdir -p node_modules/ms\n{installs}\n")
    (binaries / "npm").chmod(0o755)
    packages = {"": {"dependencies": {"ms": "2.1.4"}}, "node_modules/ms": {"version": "2.1.4"}}
    write(tmp_path, {"package-lock.json": {"lockfileVersion": 3, "packages": packages}})
    with pytest.raises(UnmeasuredError, match=r"line 10: ms is installed at 2\.1\.3, which is not what is pinned: its"):
        make(tmp_path, "package-lock.json", binaries, tmp_path / "cache")


@pytest.mark.parametrize(
    ("written_by", "there", "said"),
    [
        ("pnpm 10", "npm", "pnpm is not installed: `corepack enable pnpm` or `npm install --global pnpm`"),
        ("yarn 4", "npm", "yarn is not installed: `corepack enable yarn` or `npm install --global @yarnpkg/cli-dist`"),
        ("yarn 1", "npm", "yarn is not installed: `corepack enable yarn` or `npm install --global yarn@1`"),
        ("pnpm 8", "pnpm 10", "pnpm 10.* does not read this lock file: `npm install --global pnpm@8`, or lock again"),
        ("pnpm 10", "pnpm 8", "pnpm 8.* does not read this lock file: `corepack enable pnpm`"),
        ("yarn 4", "yarn 1", "yarn 1.* does not read this lock file: `corepack enable yarn` or"),
        ("yarn 1", "yarn 4", "yarn 4.* does not read this lock file: `corepack enable yarn` or"),
    ],
)
def test_the_package_manager(tmp_path: Path, shelf: Path, *, written_by: str, there: str, said: str) -> None:
    """One that is missing, or that does not read the lock file, is named with its remedy."""
    lock = locked(tmp_path / "one", written_by, programs(shelf, written_by), dict(ONE))
    binaries = tmp_path / "binaries"
    binaries.mkdir()
    for each in programs(shelf, there).iterdir():
        if each.name in {"node", *(LOCKINGS[there].command[:1] if there != "npm" else ())}:
            (binaries / each.name).symlink_to(each)
    with pytest.raises(UnmeasuredError, match=said):
        make(tmp_path / "one", lock, binaries, tmp_path / "cache")


def test_the_yarn_that_a_project_keeps(tmp_path: Path, shelf: Path, cache: Path) -> None:
    """A yarn 1 on the PATH starts the project's own, newer one, which is brought along."""
    yarn_4 = programs(shelf, "yarn 4").parent / "@yarnpkg/cli-dist/bin/yarn.js"
    files: dict[str, object] = {
        **ONE,
        ".yarn/releases/yarn.cjs": yarn_4.read_text(),
        ".yarnrc.yml": "yarnPath: .yarn/releases/yarn.cjs\n",
    }
    lock = locked(tmp_path / "one", "yarn 4", programs(shelf, "yarn 4"), files)
    environment = make(tmp_path / "one", lock, programs(shelf, "yarn 1"), cache)
    assert installed(environment) == {"ms": "2.1.3"}


def test_no_node_or_an_old_one(tmp_path: Path) -> None:
    """Which Node is wanted, and how it comes to be on the PATH."""
    write(tmp_path, {"package.json": {}, "package-lock.json": {"lockfileVersion": 3, "packages": {"": {}}}})
    binaries = tmp_path / "binaries"
    binaries.mkdir()
    remedy = r"install Node 20\.19 or newer, for example with actions/setup-node, and put it on the PATH"
    variables = {"PATH": str(binaries), "FAILSAME_CACHE": str(tmp_path / "cache")}
    fake = binaries / "node"
    for answer, said in {
        None: "there is no `node` on the PATH: ",
        """echo '["/opt/node", "18.20.8", "linux-x64"]'""": r"node is Node 18\.20\.8: ",
        "echo broken >&2; exit 1": "node is no Node that runs: broken: ",
    }.items():
        if answer is not None:
            fake.write_text(f"#!/bin/sh\n{answer}\n")
            fake.chmod(0o755)
        variables["LANG"] = str(answer)  # what was found is kept, for one environment
        with pytest.raises(UnmeasuredError, match=said + remedy):
            environment_of(Recipe(Tree(tmp_path), "package-lock.json"), variables)


def test_a_lock_file_at_a_revision(tmp_path: Path, shelf: Path, cache: Path) -> None:
    """The environment of a commit is made from the commit, its package.json files and all."""
    lock = locked(tmp_path, "yarn 1", programs(shelf, "yarn 1"), dict(ONE))
    for command in ("init -q", "add .", "-c user.name=a -c user.email=a@b commit -qm x"):
        run("git", *command.split(), cwd=tmp_path)
    for name in ("package.json", lock):
        (tmp_path / name).unlink()
    recipe = Recipe(Repository(tmp_path).files("HEAD"), lock)
    assert installed(environment_of(recipe, environ(programs(shelf, "yarn 1"), cache))) == {"ms": "2.1.3"}


def test_a_cache_that_cannot_be_written(tmp_path: Path, shelf: Path) -> None:
    """A cache folder that is a file is one clear line."""
    write(tmp_path, {"package-lock.json": {"lockfileVersion": 3, "packages": {"": {}}}})
    (tmp_path / "cache").touch()
    with pytest.raises(UnmeasuredError, match=r"no environment can be written to .*: set FAILSAME_CACHE"):
        make(tmp_path, "package-lock.json", programs(shelf, "npm"), tmp_path / "cache")


def test_an_interrupt_ends_npm_and_leaves_nothing(tmp_path: Path, shelf: Path) -> None:
    """Ctrl-C while a registry does not answer: no process and no half environment is left behind."""
    lock = locked(tmp_path / "one", "npm", programs(shelf, "npm"), dict(ONE))
    program = (
        "import sys; from pathlib import Path; from failsame.environments import Recipe, environment_of\n"
        "from failsame.pins import Tree\n"
        "environment_of(Recipe(Tree(Path(sys.argv[1])), sys.argv[2]))\n"
    )
    with socket.create_server(("127.0.0.1", 0)) as registry:
        variables = environ(programs(shelf, "npm"), tmp_path / "cache") | {
            "npm_config_registry": f"http://127.0.0.1:{registry.getsockname()[1]}",
            "npm_config_cache": str(tmp_path / "npm"),
            "NO_PROXY": "127.0.0.1",
        }
        command = (sys.executable, "-c", program, tmp_path / "one", lock)
        running = subprocess.Popen(command, env=variables, stderr=subprocess.DEVNULL)
        registry.settimeout(60)
        connection, _ = registry.accept()  # npm is waiting now
        with connection:
            running.send_signal(2)
            running.wait(timeout=60)
            connection.settimeout(60)
            while connection.recv(4096):  # the request, and then the end: npm has gone
                pass
    assert not list((tmp_path / "cache" / "environments").iterdir())


@pytest.mark.parametrize("lock", ["pnpm-lock.yaml", "yarn.lock"])
def test_no_package_json(tmp_path: Path, lock: str) -> None:
    """Only a package-lock.json tells by itself what it is for."""
    (tmp_path / lock).write_text({"y": "# yarn lockfile v1\n", "p": "lockfileVersion: '9.0'\n"}[lock[0]])
    with pytest.raises(UsageError, match=f"{lock} has no package.json beside it, which says what it is for: add it"):
        environment_of(Recipe(Tree(tmp_path), lock), os.environ)
