"""The image does what it is for, as GitHub runs it."""

import json
import signal
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from tests.image.runner import CHECKOUTS_TOKEN, TOKEN, Job

PACKAGES = 59102
"""The user of the image that fills failsame's cache."""

# A client that ends unmeasured where it gets at what it must not see.
NOSY_PYTHON = """
    import pathlib, urllib.parse, http.client

    TARGETS = ("/proc/1/environ", "/github/workspace/.git/config", "/github/workflow/event.json")

    def client(endpoint):
        return urllib.parse.urlsplit(endpoint).port

    def call(port):
        for target in TARGETS:
            try:
                pathlib.Path(target).read_bytes()
            except PermissionError:
                continue
            raise AssertionError(target)
        connection = http.client.HTTPConnection("127.0.0.1", port)
        connection.request("GET", "/unit")
        return connection.getresponse().read()
"""
NOSY_NODE = """
    import { readFileSync } from "node:fs";

    const TARGETS = ["/proc/1/environ", "/github/workspace/.git/config", "/github/file_commands/set_env"];

    export const client = (endpoint) => endpoint;

    export async function call(endpoint) {
      for (const target of TARGETS) {
        try {
          readFileSync(target);
        } catch (error) {
          if (error.code === "EACCES") continue;
        }
        throw new Error(target);
      }
      return (await fetch(endpoint)).text();
    }
"""
CONFIGURATION = "version: 1\nsubjects:\n  - name: nosy\n    file: {file}\n"


def measured(job: Job, *arguments: str) -> "tuple[int, dict[str, Any], str]":
    """Run a command that measures; its status, its report, and what it said."""
    done = job.run(*arguments, "--report", "/github/home/report.json", network=True)
    report = job.home / "report.json"
    assert report.exists(), done.stderr
    return done.returncode, json.loads(report.read_text()), done.stdout + done.stderr


def test_the_checkout_is_not_imported(new_job: Callable[[str], Job]) -> None:
    """A package `failsame` in the checkout, or on the job's PYTHONPATH, does not take the action's place."""
    job = new_job("python-batch")
    (job.workspace / "failsame/__init__.py").write_text("raise SystemExit('the checkout was imported')")
    done = job.run("--version", more={"PYTHONPATH": "/github/workspace"})
    assert (done.returncode, done.stdout) == (0, "failsame 0.1.0\n"), done.stderr


def test_idle_time_is_skipped(new_job: Callable[[str], Job]) -> None:
    """The clock works under Docker's capabilities and rules, with confined clients of another user."""
    done = new_job("python-batch").run("doctor")
    assert "Idle time is skipped" in done.stdout, done.stdout + done.stderr
    assert "runs as a user of its own that gains no privileges" in done.stdout


def test_an_upgrade_is_blocked(new_job: Callable[[str], Job]) -> None:
    """botocore's change is seen in the image; the report says what is in force, and holds no token."""
    job = new_job("python-batch")
    job.own()
    before = {path: path.read_bytes() for path in job.workspace.rglob("*") if path.is_file()}
    scenarios = ("--scenario", "silent", "--scenario", "status-500", "--scenario", "tls-stall")
    status, report, said = measured(job, "check", "--old-lock", "before/requirements.txt", *scenarios)
    assert (status, report["verdict"], report["clock"]) == (1, "drift", "skip")
    (subject,) = report["subjects"]
    assert [one["name"] for one in subject["scenarios"] if one["drifts"]] == ["tls-stall", "silent", "status-500"]
    assert "of the job it sees the checkout alone" in subject["notes"][0]
    assert not {TOKEN, CHECKOUTS_TOKEN} & set(json.dumps(report).split('"'))
    assert TOKEN not in said
    assert {path: path.read_bytes() for path in job.workspace.rglob("*") if path.is_file()} == before
    cache = job.home / ".cache/failsame"
    (environment,) = (cache / "environments").iterdir()
    assert (cache / "home").stat().st_uid == PACKAGES
    assert {path.lstat().st_uid for path in (environment, *environment.rglob("*"))} == {0}, "nobody changes it any more"


@pytest.mark.parametrize(
    ("project", "file", "source"),
    [("python-batch", "failsame/nosy.py", NOSY_PYTHON), ("node-batch", "failsame/nosy.mjs", NOSY_NODE)],
)
def test_a_nosy_client(new_job: Callable[[str], Job], project: str, file: str, source: str) -> None:
    """A client whose own code looks for tokens finds none, and is measured like any other."""
    job = new_job(project)
    (job.workspace / file).write_text(source.replace("\n    ", "\n"))
    (job.workspace / ".github/failsame.yml").write_text(CONFIGURATION.format(file=file))
    job.own()
    for _ in range(2):  # the second time with the cache as actions/cache brings it back, the runner's
        status, report, said = measured(job, "measure", "--scenario", "healthy", "--scenario", "status-500")
        assert status == 0, said
        (subject,) = report["subjects"]
        assert [one["calls"][0]["both"]["outcome"] for one in subject["scenarios"]] == ["ok", "ok"]
        assert (subject["isolation"], subject["isolation_note"]) == ("fork", None)
        job.own()


def test_a_checkout_of_its_owner_alone(new_job: Callable[[str], Job]) -> None:
    """On a runner whose files others may not read, it is said what to do."""
    job = new_job("python-batch")
    job.workspace.chmod(0o700)
    done = job.run("check", "--old-lock", "before/requirements.txt")
    assert done.returncode == 3
    assert "run `chmod -R go+rX .` in a step before" in done.stderr


def test_process_1_heeds_sigterm(new_job: Callable[[str], Job]) -> None:
    """A job that is cancelled ends at once, and with the status of an interrupt: process 1 is failsame itself."""
    with new_job("python-batch").start("serve", "silent") as running:
        assert running.stdout is not None
        assert running.stdout.readline().startswith("http://127.0.0.1:")
        running.send_signal(signal.SIGTERM)
        assert running.wait(5) == 0  # `serve` is meant to be ended


def test_a_check_heeds_sigterm(new_job: Callable[[str], Job]) -> None:
    """A run in the middle of its trials ends as well, and leaves nothing in the job's folders."""
    job = new_job("python-batch")
    with job.start("check", "--old-lock", "before/requirements.txt", network=True) as running:
        assert running.stderr is not None
        for line in running.stderr:
            if "trials" in line:
                break
        running.send_signal(signal.SIGTERM)
        assert running.wait(15) == 130
    assert not list(Path(job.home).glob("report*"))
