"""How calls end in JavaScript, and what subjects cannot be used."""

from collections.abc import Callable
from pathlib import Path

import pytest
from tests.node.noding import Result, needs_node, run_trial
from tests.probes.probing import Service

from failsame.trial.channel import CallEnded, Done, Failed, Note, Prepared, Ready

pytestmark = needs_node

# What `call` runs -> outcome, code.
OUTCOMES = {
    "return 1": ("ok", None),
    "throw new RangeError('x')": ("RangeError", None),
    "throw Object.assign(new Error('x'), { name: 'TimeoutError' })": ("TimeoutError", None),
    "class Own extends Error {} ; throw Object.assign(new Own('x'), { name: 'Error', code: 'E_OWN' })": (
        "Own",
        "E_OWN",
    ),
    "class S3ServiceException extends Error {} ; throw Object.assign(new S3ServiceException('x'), { name: 'SlowDown', "
    "$fault: 'server', $metadata: { httpStatusCode: 503 } })": ("S3ServiceException", "SlowDown"),
    "throw Object.assign(new Error('x'), { status: 429 })": ("Error", "429"),
    "throw Object.assign(new Error('x'), { response: { status: 503 } })": ("Error", "503"),
    "throw new TypeError('fetch failed', { cause: Object.assign(new Error('x'), { code: 'UND_ERR' }) })": (
        "TypeError",
        "UND_ERR",
    ),
    "throw new DOMException('x', 'TimeoutError')": ("TimeoutError", None),
    "throw 'a string'": ("string", None),
    "throw null": ("null", None),
    "throw undefined": ("undefined", None),
    "throw Object.create(null)": ("object", None),
    "throw new Proxy({}, { get() { throw new Error('hostile') } })": ("object", None),
    "throw Object.assign(new Error('x'), { name: 'a\\u001b[31m\\ud800' + 'y'.repeat(1e6), code: {} })": (
        "a [31m " + "y" * 92 + "…",
        None,
    ),
    "process.exit(3)": ("exit 3", None),
    "process.exit(0)": ("exit 0", None),
    "await new Promise(() => {})": ("never settled", None),
    "setTimeout(() => { throw new RangeError('late') }, 5); await new Promise(() => {})": ("uncaught RangeError", None),
    "Promise.reject(Object.assign(new Error('x'), { code: 'E_LOST' })); await new Promise(() => {})": (
        "uncaught Error",
        "E_LOST",
    ),
}


@pytest.mark.parametrize("fresh", [False, True], ids=["forked", "fresh"])
@pytest.mark.parametrize("body", OUTCOMES)
def test_outcomes(body: str, fresh: bool, trial: Callable[..., Result]) -> None:
    """An error is named after its class, a mere Error after its name; and a process may end in the middle of a call."""
    source = f"export const client = (endpoint) => 0; export async function call() {{ {body} }}"
    result = trial(source, fresh=fresh)
    assert result.outcomes == [OUTCOMES[body]], result.said
    assert result.of(Prepared)[0].fork is not fresh


def test_what_follows_an_end(trial: Callable[..., Result]) -> None:
    """After a promise that never settles nothing more is said, and the status is that of a program that ran well."""
    result = trial("export const client = (endpoint) => 0; export const call = () => new Promise(() => {});", calls=3)
    assert [len(result.of(kind)) for kind in (CallEnded, Done)] == [1, 0]
    assert (result.counter, result.status) == (1, 0)


def test_a_subject_that_goes_on(trial: Callable[..., Result]) -> None:
    """An uncaught error that the subject handles is a note, and its call goes on."""
    result = trial(
        """
        process.on("uncaughtException", () => {});
        export const client = (endpoint) => 0;
        export const call = () => new Promise((resolve) => {
          setTimeout(() => { setTimeout(resolve, 5); throw new Error("id 4711"); }, 5);
        });
        """
    )
    assert result.outcomes == [("ok", None)]
    assert [note.text for note in result.of(Note)] == ["uncaught Error: id N"]


def test_an_end_without_a_word(trial: Callable[..., Result]) -> None:
    """A process that ends past Node's own way to end says nothing; its status stands."""
    result = trial("export const client = (endpoint) => 0; export const call = () => process.reallyExit(7);")
    assert (result.outcomes, result.status) == ([], 7)


# File name, source -> what the failure says.
UNUSABLE = {
    (
        "a.mjs",
        "export const client = (endpoint) => 0;",
    ): "a.mjs: has no `call`: add `export async function call(client)`",
    ("a.mjs", "export const call = () => 0;"): "a.mjs: has no `client`: add `export function client(endpoint)`",
    ("a.mjs", "export const client = 1, call = 2;"): "a.mjs: `client` is not a function",
    ("a.mjs", "export const call = () => 0; export function client(a, b, c) {}"): "a.mjs: `client` takes too many",
    ("a.mjs", "export const client = (endpoint) => 0; export function call(a, b) {}"): "a.mjs: `call` takes too many",
    ("a.mjs", "\n\nthrow new Error('no\\nway')"): "a.mjs line 3: throws on import (Error: no way): mend it",
    ("a.cjs", "\nrequire('not-there')"): "a.cjs line 2: throws on import (Error: Cannot find module 'not-there'",
    ("b.cjs", "require('not-there')"): ": add the package to package.json and lock it, or mend the import",
    ("a.mjs", "import 'not-there'"): "a.mjs: throws on import (Error: Cannot find package 'not-there'",
    ("a.mjs", "\nexport const = 1"): "cannot read it (SyntaxError: Unexpected token '='): mend it",
    ("a.mjs", "import { nothing } from 'node:fs'"): "(SyntaxError: The requested module 'node:fs' does not",
    ("a.mjs", "process.exit(3)"): "a.mjs: its import ended the process with status 3",
    ("a.mjs", "await new Promise(() => {})"): "a.mjs: its import never settles",
    ("a.py", "x"): "a.py: not a JavaScript file: a subject for Node ends in .mjs, .js, .cjs or .ts",
}


@pytest.mark.parametrize(("name", "source"), UNUSABLE)
def test_unusable(name: str, source: str, trial: Callable[..., Result]) -> None:
    """Each kind of subject that cannot be used is named in one line."""
    what = trial(source, name=name).failure
    assert UNUSABLE[name, source] in what
    assert "\n" not in what


def test_a_file_that_is_not_there(tmp_path: Path, service: Service) -> None:
    """A file that is gone is said to be."""
    assert "gone.mjs" in run_trial(tmp_path / "gone.mjs", service.url).failure


NO_CLIENT = {
    "() => { throw new RangeError('no key') }": "`client` threw RangeError: no key",
    "async () => { throw new RangeError('no key') }": "`client` threw RangeError: no key",
    "() => new Promise(() => {})": "`client` never settles",
    "() => process.exit(4)": "`client` ended the process with status 4",
    "() => { setTimeout(() => { throw new Error('late') }, 1); return new Promise(() => {}) }": (
        "`client` left an error uncaught (Error: late)"
    ),
    "function* () {}": "`client` yielded nothing",
    "async function* () {}": "`client` yielded nothing",
}


@pytest.mark.parametrize("client", NO_CLIENT)
def test_no_client(client: str, trial: Callable[..., Result]) -> None:
    """A client that cannot be made is named in one line, and no call begins."""
    result = trial(f"export const client = {client}; export const call = () => 0;")
    assert NO_CLIENT[client] in result.failure
    assert not result.of(Ready)
    assert len(result.of(Failed)) == 1
