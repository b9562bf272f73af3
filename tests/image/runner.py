"""A job of GitHub's: the folders that its runner mounts into a container action, and the variables that it sets."""

import json
import os
import shutil
import subprocess
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from tests.image.engine import ROOT, Container, Engine, Mount

TOKEN = "ghs_thisIsTheTokenOfTheJob0123456789abcd"
CHECKOUTS_TOKEN = "AUTHORIZATION: basic eC1hY2Nlc3MtdG9rZW46Z2hzXw=="
_RUNNER = 1001
"""The user that the runner's files belong to."""

# How this machine's package managers get at their registries: beside what a job would have set for itself.
_REGISTRIES = ("PIP_", "UV_", "SSL_CERT_", "NODE_EXTRA_CA_CERTS", "npm_config_", "HTTP", "http", "NO_PROXY", "no_proxy")
_REGISTRY_FILES = ("/etc/npmrc", "/etc/ssl/certs")


@dataclass(frozen=True)
class Job:
    """A job with a checkout in its workspace."""

    engine: Engine
    temp: Path

    @classmethod
    def with_checkout(cls, engine: Engine, temp: Path, project: str) -> "Job":
        """Of one of the repository's fixtures, as actions/checkout leaves it: its token is in `.git/config`."""
        job = cls(engine, temp)
        shutil.copytree(ROOT / "fixtures" / project, job.workspace)
        (job.workspace / ".git").mkdir()
        (job.workspace / ".git/config").write_text(f'[http "https://github.com/"]\n\textraheader = {CHECKOUTS_TOKEN}\n')
        for name in ("_github_home", "_github_workflow", "_runner_file_commands"):
            (temp / name).mkdir()
        for name in ("set_env", "set_output", "add_path", "step_summary"):
            (temp / "_runner_file_commands" / name).touch()
        (temp / "_github_workflow/event.json").write_text("{}")
        job.own()
        return job

    @property
    def workspace(self) -> Path:
        """The checkout."""
        return self.temp / "checkout"

    @property
    def home(self) -> Path:
        """The container's home folder."""
        return self.temp / "_github_home"

    def own(self) -> None:
        """All is the runner's."""
        for folder, names, files in os.walk(self.temp):
            for name in (".", *names, *files):
                os.chown(Path(folder, name), _RUNNER, _RUNNER, follow_symlinks=False)
        self.temp.chmod(0o755)

    def said(self, command: str) -> str:
        """What was written to one of the files for commands to the runner."""
        return (self.temp / "_runner_file_commands" / command).read_text(encoding="utf-8")

    def event(self, payload: Mapping[str, Any]) -> None:
        """Set the event that started the job."""
        (self.temp / "_github_workflow/event.json").write_text(json.dumps(payload), encoding="utf-8")

    @contextmanager
    def start(
        self,
        *arguments: str,
        program: str | None = None,
        network: bool = False,
        more: Mapping[str, str] | None = None,
        mounts: Sequence[Mount] = (),
    ) -> "Iterator[subprocess.Popen[str]]":
        """Run the action with other last words, or a program of the image."""
        container = Container(
            arguments=arguments,
            environment={**self._variables(), **(_registries() if network else {}), **(more or {})},
            mounts=(*self._mounts(), *(_registry_mounts() if network else ()), *mounts),
            folder="/github/workspace",
            network=network,
            program=program,
        )
        with self.engine.start(container) as running:
            yield running

    def run(self, *arguments: str, **how: Any) -> "subprocess.CompletedProcess[str]":
        """Run it to its end."""
        with self.start(*arguments, **how) as running:
            output, said = running.communicate()
            return subprocess.CompletedProcess(arguments, running.returncode, output, said)

    def _variables(self) -> dict[str, str]:
        return {
            "CI": "true",
            "HOME": "/github/home",
            "GITHUB_ACTIONS": "true",
            "GITHUB_TOKEN": TOKEN,
            "GITHUB_REPOSITORY": "octo/batch",
            "GITHUB_EVENT_NAME": "pull_request",
            "GITHUB_EVENT_PATH": "/github/workflow/event.json",
            "GITHUB_WORKSPACE": "/github/workspace",
            "GITHUB_ENV": "/github/file_commands/set_env",
            "GITHUB_OUTPUT": "/github/file_commands/set_output",
            "GITHUB_PATH": "/github/file_commands/add_path",
            "GITHUB_STEP_SUMMARY": "/github/file_commands/step_summary",
            "RUNNER_TEMP": "/github/runner_temp",
            "INPUT_TOKEN": TOKEN,
            "ACTIONS_RUNTIME_TOKEN": TOKEN,
        }

    def _mounts(self) -> list[Mount]:
        return [
            Mount(self.temp, "/github/runner_temp"),
            Mount(self.home, "/github/home"),
            Mount(self.temp / "_github_workflow", "/github/workflow"),
            Mount(self.temp / "_runner_file_commands", "/github/file_commands"),
            Mount(self.workspace, "/github/workspace"),
        ]


def _registries() -> dict[str, str]:
    return {name: value for name, value in os.environ.items() if name.startswith(_REGISTRIES)}


def _registry_mounts() -> list[Mount]:
    return [Mount(Path(file), file) for file in _REGISTRY_FILES if Path(file).exists()]
