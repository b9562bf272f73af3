"""Real packages from the registry, in real environments."""

import json
import os
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from uv import find_uv_bin

from failsame.environments import Environment, Recipe, distributions_of, import_paths, installed, python_environment
from failsame.errors import UnmeasuredError, UsageError
from failsame.pins import Repository, Tree

pytestmark = pytest.mark.install

FIXTURE = Path(__file__).parents[2] / "fixtures" / "python-batch"
SIX_HASH = "sha256:4721f391ed90541fddacab5acf947aa0d3dc7d27b2e1e8eda2be8970586c3274"


@pytest.fixture(scope="module")
def cache(tmp_path_factory: pytest.TempPathFactory) -> Iterator[dict[str, str]]:
    folder = tmp_path_factory.mktemp("cache")
    yield {**os.environ, "FAILSAME_CACHE": str(folder), "GITHUB_TOKEN": "secret", "UV_PYTHON": "/nonexistent"}
    assert not list((folder / "environments").glob(".building-*"))


def make(
    root: Path,
    cache: dict[str, str],
    text: str | None = None,
    lock: str = "requirements.txt",
    **choice: tuple[str, ...],
) -> Environment:
    if text is not None:
        (root / lock).write_text(text)
    return python_environment(Recipe(Tree(root), lock, **choice), cache)  # type: ignore[arg-type]


def listing(root: Path) -> set[str]:
    return {str(path.relative_to(root)) for path in root.rglob("*")}


def test_the_fixture_before_and_after(cache: dict[str, str]) -> None:
    """Both lock files of the fixture install what they pin, and leave the project as it was."""
    before = listing(FIXTURE)
    for lock, version in {"before/requirements.txt": "1.43.127", "requirements.txt": "1.44.8"}.items():
        environment = make(FIXTURE, cache, lock=lock)
        assert installed(environment) == {
            "boto3": version,
            "botocore": version,
            "jmespath": "1.1.0",
            "python-dateutil": "2.9.0.post0",
            "s3transfer": "0.19.3",
            "six": "1.17.0",
            "urllib3": "2.8.0",
        }
        assert environment.version.startswith(environment.runtime.removeprefix("python "))
    assert listing(FIXTURE) == before


def test_owners_of_loaded_modules(cache: dict[str, str]) -> None:
    """The deciding packages of a process that imports boto3, found from its modules' files within 100 ms."""
    environment = make(FIXTURE, cache)
    program = "import boto3, json, sys; boto3.client('s3', 'eu-central-1');"
    program += "print(json.dumps([m.__file__ for m in list(sys.modules.values()) if getattr(m, '__file__', None)]))"
    done = subprocess.run((environment.interpreter, "-I", "-c", program), check=True, capture_output=True)
    files = json.loads(done.stdout)
    best = float("inf")
    for _ in range(3):
        start = time.perf_counter()
        owners = distributions_of(environment, files)
        best = min(best, time.perf_counter() - start)
    assert set(owners) >= {"boto3", "botocore", "jmespath", "python-dateutil", "s3transfer", "six", "urllib3"}
    assert best < 0.1
    compiled = [file for folder in environment.folders for file in folder.glob("six*.py") or ()]
    assert distributions_of(environment, compiled) == {"six": "1.17.0"}


def test_shared_namespaces_and_bytecode(cache: dict[str, str], tmp_path: Path) -> None:
    """Of a namespace shared by several distributions each file has its one owner, also by its bytecode."""
    text = "backports-tarfile==1.2.0\nbackports-zstd==1.0.0\nsix==1.17.0\n"
    environment = make(tmp_path, cache, text)
    (folder,) = environment.folders
    (bytecode,) = (folder / "backports" / "tarfile" / "__pycache__").glob("__main__.*.pyc")
    assert distributions_of(environment, [bytecode]) == {"backports-tarfile": "1.2.0"}
    assert distributions_of(environment, [folder / "backports" / "zstd" / "__init__.py"]) == {"backports-zstd": "1.0.0"}
    assert distributions_of(environment, [os.__file__, folder / "unowned.py", "relative.py"]) == {}


def test_the_second_time_nothing_is_installed(cache: dict[str, str], tmp_path: Path) -> None:
    """A known lock file needs no network, and gives the very same environment."""
    first = make(tmp_path, cache, "six==1.17.0\n")
    assert make(tmp_path, {**cache, "UV_OFFLINE": "1", "UV_CACHE_DIR": str(tmp_path / "empty")}) == first
    assert list(first.folders[0].rglob("six.*.pyc"))


def test_a_lock_file_at_a_revision(cache: dict[str, str], tmp_path: Path) -> None:
    """The environment of a commit is made from the commit, includes and all."""
    git = ("git", "-C", str(tmp_path), "-c", "user.name=a", "-c", "user.email=a@b")
    (tmp_path / "base.txt").write_text("idna==3.9\n")
    (tmp_path / "requirements.txt").write_text("-r base.txt\nsix==1.16.0\n")
    for command in (("init", "-q"), ("add", "-A"), ("commit", "-qm", "one")):
        subprocess.run((*git, *command), check=True)
    (tmp_path / "base.txt").write_text("idna==3.10\n")
    environment = python_environment(Recipe(Repository.around(tmp_path).files("HEAD"), "requirements.txt"), cache)
    assert installed(environment) == {"idna": "3.9", "six": "1.16.0"}


def test_constraints_pin_the_rest(cache: dict[str, str], tmp_path: Path) -> None:
    """Where constraints pin what the requirements bring, it is installed, too."""
    (tmp_path / "constraints.txt").write_text("python-dateutil==2.9.0.post0\nsix==1.16.0\nidna==3.10\n")
    environment = make(tmp_path, cache, "-c constraints.txt\npython-dateutil\n")
    assert installed(environment) == {"python-dateutil": "2.9.0.post0", "six": "1.16.0"}


@pytest.fixture(scope="module")
def workspace(tmp_path_factory: pytest.TempPathFactory) -> Path:
    root = tmp_path_factory.mktemp("workspace")
    (root / "packages" / "lib" / "src").mkdir(parents=True)
    (root / "pyproject.toml").write_text(
        '[project]\nname = "app"\nversion = "1"\nrequires-python = ">=3.11"\ndependencies = ["lib", "idna==3.10"]\n'
        '[project.optional-dependencies]\nx = ["urllib3==2.5.0"]\n[dependency-groups]\ndev = ["certifi==2024.7.4"]\n'
        '[tool.uv.workspace]\nmembers = ["packages/*"]\n[tool.uv.sources]\nlib = { workspace = true }\n'
    )
    (root / "packages" / "lib" / "pyproject.toml").write_text(
        '[project]\nname = "lib"\nversion = "1"\nrequires-python = ">=3.11"\ndependencies = ["six==1.17.0"]\n'
    )
    subprocess.run((find_uv_bin(), "lock", "-q", "--no-python-downloads"), cwd=root, check=True)
    return root


@pytest.mark.parametrize(
    ("choice", "expected"),
    [
        ({}, {"idna", "six"}),
        ({"extras": ("x",)}, {"idna", "six", "urllib3"}),
        ({"groups": ("main", "dev")}, {"idna", "six", "certifi"}),
        ({"groups": ("dev",)}, {"certifi"}),
        ({"package": "lib"}, {"six"}),
    ],
)
def test_the_parts_of_a_uv_lock(
    cache: dict[str, str], workspace: Path, choice: dict[str, tuple[str, ...]], expected: set[str]
) -> None:
    """Groups, extras and a package of the workspace choose from a uv.lock, and nothing of the project is written."""
    before = listing(workspace)
    assert set(installed(make(workspace, cache, None, "uv.lock", **choice))) == expected
    assert listing(workspace) == before


def test_where_a_workspace_is_imported_from(workspace: Path) -> None:
    """The project's root, and the folders of the workspace's packages with their src."""
    paths = import_paths(workspace, workspace / "uv.lock")
    assert paths == tuple(map(str, (workspace, workspace / "packages" / "lib" / "src", workspace / "packages" / "lib")))
    assert import_paths(FIXTURE) == (str(FIXTURE / "src"), str(FIXTURE))


def test_a_uv_lock_alone(cache: dict[str, str], workspace: Path, tmp_path: Path) -> None:
    """A uv.lock without the project beside it names what is missing; so does a group that there is not."""
    with pytest.raises(UsageError, match=r"uv\.lock has no pyproject\.toml beside it"):
        make(tmp_path, cache, (workspace / "uv.lock").read_text(), "uv.lock")
    with pytest.raises(UsageError, match=r"Group `nope` is not defined .*: mend `groups:`"):
        make(workspace, cache, lock="uv.lock", groups=("nope",))


def test_a_pylock(cache: dict[str, str], workspace: Path, tmp_path: Path) -> None:
    """A pylock.toml installs under whatever name the project gives it."""
    command = (find_uv_bin(), "export", "-q", "--frozen", "--no-emit-workspace", "--format", "pylock.toml")
    done = subprocess.run(command, cwd=workspace, check=True, capture_output=True, text=True)
    environment = make(tmp_path, cache, done.stdout, "pylock.prod.toml")
    assert installed(environment) == {"certifi": "2024.7.4", "idna": "3.10", "six": "1.17.0"}


@pytest.mark.parametrize(
    ("text", "error", "said"),
    [
        ("idna==3.10\nsix==1.99.0\n", UnmeasuredError, "requirements.txt line 2: the index has no six 1.99.0"),
        (
            "\nfailsame-no-such-package==1.0\n",
            UnmeasuredError,
            "requirements.txt line 2: the index has no package failsame-no-such-package",
        ),
        (
            "docopt==0.6.2\n",
            UnmeasuredError,
            "line 1: docopt has no wheel for this Python, and no build code is run: allow it with `build: [docopt]`",
        ),
        (
            f"six==1.17.0 --hash=sha256:{'0' * 64}\n",
            UnmeasuredError,
            "the index's six 1.17.0 has another hash: lock again",
        ),
        (f"idna==3.10\nsix==1.17.0 --hash={SIX_HASH}\n", UsageError, "requirements.txt line 1: idna has no hash"),
        (
            "python-dateutil==2.9.0.post0\n",
            UsageError,
            "requirements.txt line 1: python-dateutil requires six, which requirements.txt does not pin",
        ),
    ],
)
def test_what_cannot_be_had(
    cache: dict[str, str], tmp_path: Path, text: str, error: type[Exception], said: str
) -> None:
    """A package, version, wheel or hash that is not there names itself, its line and a remedy."""
    with pytest.raises(error) as caught:
        make(tmp_path, {**cache, "UV_CACHE_DIR": str(tmp_path / "uv")}, text)
    assert said in str(caught.value)


def test_build_code_runs_where_it_is_allowed(cache: dict[str, str], tmp_path: Path) -> None:
    """A package named under build is built from its source."""
    assert installed(make(tmp_path, cache, "docopt==0.6.2\n", build=("docopt",))) == {"docopt": "0.6.2"}


def test_no_network(cache: dict[str, str], tmp_path: Path) -> None:
    """An index that does not answer is named, with the variables that choose another."""
    with socket.socket() as unheard:  # bound, and not listening: every connect is refused
        unheard.bind(("127.0.0.1", 0))
        index = f"http://127.0.0.1:{unheard.getsockname()[1]}"
        environ = {
            **cache,
            "UV_DEFAULT_INDEX": f"{index}/simple",
            "UV_HTTP_RETRIES": "0",
            "UV_CACHE_DIR": str(tmp_path),
        }
        environ["NO_PROXY"] = "127.0.0.1"
        with pytest.raises(UnmeasuredError, match=rf"{index} cannot be reached .*UV_DEFAULT_INDEX"):
            make(tmp_path, environ, "six==1.17.0\n")


def test_a_cache_that_cannot_be_written(cache: dict[str, str], tmp_path: Path) -> None:
    """A cache folder that is a file is one clear line."""
    (tmp_path / "cache").touch()
    with pytest.raises(UnmeasuredError, match=r"no environment can be written to .*: set FAILSAME_CACHE"):
        make(tmp_path, {**cache, "FAILSAME_CACHE": str(tmp_path / "cache")}, "six==1.17.0\n")


def test_no_such_python(cache: dict[str, str], tmp_path: Path) -> None:
    """A Python that is not installed is asked for in one line, and never downloaded."""
    (tmp_path / "requirements.txt").write_text("six==1.17.0\n")
    with pytest.raises(UnmeasuredError, match=r"Python 3\.99, asked for by `python:`, is not installed"):
        python_environment(Recipe(Tree(tmp_path), "requirements.txt", python="3.99"), cache)


def test_an_interrupt_ends_uv_and_leaves_nothing(cache: dict[str, str], tmp_path: Path) -> None:
    """Ctrl-C while an index does not answer: no process and no half environment is left behind."""
    with socket.create_server(("127.0.0.1", 0)) as index:
        (tmp_path / "requirements.txt").write_text("six==1.17.0\n")
        program = (
            "import sys; from pathlib import Path; from failsame.environments import Recipe, python_environment\n"
            "from failsame.pins import Tree\n"
            "python_environment(Recipe(Tree(Path(sys.argv[1])), 'requirements.txt'))\n"
        )
        environ = {
            **cache,
            "FAILSAME_CACHE": str(tmp_path / "cache"),
            "UV_CACHE_DIR": str(tmp_path / "uv"),
            "UV_DEFAULT_INDEX": f"http://127.0.0.1:{index.getsockname()[1]}/simple",
            "NO_PROXY": "127.0.0.1",
        }
        running = subprocess.Popen((sys.executable, "-c", program, tmp_path), env=environ, stderr=subprocess.DEVNULL)
        index.settimeout(60)
        connection, _ = index.accept()  # uv is waiting now
        with connection:
            running.send_signal(2)
            running.wait(timeout=60)
            connection.settimeout(60)
            while connection.recv(4096):  # the request, and then the end: uv has gone
                pass
    assert not list((tmp_path / "cache" / "environments").iterdir())
