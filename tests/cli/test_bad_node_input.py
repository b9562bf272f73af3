"""The same for clients for Node: their lock files, their configuration, their baselines."""

from collections.abc import Callable

import pytest
from tests.cli.commanding import NODE_LOCK, NODE_MANIFEST, AtOnce, Project
from tests.cli.refusing import Bad, begun, refused, shown_right

BASELINE = '{"schema": 1, "suite": 1, "subject": "good", "runtime": "node 22.18", "packages": {}, "scenarios": {}}\n'


def lock(text: str | None, line: str, *, name: str = "package-lock.json", status: int = 2) -> Bad:
    return Bad(line, {"package-lock.json": None, name: text}, status=status)


def without_hash(old: str, new: str, line: str) -> Bad:
    """Another package or version, of which nobody knows a hash, in both files."""
    package_lock = NODE_LOCK.replace(old, new).replace('"integrity"', '"license"')
    return Bad(line, {"package.json": NODE_MANIFEST.replace(old, new), "package-lock.json": package_lock}, status=3)


def config(text: str, line: str) -> Bad:
    return Bad(line, {"failsame.yml": "version: 1\n" + text})


def subject(more: str, line: str) -> Bad:
    return config(f"subjects:\n  - name: good\n    file: good.mjs\n    {more}\n", line)


def baseline(text: str, line: str) -> Bad:
    return Bad(line, {"baselines/good.json": text})


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

INSTALLS = {
    "a package that does not exist": without_hash(
        "ms",
        "failsame-has-no-such-package",
        "good was not measured: package-lock.json line 6: the registry has no failsame-has-no-such-package",
    ),
    "a version that does not exist": without_hash(
        "2.1.3", "2.1.99", "good was not measured: package-lock.json line 6: the registry has no ms"
    ),
    "another hash": lock(
        NODE_LOCK.replace("sha512-6F", "sha512-7F"),
        "good was not measured: package-lock.json line 7: the registry's file has another hash: lock again",
        status=3,
    ),
}


@pytest.fixture(scope="module")
def projects(at_once: AtOnce, new_node_project: Callable[[], Project]) -> dict[str, Project]:
    return begun(at_once, CASES, new_node_project)


@pytest.fixture(scope="module")
def installing(at_once: AtOnce, new_node_project: Callable[[], Project]) -> dict[str, Project]:
    return begun(at_once, INSTALLS, new_node_project)


@pytest.mark.parametrize("name", CASES)
def test_an_edit_mends_it(name: str, projects: dict[str, Project], at_once: AtOnce) -> None:
    """What an edit mends is said in one line before anything runs, with exit 2."""
    refused(CASES[name], at_once[name], projects[name])


@pytest.mark.install
@pytest.mark.parametrize("name", INSTALLS)
def test_it_cannot_be_installed(name: str, installing: dict[str, Project], at_once: AtOnce) -> None:
    """What cannot be had is said in one line that names the lock file's line, with exit 3."""
    shown_right(INSTALLS[name], at_once[name], installing[name])
