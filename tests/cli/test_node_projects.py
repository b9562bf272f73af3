"""Projects for Node as other package managers lock them, in one repository: recorded, upgraded, and gated."""

import json
import os
from collections.abc import Callable
from dataclasses import dataclass

import pytest
from tests.cli.commanding import FAST, Ended, Project
from tests.environments.node_projects import LOCKINGS, locked, programs, run
from tests.node.noding import Newer

pytestmark = pytest.mark.install

OLD, NEW = "2.1.2", "2.1.3"

# What an upgrade changed: five tries with the older of two dependencies, three with the newer.
TRIES = f'version === "{OLD}" ? 5 : 3'
TRY = f"""\
  for (let left = {TRIES}; left > 0; left -= 1) {{
    const answer = await fetch(`${{url}}/unit`);
    if (answer.ok) return answer.text();
  }}
  throw new RangeError("no answer");
"""

WORKSPACE = {
    "package.json": '{ "private": true }\n',
    "pnpm-workspace.yaml": "packages: ['packages/*']\n",
    "packages/app/package.json": '{ "type": "module", "dependencies": { "@own/retrying": "workspace:*" } }\n',
    "packages/app/unit.ts": """\
import { get } from "@own/retrying";

type Client = { readonly url: string };

export const client = (endpoint: string): Client => ({ url: endpoint });
export const call = ({ url }: Client): Promise<string> => get(url);
""",
    "packages/retrying/package.json": """\
{ "name": "@own/retrying", "type": "module", "exports": "./index.js", "dependencies": { "ms": "@version" } }
""",
    "packages/retrying/index.js": f"""\
import {{ createRequire }} from "node:module";

const {{ version }} = createRequire(import.meta.url)("ms/package.json");

export async function get(url) {{
{TRY}}}
""",
}

PLAIN = {
    "package.json": '{ "name": "plain", "dependencies": { "ms": "@version" } }\n',
    "unit.cjs": f"""\
const {{ version }} = require("ms/package.json");

exports.client = (endpoint) => endpoint;
exports.call = async (url) => {{
{TRY}}};
""",
}


@dataclass(frozen=True)
class Kind:
    """A project: its subject, how it is locked, and the line of the lock file on which its dependency stands."""

    subject: str
    locking: str
    line: int
    files: dict[str, str]

    @property
    def lock(self) -> str:
        return LOCKINGS[self.locking].lock


KINDS = {
    "typescript-in-a-workspace": Kind("packages/app/unit.ts", "pnpm 10", 25, WORKSPACE),
    "commonjs": Kind("unit.cjs", "yarn 4", 9, PLAIN),
}


@pytest.fixture(scope="module")
def upgraded(
    tmp_path_factory: pytest.TempPathFactory, new_project: Callable[[], Project], newer: Newer
) -> tuple[Project, Ended]:
    """Both recorded and committed, and another version locked; and what `check` says of that."""
    project, shelf = new_project(), tmp_path_factory.mktemp("managers")
    managers = {name: programs(shelf, kind.locking) for name, kind in KINDS.items()}
    path = {"PATH": ":".join(map(str, (newer("22").parent, *managers.values(), os.environ["PATH"])))}
    subjects = "".join(f"  - {{name: {name}, file: {name}/{kind.subject}}}\n" for name, kind in KINDS.items())
    project.write("failsame.yml", f"version: 1\nsubjects:\n{subjects}")
    project.write(".gitignore", ".yarn\nreport.json\n")

    def move_to(version: str) -> None:
        for name, kind in KINDS.items():
            files = {path: text.replace("@version", version) for path, text in kind.files.items()}
            locked(project.folder / name, kind.locking, managers[name], dict(files))

    move_to(OLD)
    recorded = project.run("record", *FAST, variables=path)
    assert recorded.status == 0, recorded.err
    gone = project.baselines()["commonjs.json"].replace('"commonjs"', '"gone"')
    project.write("baselines/gone.json", gone)
    for command in ("init --quiet", "add .", "-c user.name=a -c user.email=a@b commit --quiet --message=recorded"):
        run("git", *command.split(), cwd=project.folder)
    move_to(NEW)
    return project, project.run("check", *FAST, "--base", "HEAD", "--report", "report.json", variables=path)


@pytest.mark.parametrize("name", KINDS)
def test_an_upgrade(name: str, upgraded: tuple[Project, Ended]) -> None:
    """What is locked is installed, before and after; what that changed is drift, on its line of its own lock file."""
    project, ended = upgraded
    (subject,) = [each for each in ended.report["subjects"] if each["name"] == name]
    assert (subject["verdict"], subject["why"]) == ("drift", None)
    assert (json.loads(project.baselines()[f"{name}.json"])["packages"], subject["packages"]) == (
        {"ms": OLD},
        {"ms": NEW},
    )
    assert subject["runtime"].startswith("node 22.")
    (scenario,) = [each for each in subject["scenarios"] if each["name"] == "status-500"]
    told = {drift["fact"]: drift for drift in scenario["drifts"]}
    assert [told["attempts"][key] for key in ("before", "after", "confirmed", "cause")] == [5, 3, 3, ["ms"]]
    kind = KINDS[name]
    where = f"(`{name}/{kind.lock}` line {kind.line})"
    assert f"**`{name}`** (`{name}/{kind.subject}`) · ms {OLD} → **{NEW}** {where}" in ended.out


def test_the_run_as_a_whole(upgraded: tuple[Project, Ended]) -> None:
    """The merge is blocked; what can be held back is said once; a baseline whose subject is gone is a warning."""
    _, ended = upgraded
    assert (ended.status, ended.told, ended.report["verdict"]) == (1, [], "drift")
    assert f"or keep ms at {OLD}.\n" in ended.out
    assert ended.report["notes"] == ["`baselines/gone.json` is stale, its subject is gone: remove it"]


def test_the_tree_is_left_alone(upgraded: tuple[Project, Ended]) -> None:
    """Nothing is installed there, and nothing changed."""
    project, _ = upgraded
    changed = run("git", "status", "--porcelain", cwd=project.folder).splitlines()
    assert {line.rpartition("/")[2] for line in changed} == {"package.json", *(kind.lock for kind in KINDS.values())}
