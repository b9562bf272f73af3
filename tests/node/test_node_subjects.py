"""The built-in subjects for Node, with the real SDKs, against failsame's own server; and trials end to end."""

from pathlib import Path
from shutil import copy
from typing import Any

import pytest
from tests.node.noding import NEWER, NODE, Newer, install, needs_node
from tests.probes.probing import alive
from tests.trial.trying import Tried, try_out

from failsame.errors import UnmeasuredError
from failsame.probes import BUILTINS, BuiltIn

pytestmark = needs_node

NODE_SUBJECTS = [builtin for builtin in BUILTINS.values() if builtin.language == "node"]


@pytest.fixture(scope="session")
def project(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A project with every SDK that a built-in subject is of."""
    packages = sorted({builtin.distribution for builtin in NODE_SUBJECTS if builtin.distribution})
    # undici 7 and newer want a newer Node than may be here.
    return install(tmp_path_factory.mktemp("sdks"), *(f"{name}@6" if name == "undici" else name for name in packages))


@pytest.mark.install
@pytest.mark.parametrize("builtin", NODE_SUBJECTS, ids=lambda builtin: builtin.name)
@pytest.mark.parametrize("tls", [False, True], ids=["http", "https"])
def test_a_built_in_subject_works(builtin: BuiltIn, project: Path, tls: bool) -> None:
    """Each sends one request, takes the good answer for one, gives its error a code, and its package is loaded."""
    file = Path(copy(builtin.file, project))
    tried = try_out(
        file,
        file.read_text(),
        "status-404",
        interpreter=Path(NODE),
        language="node",
        dialect=builtin.dialect,
        tls=tls,
    )
    assert len(tried.healthy.requests) == 1
    folder = f"{project}/node_modules/{builtin.distribution}/"
    loaded = [each for each in tried.healthy.modules.values() if each and each.startswith(folder)]
    assert bool(loaded) == (builtin.distribution is not None)
    assert tried.why_fresh is None
    call = tried.call("status-404")
    assert call.outcome not in ("ok", None)
    # AWS's modelled errors are classes named after their codes.
    assert call.code or call.outcome in ("NoSuchKey", "ResourceNotFoundException")


def of_node(tmp_path: Path, source: str, *scenarios: str, **more: Any) -> Tried:
    given = {"interpreter": Path(NODE), "language": "node", **more}
    return try_out(tmp_path / "subject.mjs", source, *scenarios, **given)


GET = "export const client = (endpoint) => endpoint; const get = async (url) => (await fetch(url + '/unit')).text();"


@pytest.mark.parametrize("real", [False, True], ids=["skipped", "real"])
def test_late_attempts(real: bool, tmp_path: Path) -> None:
    """Requests that come once the call is over are late ones, in either time."""
    source = GET + "export const call = async (url) => { await get(url); setTimeout(get, 900, url); };"
    tried = of_node(tmp_path, source, "status-500", real=real)
    assert (tried.call("status-500").attempts, tried.call("status-500").late_attempts) == (1, 1)


def test_a_dead_connection_is_skipped(tmp_path: Path) -> None:
    """fetch looks at its deadline every second, so that the kernel repeats what it sent before fetch gives up."""
    source = GET + "export const call = (url) => get(url);"
    seen = of_node(tmp_path, source, "half-open", horizon=900).observation("half-open")
    assert (seen.clock, seen.clock_note) == ("skip", None)
    assert seen.calls[1].dead_connection_reused
    assert seen.calls[1].give_up == pytest.approx(300.4, abs=0.01)


@pytest.mark.install
@pytest.mark.parametrize("version", NEWER)
def test_newer_nodes_in_skipped_time(version: str, newer: Newer, tmp_path: Path) -> None:
    """The time of a Node whose libuv asks for io_uring, whatever it is told, is skipped as well."""
    source = GET + "export const call = (url) => get(url);"
    seen = of_node(tmp_path, source, "silent", horizon=900, interpreter=newer(version)).observation("silent")
    assert (seen.clock, seen.clock_note) == ("skip", None)
    assert seen.calls[0].give_up == pytest.approx(300.4, abs=0.3)


def test_a_chain(tmp_path: Path) -> None:
    """The primary by its address, its fallback by a name in the code: each is asked in its turn, and in its own way."""
    source = """
        export const client = (endpoint, endpoints) => {
          if (endpoint !== endpoints.primary || !endpoints.fallback) throw new Error("not as configured");
          return endpoint;
        };
        export const call = async (endpoint) => {
          for (const url of [`${endpoint}/one`, "http://fallback.example.com/two"]) {
            const answer = await fetch(url).catch(() => null);
            if (answer?.ok) return answer.text();
          }
        };
    """
    tried = of_node(
        tmp_path,
        source,
        "first-500",
        endpoints={"primary": "anthropic", "fallback": "openai"},
        hosts={"fallback.example.com": "fallback"},
    )
    assert tried.healthy.fault_keys == {"primary": "GET /one", "fallback": "GET /two"}
    call = tried.call("first-500")
    assert (call.outcome, call.endpoints) == ("ok", ("primary", "fallback"))
    assert [attempt.answer for attempt in call.starts] == ["500", "200"]


def test_never_settled(tmp_path: Path) -> None:
    """A promise that never settles once the service fails has an outcome, and no time."""
    source = (
        GET
        + """
        export const call = async (url) => {
          if ((await fetch(url + "/unit")).status !== 200) await new Promise(() => {});
        };
    """
    )
    call = of_node(tmp_path, source, "status-500").call("status-500")
    assert (call.outcome, call.attempts, call.give_up, call.still_waiting) == ("never settled", 1, None, False)


def test_still_trying(tmp_path: Path) -> None:
    """A call that tries without end is cut off."""
    source = GET + ("export const call = async (url) => { while ((await fetch(url + '/unit')).status !== 200); };")
    call = of_node(tmp_path, source, "status-500").call("status-500")
    assert (call.still_trying, call.attempts) == (True, 200)


def test_what_a_subject_leaves_is_ended(tmp_path: Path) -> None:
    """A daemon that a trial starts does not outlive it."""
    source = """
        import { spawn } from "node:child_process";
        import { appendFileSync } from "node:fs";
        export const client = (endpoint) => endpoint;
        export const call = async (url) => {
          const daemon = spawn("/bin/sleep", ["600"], { detached: true, stdio: "ignore" });
          appendFileSync(FILE, `${daemon.pid}\\n`);
          daemon.unref();
          return (await fetch(url + "/unit")).text();
        };
    """
    pids = tmp_path / "pids"
    of_node(tmp_path, source.replace("FILE", repr(str(pids))), real=True)
    started = [int(pid) for pid in pids.read_text().split()]
    assert len(started) == 3
    assert not [pid for pid in started if alive(pid)]


@pytest.mark.parametrize(
    ("source", "why"),
    [
        ("import 'nowhere'; export const call = 1;", "subject.mjs: throws on import (Error: Cannot find package"),
        (GET + "export const call = () => { throw new RangeError('no bucket'); }", "RangeError: no bucket"),
        (GET + "export const call = () => new Promise(() => {});", "never settled"),
        (GET + "export const call = () => 1;", "subject sends its service nothing"),
        ("process.reallyExit(4)", "ended its process while it was imported (exit 4)"),
    ],
)
def test_a_subject_that_does_not_work(source: str, why: str, tmp_path: Path) -> None:
    """Healthy says why, in the subject's own words."""
    with pytest.raises(UnmeasuredError) as raised:
        of_node(tmp_path, source)
    assert why in str(raised.value)


def test_a_node_that_is_not_there(tmp_path: Path) -> None:
    """An interpreter that cannot be run is named."""
    with pytest.raises(UnmeasuredError, match="cannot be run: No such file"):
        try_out(tmp_path / "subject.mjs", GET, interpreter=tmp_path / "node", language="node")
