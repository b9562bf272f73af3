"""Which subjects of a project a change has measured."""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from types import MappingProxyType

import pytest

from failsame.baseline import Baseline, lay_out
from failsame.gate import Before, Options, plan
from failsame.github.api import Comparison
from failsame.github.settings import settings
from failsame.github.watching import to_measure
from failsame.pins import Tree

CONFIG = """\
version: 1
subjects:
  - {name: unit, file: unit.py}
"""
FILES = {
    "failsame.yml": CONFIG,
    "unit.py": "",
    "requirements.txt": "ourclient==1.0.0\n",
    "README.md": "# One\n",
}
JOB = {
    "INPUT_TOKEN": "t",
    "GITHUB_REPOSITORY": "acme/batch",
    "GITHUB_EVENT_NAME": "pull_request",
    "GITHUB_EVENT_PATH": "event.json",
    "GITHUB_WORKSPACE": ".",
    "GITHUB_SHA": "2" * 40,
    "GITHUB_REF": "refs/pull/1/merge",
    "GITHUB_RUN_ID": "1",
    "GITHUB_WORKFLOW_REF": "acme/batch/.github/workflows/failsame.yml@refs/pull/1/merge",
}
README = {"README.md": "# Two\n"}


@dataclass(frozen=True)
class Change:
    """A project before and after."""

    folder: Path

    def measured(
        self,
        old: Mapping[str, str],
        new: Mapping[str, str | None],
        *,
        config: str | None = None,
        runtime: str = "python 3.13",
        relinked: Mapping[str, tuple[str, str]] = MappingProxyType({}),
    ) -> dict[str, str]:
        """Which subjects of `old` with the changes `new` (None: gone) are measured, and why.

        `relinked` are links that lead to one place before and to another after.
        """
        after = {path: text for path, text in {**old, **new}.items() if text is not None}
        for side, files in (("before", old), ("after", after)):
            for name in ("unit", "other", "third"):
                recorded = Baseline(
                    subject=name, suite=1, runtime=runtime, packages={"ourclient": "1.0.0"}, scenarios={}
                )
                _write(self.folder / side / f"baselines/{name}.json", lay_out(recorded))
            for path, text in files.items():
                _write(self.folder / side / path, text)
        paths = frozenset(path for path in {*old, *after} if old.get(path) != after.get(path)) | relinked.keys()
        for link, ends in relinked.items():
            for side, end in zip(("before", "after"), ends, strict=True):
                (self.folder / side / link).symlink_to(end)
        folder = self.folder / "after"
        before = Before(Tree(self.folder / "before"), base="1" * 40, commit="2" * 40, paths=paths)
        planned = plan(Options(folder=folder, config=folder / config if config else None, before=before))
        return to_measure(
            planned, Comparison("1" * 40, "2" * 40, paths), settings=settings({**JOB, "INPUT_CONFIG": config or ""})
        )


def _write(path: Path, text: str) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text)


@pytest.fixture
def change(tmp_path: Path) -> Change:
    return Change(tmp_path)


THREE = """\
version: 1
subjects:
  - {name: unit, file: unit.py, watch: ["unit.py"], budgets: ["attempts.max + other.attempts.max <= 5"]}
  - {name: other, file: other.py, watch: ["other.py"]}
  - {name: third, file: third.py, watch: ["third.py"], budgets: ["attempts.max <= 4"]}
"""


@pytest.mark.parametrize(
    ("touched", "others"),
    [
        ("unit.py", {"other": "a budget of unit names it"}),
        ("other.py", {"unit": "a budget of it names other"}),
        ("third.py", {}),
    ],
)
def test_budgets_bind_subjects(change: Change, touched: str, others: dict[str, str]) -> None:
    """Whatever a budget names is measured together, from whichever end it was touched; nothing else is."""
    old = {**FILES, "failsame.yml": THREE, "other.py": "", "third.py": ""}
    assert change.measured(old, {touched: "# new"}) == {touched.removesuffix(".py"): f"{touched} changed", **others}


@pytest.mark.parametrize("config", [None, "failsame.yml", "./failsame.yml"])
def test_the_configuration_is_watched(change: Change, config: str | None) -> None:
    """Also where the input names it in another spelling."""
    new = {"failsame.yml": CONFIG.replace("unit.py}", "unit.py, scenarios: [refused]}")}
    assert change.measured(FILES, new, config=config) == {"unit": "failsame.yml changed"}


def test_a_link_to_the_configuration_is_followed(change: Change) -> None:
    """Where the configuration is a link, the file it leads to is watched."""
    old = {**FILES, "real.yml": CONFIG}
    del old["failsame.yml"]
    new = {"real.yml": CONFIG.replace("unit.py}", "unit.py, scenarios: [refused]}")}
    (change.folder / "after").mkdir()
    (change.folder / "after/failsame.yml").symlink_to("real.yml")
    assert change.measured(old, new) == {"unit": "real.yml changed"}


def test_a_folder_that_is_a_link_to_another(change: Change) -> None:
    """The files in it are others, though none of them changed."""
    old = {**FILES, "requirements.txt": "-r deps/base.txt\n"}
    old |= {f"v{number}/base.txt": f"{HASH}{str(number) * 64}\n" for number in (1, 2)}
    assert change.measured(old, {}, relinked={"deps": ("v1", "v2")}) == {"unit": "deps changed"}


def npm(resolved: str = "https://npm.example/ourclient-1.0.0.tgz", integrity: str = "sha512-AAAA") -> str:
    """A package-lock.json."""
    ours = {"version": "1.0.0", "resolved": resolved, "integrity": integrity}
    root = {"name": "batch", "dependencies": {"ourclient": "*"}}
    return json.dumps({"lockfileVersion": 3, "packages": {"": root, "node_modules/ourclient": ours}})


PACKAGE = '{"name": "batch", "dependencies": {"ourclient": "*"}}'
NODE = {
    "failsame.yml": CONFIG.replace("unit.py", "unit.mjs"),
    "unit.mjs": "",
    "package.json": PACKAGE,
    "package-lock.json": npm(),
    "README.md": "# One\n",
}


def pnpm(patch: str) -> str:
    """A pnpm-lock.yaml with a patched package."""
    return f"""\
lockfileVersion: '9.0'
patchedDependencies:
  ourclient@1.0.0:
    hash: {patch}
    path: patches/ourclient.patch
importers:
  .:
    dependencies:
      ourclient:
        specifier: 1.0.0
        version: 1.0.0(patch_hash={patch})
packages:
  ourclient@1.0.0:
    resolution: {{integrity: sha512-AAAA}}
snapshots:
  ourclient@1.0.0(patch_hash={patch}): {{}}
"""


PNPM = {path: text for path, text in NODE.items() if path != "package-lock.json"} | {
    "pnpm-lock.yaml": pnpm("aaaa"),
    "patches/ourclient.patch": "-5",
}
VENDORED = {**NODE, "package-lock.json": npm("file:vendor/ours.tgz"), "vendor/ours.tgz": "A"}
HASH = "ourclient==1.0.0 --hash=sha256:"

SAME_VERSION: dict[str, tuple[dict[str, str], dict[str, str | None], str]] = {
    "another hash": (
        {**FILES, "requirements.txt": f"{HASH}{'a' * 64}\n"},
        {"requirements.txt": f"{HASH}{'b' * 64}\n"},
        "requirements.txt changed",
    ),
    "another index": (FILES, {"requirements.txt": "-i https://b/\nourclient==1.0.0\n"}, "requirements.txt changed"),
    "a hash in a file that is included": (
        {**FILES, "requirements.txt": "-r base.txt\n", "base.txt": "ourclient==1.0.0\n"},
        {"base.txt": f"{HASH}{'b' * 64}\n"},
        "base.txt changed",
    ),
    "another integrity": (NODE, {"package-lock.json": npm(integrity="sha512-BBBB")}, "package-lock.json changed"),
    "another address": (NODE, {"package-lock.json": npm("https://other.example/o.tgz")}, "package-lock.json changed"),
    "an archive that was packed again": (VENDORED, {"vendor/ours.tgz": "B"}, "vendor/ours.tgz changed"),
    "another registry": (NODE, {".npmrc": "registry=https://npm.example/"}, ".npmrc changed"),
    "the usual registry again": (
        {**NODE, ".npmrc": "registry=https://npm.example/"},
        {".npmrc": None},
        ".npmrc changed",
    ),
    "another patch": (PNPM, {"patches/ourclient.patch": "-1"}, "patches/ourclient.patch changed"),
    "another patch in the lock file": (PNPM, {"pnpm-lock.yaml": pnpm("bbbb")}, "pnpm-lock.yaml changed"),
    "modules of another kind": (
        NODE,
        {"package.json": PACKAGE.replace("{", '{"type": "module", ', 1)},
        "package.json changed",
    ),
    "modules of another kind below": (NODE, {"lib/package.json": '{"type": "module"}'}, "lib/package.json changed"),
}


@pytest.mark.parametrize("case", SAME_VERSION)
def test_the_same_version_may_be_another_package(change: Change, case: str) -> None:
    """What decides what is installed is watched, whether or not a version moves."""
    old, new, reason = SAME_VERSION[case]
    assert change.measured(old, new) == {"unit": reason}


@pytest.mark.parametrize("old", [FILES, NODE, PNPM])
def test_what_is_installed_is_told_from_what_is_not(change: Change, old: dict[str, str]) -> None:
    """Text, and other projects' installations, have nothing measured."""
    other = {"web/requirements.txt": "six==1.17.0\n", "web/.npmrc": "registry=https://npm.example/"}
    assert change.measured(old, {**README, **other}) == {}


def test_a_package_that_was_not_loaded_when_it_was_recorded(change: Change) -> None:
    """The client may have begun to use it since, or use it in an outage alone; the reason names it."""
    old = {**FILES, "requirements.txt": "ourclient==1.0.0\ntenacity==8.0.0\n"}
    new = {"requirements.txt": "ourclient==1.0.0\ntenacity==9.0.0\n"}
    assert change.measured(old, new) == {"unit": "tenacity 8.0.0 -> 9.0.0"}


@pytest.mark.parametrize("pattern", ["src/**", "./src/**", "src", "src/", "./src", ".", "src/*", "src/[a]/b.json"])
def test_what_a_pattern_means(change: Change, pattern: str) -> None:
    """With or without a dot in front; and a folder means all that is in it."""
    config = CONFIG.replace("unit.py}", f"unit.py, watch: ['{pattern}']}}")
    old = {**FILES, "failsame.yml": config, "src/a/b.json": "1"}
    assert change.measured(old, {"src/a/b.json": "2"}) == {"unit": "src/a/b.json changed"}


@pytest.mark.parametrize("folder", ["app/[slug]", "app/(x)", "app/{a,b}", "app/a*b"])
def test_a_folder_whose_name_looks_like_a_pattern(change: Change, folder: str) -> None:
    """Its files are watched by default like those of any other."""
    config = CONFIG.replace("unit.py", f"'{folder}/unit.py'")
    inside = {f"{folder}/{path}": FILES[path] for path in ("unit.py", "requirements.txt")}
    old = {"failsame.yml": config, **inside}
    assert change.measured(old, {f"{folder}/lib.py": "2"}) == {"unit": f"{folder}/lib.py changed"}
