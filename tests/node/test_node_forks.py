"""Trials forked from a Node that has imported the subject: where they may be, and that a child is whole."""

import subprocess
from collections.abc import Callable
from pathlib import Path
from shutil import which

import pytest
from tests.clock.natives import compiled
from tests.node.noding import NEWER, NODE, Newer, Result, needs_node
from tests.trial.trying import try_out

from failsame.probes import PROGRAMS
from failsame.trial.channel import Note, Prepared

pytestmark = needs_node

SUBJECT = "export const client = (endpoint) => endpoint; export const call = (url) => fetch(url).then((a) => a.text());"

# What an import does beside -> why its process cannot be forked.
WHY_NOT = {
    "": None,
    "setTimeout(() => {}, 1e6).unref();": "its import leaves a timer running",
    "clearTimeout(setTimeout(() => {}, 1e6)); await new Promise((met) => setTimeout(met, 5));": None,
    "process.stderr.write('a word');": None,
    "await import('node:fs/promises').then((fs) => fs.readFile('/proc/self/stat'));": None,
    "setInterval(() => {}, 1e6);": "its import leaves a timer running",
    "new (await import('node:worker_threads')).Worker('setInterval(() => {}, 1e6)', { eval: true });": (
        "its import starts threads"
    ),
    "(await import('node:child_process')).spawn('/bin/sleep', ['2']).unref();": "its import starts a process",
    "(await import('node:fs')).openSync('/etc/passwd');": "its import leaves a file open",
    "(await import('node:fs')).openSync('/dev/urandom');": None,
    "(await import('node:fs')).openSync('/proc/self/comm', 'a');": None,
    "(await import('node:net')).createServer().listen(0).unref();": "its import opens a socket",
}


@pytest.mark.parametrize("line", WHY_NOT)
def test_where_it_can_be(line: str, trial: Callable[..., Result]) -> None:
    """What an import leaves running would be missing in a child, or be shared with it."""
    result = trial(line + SUBJECT)
    (prepared,) = result.of(Prepared)
    assert (prepared.fork, prepared.why) == (WHY_NOT[line] is None, WHY_NOT[line])
    assert result.outcomes == [("ok", None)], result.said


def test_an_environment_set_before_the_import(trial: Callable[..., Result]) -> None:
    """A `client` that takes no endpoint finds it in its environment, which a parent does not have yet."""
    result = trial("export const client = () => 0; export const call = () => 0;")
    assert result.of(Prepared)[0].why == "`client` takes no endpoint, so its environment is set before the import"


def test_without_native_parts(trial: Callable[..., Result]) -> None:
    """Where the library was not loaded before Node, as in a static one, the trial runs all the same, unforked."""
    result = trial(SUBJECT, fresh=True)
    assert result.of(Prepared)[0].why == "Node cannot be forked here: LD_PRELOAD has no effect on it"
    assert result.outcomes == [("ok", None)]


@pytest.mark.parametrize("compiler", ["cc", "musl-gcc"])
def test_other_programs_load_it_too(compiler: str) -> None:
    """What a subject starts inherits the library, and is none the worse for it, whatever its libc."""
    if which(compiler) is None:
        pytest.skip(f"no {compiler} here")
    program = compiled("static_sleep.c", compiler=compiler)
    done = subprocess.run([program], env={"LD_PRELOAD": str(PROGRAMS["node"].library)}, capture_output=True, check=True)
    assert done.stderr == b""


# What a child's call does. Each needs threads, memory or a loop that a fork does not bring along by itself.
WORKS = {
    "files, by libuv's threads": "await (await import('node:fs/promises')).readFile('/proc/self/stat')",
    "compression": "await promisify((await import('node:zlib')).gzip)('x'.repeat(1e6))",
    "keys": "await promisify((await import('node:crypto')).scrypt)('a', 'b', 32)",
    "names": "await (await import('node:dns/promises')).lookup('localhost')",
    "WebAssembly": "await WebAssembly.compile(new Uint8Array([0, 97, 115, 109, 1, 0, 0, 0]))",
    "garbage": "for (let i = 0; i < 200; i += 1) globalThis.kept = [globalThis.kept?.[1], Array(1e5).fill({})]",
    "a process": "await promisify((await import('node:child_process')).execFile)('/bin/true')",
    "a signal": (
        "await new Promise((met) => { process.once('SIGUSR2', met); process.kill(process.pid, 'SIGUSR2'); "
        "setTimeout(() => {}, 5000); })"
    ),
}


@pytest.mark.install
@pytest.mark.parametrize("node", [None, *NEWER], ids=lambda node: node or "this one")
@pytest.mark.parametrize("what", WORKS)
def test_a_child_is_whole(what: str, node: str | None, trial: Callable[..., Result], newer: Newer) -> None:
    """Everything that Node does by other threads it does in a child."""
    source = f"""
        import {{ promisify }} from "node:util";
        export const client = (endpoint) => endpoint;
        export const call = async () => {{ {WORKS[what]}; }};
    """
    result = trial(source, **({} if node is None else {"node": str(newer(node))}))
    assert result.of(Prepared)[0].fork
    assert result.outcomes == [("ok", None)], result.said


UNHANDLED = (
    "process.on('uncaughtException', () => { throw 2; }); setTimeout(() => { throw 1; }); await new Promise(() => {});"
)

# What a call does to end its process, or seems to: Node's own end waits for threads that a child has not.
ENDS = (
    "process.exit()",
    "process.exitCode = 5; await new Promise(() => {});",
    "process.emit('exit', 3); process.removeAllListeners('exit');",
    "process.once('exit', () => { throw new RangeError('at the end'); }); process.exit(3);",
    UNHANDLED,
    "Promise.reject(new RangeError('nobody')); await new Promise(() => {});",
    "await (await import('node:fs/promises')).stat('/'); leaves(4);",
    "await import('node:zlib').then((zlib) => zlib.gzip('x', () => leaves('5'))); await new Promise(() => {});",
    "process.abort();",
)


@pytest.mark.parametrize("what", ENDS)
def test_a_child_ends_as_node_does(what: str, trial: Callable[..., Result]) -> None:
    """However a call ends its process: the same is said, and the status is the same, as without a fork."""
    ends_alike(what, trial)


@pytest.mark.install
@pytest.mark.parametrize("node", NEWER)
def test_a_child_of_a_newer_one_ends_so_too(node: str, trial: Callable[..., Result], newer: Newer) -> None:
    """The teardown that follows an error in a handler joins whatever threads that version has."""
    ends_alike(UNHANDLED, trial, node=str(newer(node)))


def test_a_thread_of_an_addon(trial: Callable[..., Result]) -> None:
    """A child whose own threads go on ends all the same: none of them is taken for one that was there before."""
    addon = compiled("lasting_thread.c", "-shared", "-fPIC", folder=Path(__file__).parent)
    load = f"process.dlopen({{ exports: {{}} }}, {str(addon)!r})"
    ends_alike(f"await (await import('node:fs/promises')).stat('/'); {load};", trial)


@pytest.mark.parametrize("status", [95, 96, 97])
def test_statuses_are_its_own(status: int, trial: Callable[..., Result]) -> None:
    """What a call ends its process with means nothing to whoever forks it."""
    result = trial(f"export const client = (endpoint) => endpoint; export const call = () => process.exit({status});")
    assert (result.outcomes, result.status) == ([(f"exit {status}", None)], status)
    assert result.of(Prepared)[0].fork


def ends_alike(what: str, trial: Callable[..., Result], **by: str) -> None:
    source = f"""
        const leaves = process.reallyExit.bind(process);
        export const client = (endpoint) => endpoint;
        export const call = async () => {{ {what} }};
    """
    forked, fresh = trial(source, **by), trial(source, fresh=True, **by)
    assert [result.of(Prepared)[0].fork for result in (forked, fresh)] == [True, False]
    assert (forked.outcomes, forked.status) == (fresh.outcomes, fresh.status)


def test_children_draw_apart(trial: Callable[..., Result]) -> None:
    """Names that are drawn ahead before a fork are not drawn again in each child."""
    source = """
        import { randomUUID } from "node:crypto";
        import { readFileSync } from "node:fs";
        const ahead = randomUUID();
        export const client = (endpoint) => endpoint;
        export const call = () => console.warn(Buffer.from(randomUUID()).toString("base64").replace(/\\d/g, "g"));
    """
    drawn = {note.text for _ in range(3) for note in trial(source).of(Note)}
    assert len(drawn) == 3


@pytest.mark.parametrize("before", ["", "process.removeAllListeners();"], ids=["", "whoever listens"])
def test_a_client_that_starts_threads(before: str, tmp_path: Path) -> None:
    """A worker's own end waits for threads that a child has not: so its trials are not forked."""
    source = (
        before
        + """
        import { Worker } from "node:worker_threads";
        export const client = (endpoint) => endpoint;
        export const call = async (url) => {
          await new Promise((met) => new Worker("", { eval: true }).on("exit", met));
          const answer = await fetch(url + "/unit");
          if (!answer.ok) throw new Error(`${answer.status}`);
        };
    """
    )
    tried = try_out(tmp_path / "subject.mjs", source, "status-500", interpreter=Path(NODE), language="node")
    assert tried.why_fresh == "its client or call starts threads"
    assert tried.call("status-500").outcome == "Error"
