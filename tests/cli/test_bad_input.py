"""What is wrong before anything is measured: one line (what, where, remedy), exit 2 or 3, and no file touched."""

import os
from collections.abc import Callable

import pytest
from tests.cli.commanding import LOCK, AtOnce, Project
from tests.cli.refusing import BASELINE, Bad, baseline, config, laid_out, refused, shown_right


def lock(text: str | None, line: str, **more: object) -> Bad:
    return Bad(line, {"requirements.txt": text}, **more)  # type: ignore[arg-type]


def uv_lock(text: str, line: str) -> Bad:
    files = {"requirements.txt": None, "uv.lock": text, "pyproject.toml": "[project]\nname = 'a'\nversion = '1'\n"}
    return Bad(line, files)


def subject(more: str, line: str) -> Bad:
    return config(f"subjects:\n  - name: good\n    file: good.py\n    {more}\n", line)


def asked(*command: str, line: str) -> Bad:
    return Bad(line, command=command)


CASES = {
    "no lock file": lock(
        None,
        'failsame.yml line 3: no lock file for the subject "good" (uv.lock, pylock.toml, requirements.txt): make one',
    ),
    "another tool's lock file": Bad(
        "{folder} has no lock file but poetry.lock, which failsame does not read: keep one made by `poetry export",
        {"requirements.txt": None, "poetry.lock": ""},
    ),
    "a requirement without a version": lock("six==1.17.0\nsix-more\n", "requirements.txt line 2: six-more is not pin"),
    "an empty lock file": lock("# nothing\n", "requirements.txt pins nothing: pin all versions"),
    "a lock file that is no text": lock("six==1.17.0\n\udcff", "requirements.txt line 2: byte 0xff is not UTF-8: save"),
    "a huge lock file": lock(
        LOCK + "#" * 20_000_001, "requirements.txt is larger than 20 MB: that is no lock file; name another with"
    ),
    "a uv.lock cut off": uv_lock('version = 1\n[[package]]\nname = "si', "uv.lock is cut off or no TOML: "),
    "a uv.lock of a later version": uv_lock("version = 9\n", "uv.lock "),
    "a pylock.toml of a later version": Bad(
        "pylock.toml ", {"requirements.txt": None, "pylock.toml": 'lock-version = "9.0"\npackages = []\n'}
    ),
    "an unknown key": subject("scenario: [silent]", 'failsame.yml line 5: unknown key "scenario", did you mean "scen'),
    "an unknown scenario": subject("scenarios: [silnet]", 'failsame.yml line 5: unknown scenario or group "silnet", d'),
    "an unknown dialect": subject("dialect: s33", 'failsame.yml line 5: unknown dialect "s33", did you mean "s3"?'),
    "an unknown unit": config(
        "scenarios:\n  - name: slow\n    answers: [{status: 500, after: 3 parsecs}]\n",
        'failsame.yml line 4: unknown unit "parsecs" in "3 parsecs": the units are ms, s, min, h',
    ),
    "no YAML": config("subjects: [\n", "failsame.yml line 3: not YAML: "),
    "a subject's file that is not there": config(
        "subjects:\n  - {name: good, file: bad.py}\n", 'failsame.yml line 3: there is no file "bad.py": create it, or'
    ),
    "a subject whose SDK is gone": config(
        "subjects:\n  - builtin: httpx\n", "failsame.yml line 3: httpx is not pinned in requirements.txt: remove the s"
    ),
    "a baseline that is not JSON": baseline('{"schema": 1, "suite"', "{folder}/baselines/good.json:1:22: not JSON ("),
    "a baseline of a newer schema": baseline(
        BASELINE.replace('"schema": 1', '"schema": 2'), "{folder}/baselines/good.json: "
    ),
    "a baseline of another subject": baseline(BASELINE.replace('"good"', '"other"'), "{folder}/baselines/good.json: "),
    "a baseline that is not JSON, to be recorded over": baseline("[]", "{folder}/baselines/good.json: ", "record"),
    "a coming file that is not JSON": Bad(
        "{folder}/baselines/coming/good@0123abcd.json:1:2: not JSON (",
        {"baselines/good.json": BASELINE, "baselines/coming/good@0123abcd.json": "{"},
    ),
    "a subject that is not there": asked("check", "--subject", "goof", line='unknown subject "goof", did you mean "go'),
    "a scenario that is not there": asked(
        "measure", "--scenario", "silnet", line='unknown scenario or group "silnet", did you mean "silent"?'
    ),
    "a horizon of an unknown unit": asked(
        "measure", "--horizon", "3parsecs", line='--horizon 3parsecs: unknown unit "parsecs" in "3parsecs": the units'
    ),
    "no horizon": asked("measure", "--horizon", "0s", line="--horizon 0s: a call may last from more than 0 s to 24 h"),
    "a lock file that is not there": asked("measure", "--lock", "x.txt", line="there is no lock file x.txt: name one"),
    "an old lock file that is not there": asked(
        "check", "--old-lock", "x.txt", line="there is no lock file x.txt: name one that is there with --old-lock"
    ),
    "two things to compare with": asked(
        "check", "--old-lock", "a", "--base", "b", line="--base and --old-lock both say what to compare with: give one"
    ),
    "a base without a repository": asked("check", "--base", "main", line="{folder} is in no git repository that can"),
    "a configuration that is not there": asked(
        "check", "--config", "x.yml", line="x.yml: cannot be read (No such file"
    ),
    "a report that is not there": asked("compare", "a.json", "b.json", line="a.json: cannot be read (No such file or"),
    "a baseline in the place of a report": Bad(
        "baselines/good.json: a baseline, and no report: give a file that `--report` wrote; `failsame check` compares",
        {"baselines/good.json": BASELINE},
        ("compare", "baselines/good.json", "good.py"),
    ),
    "a file that would be passed over": Bad(
        "{folder}/baselines/coming/good@1.json: no coming file is called so, and it would be passed over: call it",
        {"baselines/good.json": BASELINE, "baselines/coming/good@1.json": "{}"},
    ),
    "a dialect that does not throttle": asked(
        "serve", "throttled", line="throttled cannot be served so, the dialect has no throttling error of its own: name"
    ),
    "a report that is none": asked("compare", "good.py", "good.py", line="good.py: not JSON ("),
    "a scenario to explain": asked("explain", "silnet", line='unknown name "silnet", did you mean "silent"?'),
    "a scenario to serve": asked("serve", "silnet", line='unknown scenario "silnet", did you mean "silent"?'),
    "a dialect to serve": asked(
        "serve", "silent", "--dialect", "s33", line="unknown dialect 's33': it must be one of http, s3,"
    ),
}


INSTALLS = {
    "a package that does not exist": lock(
        "failsame-no-such-package==1.0\n",
        "good was not measured: requirements.txt line 1: the index has no package failsame-no-such-package: mend the",
        status=3,
    ),
    "a hash cut off": lock(
        "six==1.17.0 \\\n    --hash=sha2", "requirements.txt: sha2 is no hash: lock again, all of it"
    ),
    "a version that does not exist": lock(
        "six==1.17.0.1\n",
        "good was not measured: requirements.txt line 1: the index has no six 1.17.0.1: lock again, or name your own",
        status=3,
    ),
}


@pytest.fixture(scope="module")
def installing(at_once: AtOnce, new_project: Callable[[], Project]) -> dict[str, Project]:
    projects = {name: laid_out(case, new_project()) for name, case in INSTALLS.items()}
    for name, project in projects.items():
        at_once.begin(name, lambda project=project: project.run("check"))  # type: ignore[misc]
    return projects


@pytest.mark.parametrize("name", CASES)
def test_an_edit_mends_it(name: str, project: Project) -> None:
    """What an edit mends is said in one line before anything runs, with exit 2."""
    refused(CASES[name], project)


@pytest.mark.install
@pytest.mark.parametrize("name", INSTALLS)
def test_it_cannot_be_installed(name: str, installing: dict[str, Project], at_once: AtOnce) -> None:
    """What cannot be had is said in one line that names the lock file's line, with exit 3."""
    shown_right(INSTALLS[name], at_once[name], installing[name])


@pytest.mark.parametrize(
    ("command", "said"),
    [
        (("bogus",), "No such command 'bogus'."),
        (("measure", "--bogus"), "No such option: --bogus"),
        (("measure", "--clock", "fast"), "'fast' is not one of 'auto', 'skip', 'real'."),
        (
            ("serve", "silent", "--port", "70000"),
            "Invalid value for '--port': Input should be less than or equal to 65535",
        ),
        (("explain",), "Missing argument 'NAME'."),
        (("measure", "--report", "nowhere/a.json"), "there is no folder nowhere: make it first"),
        (("measure", "--report", "/dev/null"), "/dev/null is there and no regular file: give another place"),
        (("measure", "--report", "x" * 300), "cannot be a file: give another place"),
    ],
)
def test_wrong_usage(command: tuple[str, ...], said: str, project: Project) -> None:
    """A command line that cannot be understood: exit 2, and the words that are wrong."""
    ended = project.invoke(*command)
    assert ended.status == 2
    assert said in " ".join(ended.err.replace("│", " ").split())


@pytest.mark.skipif(os.geteuid() == 0, reason="root may read everything")
def test_a_baseline_that_may_not_be_read(project: Project) -> None:
    """A file without the right to read it is one line, too."""
    project.write("baselines/good.json", BASELINE).chmod(0)
    ended = project.run("check")
    assert (ended.status, len(ended.told)) == (2, 1)
