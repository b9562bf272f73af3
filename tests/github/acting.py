"""The action as a workflow runs it: a checkout, an event, the runner's environment; and what it leaves behind."""

import json
import os
import re
import subprocess
import sys
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from tests.github.hub.server import SECRET, Hub
from tests.github.hub.state import NAME, Pull, Run

SCENARIO = "status-500"


@dataclass(frozen=True)
class Ended:
    """A step that ended."""

    status: int
    log: str
    outputs: dict[str, str]
    summary: str
    report: Any
    folder: Path

    @property
    def annotations(self) -> list[str]:
        """The workflow commands that the runner would obey."""
        return obeyed(self.log)


class Action:
    """Runs the action's commands against a hub."""

    def __init__(self, hub: Hub, folder: Path, cache: Path) -> None:
        self.hub = hub
        self.cache = cache
        self._folder = folder
        self._steps = 0

    def run(self, command: str, event: str, payload: Mapping[str, Any], sha: str | None, **more: str) -> Ended:
        """Run a command in a job of its own, with `sha` checked out, or nothing."""
        self._steps += 1
        folder = self._folder / str(self._steps)
        workspace = folder / "workspace"
        workspace.mkdir(parents=True)
        if sha is not None:
            self.hub.repository.check_out(sha, workspace)
        (folder / "event.json").write_text(json.dumps(payload))
        variables = {
            "PATH": os.environ["PATH"],
            "HOME": os.environ["HOME"],
            "FAILSAME_CACHE": str(self.cache),
            "GITHUB_API_URL": self.hub.api,
            "GITHUB_GRAPHQL_URL": f"{self.hub.api}/graphql",
            "GITHUB_REPOSITORY": NAME,
            "GITHUB_EVENT_NAME": event,
            "GITHUB_EVENT_PATH": str(folder / "event.json"),
            "GITHUB_WORKSPACE": str(workspace),
            "GITHUB_SHA": sha or self.hub.repository.tip.sha,
            "GITHUB_REF": "refs/heads/main",
            "GITHUB_RUN_ID": "77",
            "GITHUB_RUN_ATTEMPT": "1",
            "GITHUB_WORKFLOW_REF": f"{NAME}/.github/workflows/failsame.yml@refs/heads/main",
            "GITHUB_OUTPUT": str(folder / "output"),
            "GITHUB_STEP_SUMMARY": str(folder / "summary.md"),
            "INPUT_TOKEN": SECRET,
            **{name: os.environ[name] for name in os.environ if name.startswith(("UV_", "PIP_", "SSL_"))},
            **more,
        }
        ran = subprocess.run(
            [sys.executable, "-I", "-m", "failsame", "github", command],
            cwd=workspace,
            env=variables,
            capture_output=True,
            text=True,
            check=False,
        )
        assert ran.stderr == "", ran.stderr
        assert "Traceback" not in ran.stdout, ran.stdout
        output, summary = folder / "output", folder / "summary.md"
        reports = list(workspace.glob("*-report.json"))
        ended = Ended(
            ran.returncode,
            ran.stdout,
            outputs(output.read_text()) if output.exists() else {},
            summary.read_text() if summary.exists() else "",
            json.loads(reports[0].read_text()) if reports else None,
            workspace,
        )
        assert SECRET not in "".join([ended.log, ended.summary, str(ended.outputs), json.dumps(ended.report)])
        return ended

    def check(self, pull: Pull, action: str = "opened", **more: str) -> Ended:
        """Judge a pull request as it is now, in a run that uploads its report."""
        payload = self.hub.shapes.event(pull, action)
        ended = self.run("check", "pull_request", payload, self.hub.repository.merged_tree(pull).sha, **more)
        self.record_run(pull, ended)
        return ended

    def record_run(self, pull: Pull, ended: Ended) -> Run:
        """What GitHub keeps of a run: its conclusion, and the report that it uploaded."""
        repository = self.hub.repository
        run = repository.add_run(
            head_sha=repository.head_sha(pull),
            head_branch=pull.head,
            conclusion="success" if ended.status == 0 else "failure",
            repository=pull.head_repository,
        )
        for report in ended.folder.glob("*-report.json"):
            repository.upload(run, report.stem, {report.name: report.read_bytes()})
        return run


def outputs(text: str) -> dict[str, str]:
    """Read an output file as the runner does."""
    found, lines = {}, iter(text.splitlines())
    for line in lines:
        name, _, word = line.partition("<<")
        value = []
        for inner in lines:
            if inner == word:
                break
            value.append(inner)
        found[name] = "\n".join(value)
    return found


def obeyed(log: str) -> list[str]:
    """The commands in a log that the runner obeys, as it does: none between stop-commands and its word."""
    commands, stopped = [], None
    for line in log.splitlines():
        told = re.match(r"\s*::([\w-]+)(?: [^:]*)?::(.*)", line)
        if stopped is not None:
            if line.strip() == f"::{stopped}::":
                stopped = None
        elif told and told[1] == "stop-commands":
            stopped = told[2]
        elif told or "##[" in line:
            commands.append(line)
    return commands


def label(action: Action, pull: Pull, name: str, by: str, event: str = "pull_request") -> Ended:
    """Somebody puts a label on, and the workflow that accepts runs."""
    pull.labels.append(name)
    payload = action.hub.shapes.event(pull, "labeled", sender=by, label=action.hub.shapes.label(name))
    return action.run("accept", event, payload, None)


def merge(action: Action, pull: Pull) -> Ended:
    """A pull request is merged, and the workflow on the default branch runs."""
    repository = action.hub.repository
    before = repository.tip.sha
    after = repository.merge(pull)
    payload = {
        "ref": "refs/heads/main",
        "before": before,
        "after": after,
        "commits": [{"id": after}],
        "repository": {"full_name": NAME, "default_branch": "main"},
        "sender": action.hub.shapes.user("octocat"),
    }
    return action.run("accept", "push", payload, None, GITHUB_SHA=after)
