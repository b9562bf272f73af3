"""Workflows, the action's own description, the code and the documents say the same."""

import os
import re
import shutil
import subprocess
from pathlib import Path
from typing import Any

import pytest
import yaml

from failsame.cli.github import app
from failsame.github.settings import Settings

ROOT = Path(__file__).parents[2]
OURS = sorted((ROOT / ".github/workflows").glob("*.yml"))
EXAMPLES = sorted((ROOT / "examples/workflows").glob("*.yml"))
SETUP = (ROOT / "docs/github.md").read_text(encoding="utf-8")

ACTIONLINT = "github.com/rhysd/actionlint/cmd/actionlint@v1.7.12"


def loaded(path: Path) -> Any:
    return yaml.safe_load(path.read_text(encoding="utf-8"))


ACTION = loaded(ROOT / "action.yml")


def steps(workflow: Path) -> list[Any]:
    return [step for job in loaded(workflow)["jobs"].values() for step in job["steps"]]


@pytest.mark.install
def test_actionlint() -> None:
    """Every workflow is one, ours and the examples: expressions, permissions, shell."""
    go = shutil.which("go") or pytest.skip("no go, which actionlint is made with")
    done = subprocess.run((go, "run", ACTIONLINT, *OURS, *EXAMPLES), capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr


@pytest.mark.parametrize("workflow", [*OURS, *EXAMPLES], ids=lambda path: path.name)
def test_rights_are_named(workflow: Path) -> None:
    """No workflow has rights that no job asks for, and every job says how long it may take."""
    content = loaded(workflow)
    assert content["permissions"] == {}
    assert all({"permissions", "timeout-minutes"} <= set(job) for job in content["jobs"].values())


@pytest.mark.parametrize("workflow", [*OURS, *EXAMPLES], ids=lambda path: path.name)
def test_actions_are_pinned(workflow: Path) -> None:
    """By commit, with the version beside it; our own by its major version, which the release moves."""
    for line in workflow.read_text(encoding="utf-8").splitlines():
        if found := re.search(r"uses: (\S+)(.*)", line):
            assert re.fullmatch(
                r"\S+@[0-9a-f]{40} # v\d+\.\d+\.\d+|failsame/failsame@v1|\./ # .*", "".join(found.groups())
            )


@pytest.mark.parametrize("workflow", EXAMPLES, ids=lambda path: path.name)
def test_examples_use_the_action_as_it_is(workflow: Path) -> None:
    """Inputs and outputs in the examples exist; a job that measures keeps no token in the checkout."""
    for step in steps(workflow):
        if step.get("uses", "").startswith("failsame/"):
            assert set(step.get("with", {})) <= set(ACTION["inputs"])
        if step.get("uses", "").startswith("actions/checkout@"):
            assert step["with"] == {"persist-credentials": False}
    used = set(re.findall(r"steps\.failsame\.outputs\.([a-z-]+)", workflow.read_text(encoding="utf-8")))
    assert used <= set(ACTION["outputs"])


@pytest.mark.parametrize("name", ["accept.yml", "renovate.yml"])
def test_no_acceptance_is_cancelled(name: str) -> None:
    """Of a group one run waits, and the next cancels it: so only acceptances of one pull request share a group."""
    workflow = loaded(ROOT / "examples/workflows" / name)
    assert "concurrency" not in workflow
    groups = {job: each.get("concurrency") for job, each in workflow["jobs"].items()}
    assert groups == {"accept": {"group": "failsame-accept-${{ github.event.pull_request.number }}"}, "rerun": None}


def test_required_checks_always_run() -> None:
    """No example has a path filter, which would leave a required check pending for ever."""
    assert not [
        path.name for path in EXAMPLES if re.search(r"^ +paths", path.read_text(encoding="utf-8"), re.MULTILINE)
    ]


@pytest.mark.parametrize("workflow", EXAMPLES, ids=lambda path: path.name)
def test_examples_are_documented(workflow: Path) -> None:
    """docs/github.md leads to each."""
    assert f"(../examples/workflows/{workflow.name})" in SETUP


@pytest.mark.parametrize("kind", ["inputs", "outputs"])
def test_inputs_and_outputs_are_documented(kind: str) -> None:
    """The document's tables name exactly the action's inputs, with their defaults, and its outputs."""
    section = SETUP.partition(f"## {kind.capitalize()}\n")[2].partition("\n## ")[0]
    rows = dict(re.findall(r"^\| `([a-z-]+)` \| ([^|]*)\|", section, re.MULTILINE))
    assert set(rows) == set(ACTION[kind])
    if kind == "inputs":
        stated = {name: told.strip().strip("`") for name, told in rows.items()}
        assert stated == {name: each.get("default", "") for name, each in ACTION[kind].items()}


def test_the_entry_point_is_the_codes() -> None:
    """The image enters where action.yml's last word belongs, at a path that it makes."""
    dockerfile = (ROOT / "Dockerfile").read_text(encoding="utf-8")
    assert 'ENTRYPOINT ["/opt/failsame/bin/python", "-I", "-m", "failsame", "github"]' in dockerfile
    assert ACTION["runs"] == {"using": "docker", "image": "Dockerfile", "args": ["${{ inputs.command }}"]}


def test_inputs_are_those_the_code_reads() -> None:
    """Each input of the action is a setting of the code, and each such setting an input; `command` is a command."""
    read = {field.alias or "" for field in Settings.model_fields.values()}
    inputs = {f"INPUT_{name.upper()}" for name in ACTION["inputs"] if name != "command"}
    assert {name for name in read if name.startswith("INPUT_")} == inputs
    commands = {command.callback.__name__ for command in app.registered_commands if command.callback}
    assert set(re.findall(r"`(\w+)` (?:measures|posts|opens)", ACTION["inputs"]["command"]["description"])) == commands


def test_outputs_are_those_the_code_sets() -> None:
    """Each output of the action is set somewhere in the code, and no other."""
    code = "".join(path.read_text(encoding="utf-8") for path in (ROOT / "src/failsame/github").rglob("*.py"))
    assert set(re.findall(r'runner\.output\("([a-z-]+)"', code)) == set(ACTION["outputs"])


def test_images_are_pinned() -> None:
    """Every base of the image is pinned by digest, every package by hash."""
    bases = re.findall(r"^FROM (\S+)", (ROOT / "Dockerfile").read_text(encoding="utf-8"), re.MULTILINE)
    stages = {"base", "node", "clock", "packages", "source"}
    assert all(re.fullmatch(r"\S+:\S+@sha256:[0-9a-f]{64}", base) for base in bases if base not in stages)
    packages = (ROOT / "requirements-image.txt").read_text(encoding="utf-8")
    assert len(re.findall(r"^\S+==\S+", packages, re.MULTILINE)) == len(
        re.findall(r"\\\n +--hash=.*(?:\n +--hash.*)*", packages)
    )


def test_the_image_has_what_the_code_requires() -> None:
    """requirements-image.txt holds a version for each of the project's requirements that satisfies it."""
    project = (ROOT / "pyproject.toml").read_text(encoding="utf-8")
    wanted = set(re.findall(r'^    "([a-z0-9-]+)>=', project.partition("[dependency-groups]")[0], re.MULTILINE))
    held = set(
        re.findall(r"^([a-z0-9-]+)==", (ROOT / "requirements-image.txt").read_text(encoding="utf-8"), re.MULTILINE)
    )
    assert wanted <= held, f"run `make requirements`: {os.linesep.join(sorted(wanted - held))}"
