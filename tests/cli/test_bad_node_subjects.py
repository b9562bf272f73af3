"""Subjects for Node that cannot be measured, all in one run: each gets one line, and harms nobody else."""

from collections.abc import Callable

import pytest
from tests.cli.commanding import NODE_CLIENT, Project
from tests.cli.refusing import Told, as_a_result, as_a_whole, in_one_line, recorded_with_baselines

pytestmark = pytest.mark.install


def doing(deed: str) -> str:
    """A client that works, and whose call does something else first."""
    return NODE_CLIENT.replace("call(url) {\n", f"call(url) {{\n  {deed}\n")


def doing_when_broken(deed: str) -> str:
    """A client that works, and does something else as soon as its service does not."""
    return NODE_CLIENT.replace("  if (status !== 200) ", f"  if (status !== 200) {{ {deed} }}\n  if (status !== 200) ")


NEVER = "await new Promise(() => {});"
WAIT = "await new Promise((resolve) => setTimeout(resolve, 1e8));"
KILL = 'process.kill(process.pid, "SIGKILL");'
HIDE = (
    'const fs = await import("node:fs");'
    "for (let each = 3; each < 64; each += 1) try { if (fs.fstatSync(each).isSocket()) fs.closeSync(each) } catch {}"
)

# The subject's name -> its source, and what is said of it.
UNMEASURED = {
    "throws": (
        "export const client = () => 0;\n\nthrow new RangeError('first\\nsecond');\n",
        "throws.mjs line 3: throws on import (RangeError: first second): mend it, ",
    ),
    "exits": ("process.exit(4);\n", "exits.mjs: its import ended the process with status 4: mend it"),
    "dies": (
        KILL,
        "was not recorded: dies.mjs ended its process while it was imported (signal SIGKILL): a subject must be",
    ),
    "never-imported": (NEVER, "never_imported.mjs: its import never settles: nothing was left to wait for: mend it"),
    "no-call": ("export const client = () => 0;\n", "no_call.mjs: has no `call`: add `export async function call(clie"),
    "no-client": ("export const call = () => 0;\n", "no_client.mjs: has no `client`: add `export function client(end"),
    "no-javascript": ("export const = 1;\n", "no_javascript.mjs: Node "),
    "no-package": (
        "import 'not-there';\n",
        "no_package.mjs: throws on import (Error: Cannot find package 'not-there' imported from no_package.mjs): add",
    ),
    "client-throws": (
        "export const client = () => { throw new TypeError('region') };\nexport const call = () => 0;\n",
        "client_throws.mjs: `client` threw TypeError: region: mend it, ",
    ),
    "never-ready": (
        f"export const client = async () => {{ {NEVER} }};\nexport const call = () => 0;\n",
        "never_ready.mjs: `client` never settles: nothing was left to wait for: mend it, ",
    ),
    "never-works": (
        doing("throw new Error('not\\nready');"),
        "never-works fails although its service is well: Error: not ready. Mend never_works.mjs until",
    ),
    "never-ends": (doing(WAIT), "never-ends fails although its service is well: still waiting after"),
    "never-settles": (doing(NEVER), "never-settles fails although its service is well: never settled"),
    "sends-nothing": (
        "export const client = () => 0;\nexport const call = () => 0;\n",
        "sends-nothing sends its service nothing: make the client with the endpoint that client() is given",
    ),
    "elsewhere": (
        "export const client = () => 0;\nexport const call = () => fetch('http://198.51.100.7/').catch(() => 0);\n",
        "elsewhere sends its service nothing; it tried to reach 198.51.100.7:80, which is refused here: make",
    ),
    "kills-itself": (doing(KILL), "kills-itself fails although its service is well: signal SIGKILL. Mend"),
    "closes": (doing(HIDE), "closes closed failsame's channel in healthy: a subject must not close descriptors"),
    "closes-late": (
        doing_when_broken(f"{HIDE} {WAIT}"),
        "status-500: closes-late closed failsame's channel in status-500: a subject must not close descriptors",
    ),
}

# The subject's name -> its source, and the outcome with a service that answers 500.
MEASURED = {
    "good": (NODE_CLIENT, "RangeError"),
    "prints": (doing("console.log('x'.repeat(5e6)); process.stderr.write('y'.repeat(5e6));"), "RangeError"),
    "starts": (
        doing(
            'const { spawn } = await import("node:child_process");'
            'spawn("/bin/sleep", ["600"], { detached: true, stdio: "ignore" }).unref();'
        ),
        "RangeError",
    ),
    "refuses-to-exit": (
        doing("process.exit = () => {}; for (let number = 0; number < 3; number += 1) process.exit(5);"),
        "RangeError",
    ),
    "catches": (doing("process.on('uncaughtException', () => {}); Promise.reject(new Error('lost'));"), "RangeError"),
    "exits-late": (doing_when_broken("process.exit(3);"), "exit 3"),
    "leaves-late": (doing_when_broken("process.reallyExit(4);"), "exit 4"),
    "killed-late": (doing_when_broken(KILL), "signal SIGKILL"),
    "never-settles-late": (doing_when_broken(NEVER), "never settled"),
}


@pytest.fixture(scope="module")
def recorded(new_node_project: Callable[[], Project]) -> Told:
    sources = {name: source for name, (source, _) in (UNMEASURED | MEASURED).items()}
    return recorded_with_baselines(new_node_project(), sources, "mjs")


@pytest.mark.parametrize("name", UNMEASURED)
def test_one_line_each(name: str, recorded: Told) -> None:
    """A subject that cannot be measured is told in one line that says where and what to do; its file stays."""
    in_one_line(recorded, name, UNMEASURED[name][1])


@pytest.mark.parametrize("name", MEASURED)
def test_what_it_does_is_a_result(name: str, recorded: Told) -> None:
    """A subject that prints, starts others, swallows or dies is measured all the same, and recorded."""
    as_a_result(recorded, name, MEASURED[name][1])


def test_the_run_as_a_whole(recorded: Told) -> None:
    """Could-not-measure is never green; one line for each and no other; no half-written file is left."""
    as_a_whole(recorded, UNMEASURED, MEASURED)
    assert not (recorded[0].folder / "node_modules").exists()
