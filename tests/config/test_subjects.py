"""From what is configured and what is pinned to the subjects."""

from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest

from failsame.budgets import SECONDS, Dimension, Quantity
from failsame.config import BUILT_IN, ConfigFile, Lock, Locks, Subject, read_config, subjects
from failsame.errors import UsageError
from failsame.language import Language
from failsame.probes.builtin import BUILTINS
from failsame.suite import GoodAnswer

CONFIG = ".github/failsame.yml"


class Project:
    """A repository in a folder; its lock files hold names, one a line, `!` before those required directly."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    def write(self, name: str, text: str = "") -> Path:
        path = self.folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
        return path

    def config(self, text: str) -> ConfigFile:
        return read_config(self.write(CONFIG, "version: 1\nsubjects:\n" + text), self.folder)

    def resolve(self, config: ConfigFile | None = None, given: Path | None = None) -> tuple[Subject, ...]:
        return subjects(
            config,
            self.folder,
            BUILTINS,
            Locks(find=self.find, read=self.read, given={"python": given} if given else {}),
        )

    def refused(self, config: ConfigFile | None = None) -> str:
        with pytest.raises(UsageError) as caught:
            self.resolve(config)
        return str(caught.value)

    @staticmethod
    def find(folder: Path, language: Language) -> Path | None:
        path = folder / {"python": "uv.lock", "node": "package-lock.json"}[language]
        return path if path.is_file() else None

    @staticmethod
    def read(path: Path) -> Lock:
        lines = path.read_text().split()
        names = {line.lstrip("!") for line in lines}
        kinds: dict[str, Any] = {".txt": "requirements", ".json": "package-lock"}
        return Lock(
            path, kinds.get(path.suffix, "uv"), names, {line.lstrip("!") for line in lines if line.startswith("!")}
        )


@pytest.fixture
def project(tmp_path: Path) -> Project:
    return Project(tmp_path.resolve())


def test_without_configuration_each_direct_sdk_has_one_subject(project: Project) -> None:
    """boto3's is boto3-s3; what others brought along does not count; all are for information only."""
    lock = project.write("uv.lock", "!boto3 botocore !openai httpx !flask")
    found = project.resolve()
    assert [subject.name for subject in found] == ["boto3-s3", "openai"]
    assert found[0] == Subject(
        name="boto3-s3",
        origin=BUILT_IN,
        file=BUILTINS["boto3-s3"].file,
        root=project.folder,
        project=project.folder,
        lock=lock,
        endpoints={"main": "s3"},
        distribution="boto3",
        informational=True,
        watch=("**/*.py",),
    )


def test_a_configuration_without_subjects_changes_nothing_about_that(project: Project) -> None:
    """A mode alone does not silence the SDKs that are found by themselves."""
    project.write("uv.lock", "!httpx")
    config = read_config(project.write(CONFIG, "version: 1\nmode: warn\n"), project.folder)
    assert [(subject.name, subject.informational) for subject in project.resolve(config)] == [("httpx", True)]


def test_no_sdk_is_no_subject(project: Project) -> None:
    """A project that requires none of the known SDKs has nothing to measure, and that is no error."""
    project.write("uv.lock", "!flask boto3")
    assert project.resolve() == ()


def test_no_lock_file_without_configuration(project: Project) -> None:
    """Without a lock file there is nothing to go by."""
    known = "requirements.txt, npm-shrinkwrap.json, package-lock.json, pnpm-lock.yaml, yarn.lock"
    said = project.refused()
    assert said.endswith(f"{known}): make one, name one with --lock, or subjects in {CONFIG}")


def test_all_that_is_configured_arrives(project: Project) -> None:
    """Every key of a subject is carried on, paths as absolute ones."""
    file = project.write("failsame/billing.py")
    lock = project.write("services/billing/uv.lock", "httpx")
    config = project.config(
        "  - name: billing\n    file: failsame/billing.py\n    root: services\n    lock: services/billing/uv.lock\n"
        '    python: "3.12"\n    groups: [main]\n    extras: [s3]\n    package: billing\n    build: [psycopg2]\n'
        "    watch: ['a/**']\n    scenarios: [silence]\n    env: {A: b}\n    tls: true\n"
        "    hosts: {api.example.com: main}\n    good: {status: 201, headers: {x: y}, body: hi}\n"
    )
    assert project.resolve(config) == (
        Subject(
            name="billing",
            origin="failsame/billing.py",
            file=file,
            root=project.folder / "services",
            project=project.folder / "services/billing",
            lock=lock,
            endpoints={"main": "http"},
            python="3.12",
            groups=("main",),
            extras=("s3",),
            package="billing",
            build=("psycopg2",),
            watch=("a/**",),
            scenarios=("silence",),
            env={"A": "b"},
            tls=True,
            hosts={"api.example.com": "main"},
            good=GoodAnswer(status=201, headers={"x": "y"}, body="hi"),
        ),
    )


def test_several_endpoints_keep_their_order(project: Project) -> None:
    """The first is called first; a host in the code leads to one of them, and `good` is what the http ones answer."""
    project.write("uv.lock", "httpx")
    project.write("chain.py")
    config = project.config(
        "  - name: chain\n    file: chain.py\n    endpoints: {zeta: http, alpha: openai}\n"
        "    hosts: {api.example.com: alpha}\n    good: {body: hi}\n"
    )
    (subject,) = project.resolve(config)
    assert list(subject.endpoints.items()) == [("zeta", "http"), ("alpha", "openai")]
    assert (subject.dialect, subject.hosts, subject.good) == (
        "http",
        {"api.example.com": "alpha"},
        GoodAnswer(body="hi"),
    )


def test_the_nearest_lock_file_upwards_is_the_subjects(project: Project) -> None:
    """From the file's folder up to the repository's root; imports start from the lock file's folder."""
    project.write("uv.lock")
    lock = project.write("services/batch/uv.lock")
    project.write("services/batch/failsame/deep/s3.py")
    project.write("failsame/other.py")
    config = project.config(
        "  - {name: a, file: services/batch/failsame/deep/s3.py}\n  - {name: b, file: failsame/other.py}\n"
    )
    near, far = project.resolve(config)
    assert (near.lock, near.root, near.watch) == (lock, lock.parent, ("services/batch/**/*.py",))
    assert (far.lock, far.root, far.watch) == (project.folder / "uv.lock", project.folder, ("**/*.py",))


def test_a_built_in_subject_looks_from_its_root(project: Project) -> None:
    """A built-in's own file is failsame's: `root` says whose SDK is meant, else it is the repository's."""
    project.write("uv.lock", "httpx")
    lock = project.write("services/batch/uv.lock", "boto3")
    config = project.config("  - {builtin: boto3-s3, root: services/batch, name: mine}\n  - builtin: httpx\n")
    mine, httpx = project.resolve(config)
    assert (mine.name, mine.lock, mine.root, mine.informational) == ("mine", lock, lock.parent, False)
    assert (httpx.lock, httpx.dialect) == (project.folder / "uv.lock", "http")


def test_nothing_outside_the_repository_is_looked_at(project: Project, tmp_path: Path) -> None:
    """A lock file above the repository is somebody else's."""
    inner = Project(tmp_path.resolve() / "repository")
    project.write("uv.lock")
    inner.write("a.py")
    config = inner.config("  - {name: a, file: a.py}\n")
    assert inner.refused(config) == (
        f'{CONFIG} line 3: no lock file for the subject "a" (uv.lock, pylock.toml, requirements.txt): make one, for '
        'example with `uv lock`, or name one with "lock"'
    )


def test_each_subject_gets_the_lock_file_of_its_language(project: Project) -> None:
    """Side by side, and each looked for past the other's; a file's suffix says its language, and what is watched."""
    python, node = project.write("uv.lock", "httpx"), project.write("package-lock.json", "axios")
    inner = project.write("web/package-lock.json", "axios")
    names = ("web/a.py", "web/b.ts", "c.mjs", "d.cjs", "e.js")
    for name in names:
        project.write(name)
    found = project.resolve(
        project.config("".join(f"  - {{name: {Path(name).stem}, file: {name}}}\n" for name in names))
    )
    assert [(each.language, each.lock, each.project) for each in found] == [
        ("python", python, project.folder),
        ("node", inner, inner.parent),
        *[("node", node, project.folder)] * 3,
    ]
    assert found[1].watch == tuple(f"web/**/*{suffix}" for suffix in (".js", ".mjs", ".cjs", ".ts", ".mts", ".cts"))


def test_without_configuration_all_languages_are_looked_for(project: Project) -> None:
    """Each SDK of either lock file has its subject; another tool's lock file hides nothing of the other language."""

    class Sdk:
        name, file, distribution, dialect, language = "sdk-s3", Path("/s3.mjs"), "@sdk/s3", "s3", "node"

    builtins: Any = {"sdk-s3": Sdk(), **BUILTINS}
    project.write("package-lock.json", "!@sdk/s3 !boto3")
    locks = Locks(find=project.find, read=project.read)
    assert [each.name for each in subjects(None, project.folder, builtins, locks)] == ["sdk-s3"]
    project.write("uv.lock", "!boto3 !@sdk/s3")
    found = subjects(None, project.folder, builtins, locks)
    assert [(each.name, each.language, each.lock.name) for each in found] == [
        ("boto3-s3", "python", "uv.lock"),
        ("sdk-s3", "node", "package-lock.json"),
    ]

    def find(folder: Path, language: Language) -> Path | None:
        if language == "python":
            raise UsageError("only a poetry.lock")
        return project.find(folder, language)

    found = subjects(None, project.folder, builtins, Locks(find=find, read=project.read))
    assert [each.name for each in found] == ["sdk-s3"]
    (project.folder / "package-lock.json").unlink()
    with pytest.raises(UsageError, match=r"only a poetry\.lock"):
        subjects(None, project.folder, builtins, Locks(find=find, read=project.read))


def test_a_lock_file_of_the_command_line_is_for_its_language(project: Project) -> None:
    """With --lock for Python a subject for Node keeps its own."""
    given, node = project.write("old/uv.lock"), project.write("package-lock.json")
    project.write("a.py"), project.write("b.mjs")
    config = project.config("  - {name: a, file: a.py}\n  - {name: b, file: b.mjs}\n")
    assert [subject.lock for subject in project.resolve(config, given)] == [given, node]


def test_a_built_in_for_node_takes_no_python(project: Project) -> None:
    """What goes with Python only is refused on its line, for a built-in subject too."""

    class Sdk:
        name, file, distribution, dialect, language = "sdk-s3", Path("/s3.mjs"), None, "s3", "node"

    project.write("package-lock.json")
    config = project.config("  - builtin: sdk-s3\n    extras: [s3]\n")
    builtins: Any = {"sdk-s3": Sdk()}
    with pytest.raises(UsageError, match=f'{CONFIG} line 4: "extras" goes with Python only: '):
        subjects(config, project.folder, builtins, Locks(project.find, project.read))


def test_a_lock_file_of_the_command_line_moves_no_code(project: Project) -> None:
    """With --lock the versions come from that file, the code from where it was."""
    given = project.write("old/uv.lock", "boto3 !httpx")
    project.write("services/uv.lock")
    project.write("services/a.py")
    config = project.config("  - {name: a, file: services/a.py}\n  - builtin: boto3-s3\n")
    own, builtin = project.resolve(config, given)
    assert (own.lock, own.root) == (given, project.folder / "services")
    assert (builtin.lock, builtin.root) == (given, project.folder)
    assert [subject.root for subject in project.resolve(None, given)] == [project.folder]


def test_a_lock_file_that_ends_the_search(project: Project) -> None:
    """One that failsame cannot read is said, unless the command line names another."""

    def find(folder: Path, language: Language) -> Path | None:
        raise UsageError(f"{folder}: only a lock file of another tool")

    given = project.write("exported.lock")
    project.write("services/a.py")
    config = project.config("  - {name: a, file: services/a.py}\n")
    with pytest.raises(UsageError, match="services: only a lock file of another tool"):
        subjects(config, project.folder, BUILTINS, Locks(find=find, read=project.read))
    (subject,) = subjects(
        config, project.folder, BUILTINS, Locks(find=find, read=project.read, given={"python": given})
    )
    assert (subject.lock, subject.root) == (given, project.folder)


REFUSED = {
    "an SDK that is gone": (
        "  - name: mine\n    builtin: boto3-s3\n",
        'line 3: boto3 is not pinned in uv.lock: remove the subject "mine" or pin boto3',
    ),
    "an unknown built-in": (
        "  - builtin: boto-s3\n",
        'line 3: unknown built-in subject "boto-s3", did you mean "boto3-s3"?',
    ),
    "a missing file": (
        "  - name: a\n    file: failsame/a.py\n",
        'line 4: there is no file "failsame/a.py": create it, or remove the subject "a"',
    ),
    "a folder as a file": (
        "  - name: a\n    file: folder.py\n",
        'line 4: there is no file "folder.py": create it, or remove the subject "a"',
    ),
    "a name too long for any file": (
        f"  - name: a\n    file: {'a' * 300}.py\n",
        f'line 4: there is no file "{"a" * 59}…": create it, or remove the subject "a"',
    ),
    "a loop of links": (
        "  - name: a\n    file: loop/a.py\n",
        'line 4: there is no file "loop/a.py": create it, or remove the subject "a"',
    ),
    "a missing root": (
        "  - name: a\n    file: here.py\n    root: nowhere\n",
        'line 5: there is no folder "nowhere": create it, or remove the subject "a"',
    ),
    "a missing lock file": (
        "  - name: a\n    file: here.py\n    lock: b/uv.lock\n",
        'line 5: there is no file "b/uv.lock": create it, or remove the subject "a"',
    ),
    "a file behind a link": (
        "  - name: a\n    file: link/a.py\n",
        'line 4: "link/a.py" leads out of the repository: name a path inside it',
    ),
}


@pytest.mark.parametrize(("text", "message"), REFUSED.values(), ids=REFUSED.keys())
def test_what_is_not_there_is_a_usage_error(project: Project, tmp_path: Path, text: str, message: str) -> None:
    """A subject that cannot be what it says is said with its line, never left out in silence."""
    inner = Project(tmp_path.resolve() / "repository")
    inner.write("uv.lock", "flask")
    inner.write("here.py")
    (inner.folder / "folder.py").mkdir()
    project.write("outside/a.py")
    (inner.folder / "link").symlink_to(tmp_path / "outside")
    (inner.folder / "loop").symlink_to(inner.folder / "loop")
    assert inner.refused(inner.config(text)) == f"{CONFIG} {message}"


def test_budgets_arrive_with_what_is_declared(project: Project) -> None:
    """Rules, names of the catalogue and their words; numbers with their units, of other subjects too."""
    project.write("uv.lock", "httpx")
    project.write("a.py")
    config = project.config(
        "  - name: a\n    file: a.py\n    declare: {function_timeout: 30s, price: 0.0000166667}\n    budgets:\n"
        "      - {rule: give_up.max < function_timeout, because: it must, severity: should, slack: 500ms,\n"
        "         source: 'https://a.example/b'}\n"
        "      - function-timeout\n      - give_up.max + b.gap < 40s\n"
        "  - {name: b, file: a.py, declare: {gap: 2 * 3s}}\n"
    )
    first, second = project.resolve(config)
    plain, named, both = first.budgets
    assert (plain.because, plain.severity, plain.slack, plain.source, plain.name) == (
        "it must",
        "should",
        Fraction(1, 2),
        "https://a.example/b",
        None,
    )
    assert (named.name, named.rule.text, named.severity, named.slack) == (
        "function-timeout",
        "give_up.max < function_timeout",
        "must",
        Fraction(0),
    )
    assert both.rule.text == "give_up.max + b.gap < 40s"
    assert first.declared == {
        "function_timeout": Quantity(Fraction(30), SECONDS),
        "price": Quantity(Fraction(166667, 10**10), Dimension()),
    }
    assert second.declared == {"gap": Quantity(Fraction(6), SECONDS)}


@pytest.mark.parametrize("key", ["groups: [main]", "extras: [s3]", "package: billing"])
def test_what_cannot_be_chosen_from_is_refused(key: str, project: Project) -> None:
    """A requirements.txt is installed whole: a key that would choose from it says nothing, and is an error."""
    project.write("requirements.txt", "boto3")
    config = project.config(f"  - builtin: boto3-s3\n    lock: requirements.txt\n    {key}\n")
    name = key.partition(":")[0]
    said = f'line 5: "{name}" does not go with requirements.txt, all of which is installed: remove it'
    assert said in project.refused(config)
