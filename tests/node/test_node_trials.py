"""Trials of subjects for Node: their shapes, their order, what is told of them."""

import time
from collections.abc import Callable
from pathlib import Path

import pytest
from tests.node.noding import NEWER, Newer, Result, needs_node, run_trial, write
from tests.probes.probing import Service

from failsame.trial.channel import CallEnded, CallStarted, Connect, Done, Note, Prepared, Ready

pytestmark = needs_node

GET = "export const call = async (url) => (await fetch(url + '/unit')).text();"

# File name -> source of a subject that works.
SHAPES = {
    "module.mjs": f"export const client = (endpoint) => endpoint; {GET}",
    "detected.js": f"export const client = (endpoint) => endpoint; {GET}",
    "common.cjs": """
        const http = require("node:http");
        exports.client = async (endpoint) => endpoint;
        exports.call = (url) => new Promise((resolve, reject) => {
          http.get(url + "/unit", (answer) => answer.resume().on("end", resolve)).on("error", reject);
        });
    """,
    "assigned.cjs": """
        const subject = { client(endpoint) { return endpoint; }, call: async (url) => fetch(url + "/unit") };
        module.exports = subject;
    """,
    "several.mjs": "export const client = (endpoint, endpoints) => endpoints.main; " + GET,
    "environment.mjs": "const url = process.env.AWS_ENDPOINT_URL; export const client = (endpoint) => url; " + GET,
    "default.mjs": "export const client = (endpoint = 'http://127.0.0.1:1') => endpoint; " + GET,
    "generator.mjs": "export function* client(endpoint) { yield endpoint; console.warn('closed'); }" + GET,
    "waiting.mjs": "export async function* client(endpoint) { yield endpoint; console.warn('closed'); }" + GET,
    "thenable.mjs": """
        export const client = (endpoint) => ({ endpoint, then() { throw new Error("sent"); } });
        export const call = async ({ endpoint }) => fetch(endpoint + "/unit");
    """,
}


@pytest.mark.parametrize("name", SHAPES)
def test_shapes(name: str, tmp_path: Path, service: Service) -> None:
    """ES modules and CommonJS, plain and async, generators that close, an address from the environment: one request."""
    before = len(service.requests)
    variables = {"AWS_ENDPOINT_URL": service.url}
    result = run_trial(write(tmp_path, name, SHAPES[name]), service.url, variables=variables)
    assert result.outcomes == [("ok", None)], result.said
    assert service.requests[before:] == ["/unit"]
    assert [connect.endpoint for connect in result.of(Connect)] == ["main"]
    closes = name in ("generator.mjs", "waiting.mjs")
    assert [note.text for note in result.of(Note)] == ["console.warn: closed"] * closes
    assert result.status == 0


TYPED = """
    interface Client { url: string }
    export const client = (endpoint: string): Client => ({ url: endpoint });
    export const call = async (client: Client): Promise<string> => (await fetch(client.url + "/unit")).text();
"""


def test_typescript_on_an_old_node(tmp_path: Path, service: Service) -> None:
    """A Node that does not strip types says so; one that does runs it."""
    result = run_trial(write(tmp_path, "subject.ts", TYPED), service.url)
    if result.of(Ready):
        assert result.outcomes == [("ok", None)]
    else:
        assert "does not run TypeScript: use Node 22.18 or newer" in result.failure


@pytest.mark.install
@pytest.mark.parametrize("version", NEWER)
def test_newer_nodes(version: str, newer: Newer, tmp_path: Path, service: Service) -> None:
    """Newer Nodes strip types, name themselves, and keep their code compiled from trial to trial."""
    node = str(newer(version))
    file = write(tmp_path, "subject.ts", TYPED)
    compiled = tmp_path / "compiled"
    result = run_trial(file, service.url, node=node, variables={"NODE_COMPILE_CACHE": str(compiled)})
    assert result.outcomes == [("ok", None)], result.said
    assert result.of(Prepared)[0].runtime.startswith(f"node {version}.")
    assert any(compiled.rglob("*"))


def test_order(trial: Callable[..., Result]) -> None:
    """Calls start on their phase and are counted in the file before they begin; the watch follows the last."""
    second = int(time.monotonic()) + 2.25
    result = trial("export const client = (endpoint) => 0; export const call = () => 0;", calls=2, watch=0.3, at=second)
    kinds = [type(message) for message in result.said]
    assert kinds == [Prepared, Ready, CallStarted, CallEnded, CallStarted, CallEnded, Done]
    first, other = result.of(CallStarted)
    assert first.aligned
    assert first.at - second < 0.25
    assert other.aligned
    assert (result.counter, result.status) == (2, 0)
    assert result.of(Done)[0].closed_at - result.of(CallEnded)[1].at >= 0.3


def test_named_imports_are_watched(trial: Callable[..., Result]) -> None:
    """What a module imports from Node by name is what the probe has put there."""
    result = trial(
        """
        import { lookup } from "node:dns/promises";
        import { randomInt } from "node:crypto";
        export const client = (endpoint) => 0;
        export const call = async () => {
          if (randomInt(1000) !== 999) throw new Error("drawn");
          await lookup("nowhere.example");
        };
        """,
        jitter=0.999,
    )
    assert result.outcomes == [("Error", "ENOTFOUND")]
    assert [connect.to for connect in result.of(Connect)] == ["nowhere.example"]


def test_modules(tmp_path: Path, service: Service) -> None:
    """ES and CommonJS modules are listed with their files, late ones too, and preloaded by those names."""
    package = tmp_path / "node_modules/parts"
    package.mkdir(parents=True)
    (package / "package.json").write_text('{"name": "parts", "version": "1.2.3", "main": "common.cjs"}')
    (package / "common.cjs").write_text("exports.part = 1; globalThis.loaded = (globalThis.loaded ?? 0) + 1;")
    (package / "late.cjs").write_text("exports.part = 3; globalThis.late = true;")
    (package / "module.mjs").write_text("export const part = 2;")
    file = write(
        tmp_path,
        "subject.mjs",
        """
        import parts from "parts";
        import { part } from "parts/module.mjs";
        export const client = (endpoint) => 0;
        export const call = async () => {
          if (globalThis.late) throw new Error("was there");
          return part + parts.part + (await import("parts/late.cjs")).default.part;
        };
        """,
    )
    result = run_trial(file, service.url, modules=True)
    modules = result.of(Done)[0].modules
    assert sorted(map(str, modules.values())) == [
        str(package / name) for name in ("common.cjs", "late.cjs", "module.mjs")
    ]
    ahead = run_trial(file, service.url, preload=[*modules, "file:///gone.mjs", "/gone.cjs"])
    assert ahead.outcomes == [("Error", None)]


def test_links_to_packages_are_followed(tmp_path: Path, service: Service) -> None:
    """A package that is linked into a project is one module, whether an ES module or a CommonJS one asks for it."""
    package, modules = tmp_path / "elsewhere/linked", tmp_path / "project/node_modules"
    package.mkdir(parents=True)
    modules.mkdir(parents=True)
    (modules / "linked").symlink_to(package)
    (package / "package.json").write_text('{"name": "linked", "version": "1.0.0"}')
    (package / "index.js").write_text("exports.made = () => 0;")
    source = 'import { made } from "linked"; export const client = (endpoint) => made(); export const call = () => 0;'
    result = run_trial(write(tmp_path / "project", "subject.mjs", source), service.url, modules=True)
    assert result.outcomes == [("ok", None)], result.said
    assert list(result.of(Done)[0].modules.values()) == [str(package / "index.js")]


def test_warnings_are_notes(trial: Callable[..., Result]) -> None:
    """Node's warnings and the console's are notes, each once, with what varies masked."""
    result = trial(
        """
        console.error("on import");
        export const client = (endpoint) => 0;
        export const call = async () => {
          for (const id of ["4711", "4712"]) console.warn("waited %s ms", id);
          process.emitWarning("port 8080 is old");
          await new Promise(setImmediate);
        };
        """
    )
    assert [note.text for note in result.of(Note)] == [
        "console.error: on import",
        "console.warn: waited N ms",
        "Warning: port N is old",
    ]


# A client -> its settings: timeouts in seconds, whatever the SDK counts in.
SETTINGS = {
    "{ timeout: 600000, maxRetries: 2, get config() { throw new Error(); } }": {"timeout": 600, "max_retries": 2},
    "{ config: { requestHandler: { config: { requestTimeout: 1500, socketTimeout: 0, connectionTimeout: undefined, "
    "throwOnRequestTimeout: true } } } }": {
        "request_timeout": 1.5,
        "socket_timeout": "none",
        "throw_on_request_timeout": True,
    },
    "Object.assign(() => {}, { defaults: { timeout: 0 } })": {"timeout": "none"},
    "Object.assign(() => {}, { defaults: { options: { timeout: { request: 0 }, retry: { limit: 2 } } } })": {
        "request_timeout": 0,
        "max_retries": 2,
    },
}


@pytest.mark.parametrize("client", SETTINGS)
def test_settings(client: str, trial: Callable[..., Result]) -> None:
    """What SDKs keep of their settings is told, and a property that throws is no hindrance."""
    result = trial(f"export const client = (endpoint) => ({client}); export const call = () => 0;")
    assert result.of(Done)[0].settings == SETTINGS[client]


def test_a_closed_channel_ends_the_process(trial: Callable[..., Result]) -> None:
    """A subject that closes descriptors that it did not open ends its process, and the status says why."""
    result = trial(
        """
        import { closeSync, fstatSync } from "node:fs";
        export const client = (endpoint) => 0;
        export const call = () => {
          for (let each = 3; each < 64; each += 1) try { if (fstatSync(each).isSocket()) closeSync(each); } catch {}
        };
        """
    )
    assert result.status == 97
