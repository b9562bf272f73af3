"""What is wrong with a project for Node before anything is measured: one line, exit 2 or 3, and no file touched."""

from collections.abc import Callable
from dataclasses import dataclass

import pytest
from tests.cli.commanding import NODE_CLIENT, NODE_LOCK, NODE_MANIFEST, Ended, Project
from tests.cli.refusing import BASELINE, Bad, baseline, config, refused


def lock(text: str | None, line: str, name: str = "package-lock.json") -> Bad:
    return Bad(line, {"package-lock.json": None, name: text})


def subject(more: str, line: str) -> Bad:
    return config(f"subjects:\n  - name: good\n    file: good.mjs\n    {more}\n", line)


CASES = {
    "no lock file": lock(
        None,
        'failsame.yml line 3: no lock file for the subject "good" (npm-shrinkwrap.json, package-lock.json, '
        "pnpm-lock.yaml, yarn.lock): make one, for example with `npm install --package-lock-only`, or name one with",
    ),
    "another tool's lock file": lock(
        "", "{folder} has no lock file but bun.lock, which failsame does not read: keep one made by `", name="bun.lock"
    ),
    "a package-lock.json cut off": lock(NODE_LOCK[:90], "package-lock.json line 5 is cut off or no JSON: "),
    "a package-lock.json of npm 6": lock(
        '{"lockfileVersion": 1}', "package-lock.json says lockfileVersion 1, and failsame reads 2 and 3: write it again"
    ),
    "a package-lock.json of a later version": lock(
        '{"lockfileVersion": 9}', "package-lock.json says lockfileVersion 9, and failsame reads 2 and 3: update failsa"
    ),
    "a lock file that is no text": lock("{\n\udcff", "package-lock.json line 2: byte 0xff is not UTF-8: save"),
    "a huge lock file": lock(
        NODE_LOCK + " " * 20_000_001, "package-lock.json is larger than 20 MB: that is no lock file; name another with"
    ),
    "a pnpm-lock.yaml cut off": lock(
        "lockfileVersion: '9.0'\nimporters: {.: {dep",
        "pnpm-lock.yaml line 3 is cut off or no YAML: ",
        name="pnpm-lock.yaml",
    ),
    "a pnpm-lock.yaml of a later version": lock(
        "lockfileVersion: '99.0'\n", "pnpm-lock.yaml says lockfileVersion '99.0', and failsame", name="pnpm-lock.yaml"
    ),
    "a yarn.lock cut off": lock(
        "# yarn lockfile v1\n\nms@2.1.3:\n  ver", "yarn.lock line 3: ms has no version: lock again", name="yarn.lock"
    ),
    "a yarn.lock of a later version": lock(
        "# yarn lockfile v2\n", "yarn.lock is of a version that failsame does not read: ", name="yarn.lock"
    ),
    "an unknown key": subject("scenario: [silent]", 'failsame.yml line 5: unknown key "scenario", did you mean "scen'),
    "a key of Python's": subject(
        'python: "3.12"', 'failsame.yml line 5: "python" goes with Python only: Node is the "node" on the PATH'
    ),
    "an unknown scenario": subject("scenarios: [silnet]", 'failsame.yml line 5: unknown scenario or group "silnet", d'),
    "an unknown dialect": subject("dialect: s33", 'failsame.yml line 5: unknown dialect "s33", did you mean "s3"?'),
    "an unknown unit": config(
        "scenarios:\n  - name: slow\n    answers: [{status: 500, after: 3 parsecs}]\n",
        'failsame.yml line 4: unknown unit "parsecs" in "3 parsecs": the units are ms, s, min, h',
    ),
    "a file of no language": config(
        "subjects:\n  - {name: good, file: good.jsx}\n", 'failsame.yml line 3: "good.jsx" is no subject'
    ),
    "a subject's file that is not there": config(
        "subjects:\n  - {name: good, file: bad.mjs}\n", 'failsame.yml line 3: there is no file "bad.mjs": create it, o'
    ),
    "a subject whose SDK is gone": config(
        "subjects:\n  - builtin: axios\n", "failsame.yml line 3: axios is not pinned in package-lock.json: remove the s"
    ),
    "a baseline that is not JSON": baseline('{"schema": 1, "suite"', "{folder}/baselines/good.json:1:22: not JSON ("),
    "a baseline of a newer schema": baseline(
        BASELINE.replace('"schema": 1', '"schema": 2'), "{folder}/baselines/good.json: "
    ),
}


@dataclass(frozen=True)
class Cannot:
    """What is wrong with `ms` in both files, and what is said of it."""

    wrong: tuple[str, str]
    line: str
    hashed: bool = False
    """Whether the lock file has a hash: npm takes what it knows by that, whatever name and version say."""

    def files(self, folder: str) -> dict[str, str]:
        files = {"package.json": NODE_MANIFEST, "package-lock.json": NODE_LOCK, "good.mjs": NODE_CLIENT}
        if not self.hashed:
            files["package-lock.json"] = NODE_LOCK.replace('"integrity"', '"license"')
        return {f"{folder}/{name}": text.replace(*self.wrong) for name, text in files.items()}


GONE = "failsame-has-no-such-package"
INSTALLS = {
    "a-package-that-does-not-exist": Cannot(('ms"', f'{GONE}"'), f"line 6: the registry has no {GONE}"),
    "a-version-that-does-not-exist": Cannot(("2.1.3", "2.1.99"), "line 6: the registry has no ms 2.1.99"),
    "another-hash": Cannot(
        ("sha512-6F", "sha512-7F"), "line 7: the registry's file has another hash: lock again", True
    ),
}


@pytest.fixture(scope="module")
def checked(new_node_project: Callable[[], Project]) -> Ended:
    """One `check` of a repository in which each project has something wrong in it."""
    project = new_node_project()
    for name, cannot in INSTALLS.items():
        for path, text in cannot.files(name).items():
            project.write(path, text)
    subjects = "".join(f"  - {{name: {name}, file: {name}/good.mjs}}\n" for name in INSTALLS)
    project.write("failsame.yml", f"version: 1\nsubjects:\n{subjects}")
    return project.run("check")


@pytest.mark.parametrize("name", CASES)
def test_an_edit_mends_it(name: str, new_node_project: Callable[[], Project]) -> None:
    """What an edit mends is said in one line before anything runs, with exit 2."""
    refused(CASES[name], new_node_project())


@pytest.mark.install
@pytest.mark.parametrize("name", INSTALLS)
def test_it_cannot_be_installed(name: str, checked: Ended) -> None:
    """What cannot be had is said in one line that names the lock file's line, with exit 3."""
    (line,) = [line for line in checked.told if line.startswith(f"{name} was not measured: ")]
    assert f": {name}/package-lock.json {INSTALLS[name].line}" in line
    assert (checked.status, len(checked.told)) == (3, len(INSTALLS))
