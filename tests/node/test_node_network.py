"""Connects of Node subjects: their own are told, others refused as a system would."""

from collections.abc import Callable

import pytest
from tests.node.noding import Result, needs_node
from tests.probes.probing import Service

from failsame.trial.channel import Connect, Limit

pytestmark = needs_node

# What `call` awaits -> outcome and code, and where it wanted to.
ELSEWHERE = {
    "fetch('http://192.0.2.7/')": ("TypeError", "ECONNREFUSED", "192.0.2.7:80"),
    "fetch('https://api.example.com/')": ("TypeError", "ENOTFOUND", "api.example.com:443"),
    "once(http.get('http://192.0.2.7:81/'), 'response')": ("Error", "ECONNREFUSED", "192.0.2.7:81"),
    "once(http.get('http://[2001:db8::1]/'), 'response')": ("Error", "ECONNREFUSED", "[2001:db8::1]:80"),
    "once(tls.connect(443, 'api.example.com'), 'secureConnect')": ("Error", "ENOTFOUND", "api.example.com:443"),
    "once(net.connect({ port: 1, lookup() { process.exit(9) }, host: 'x.test' }), 'connect')": (
        "Error",
        "ENOTFOUND",
        "x.test:1",
    ),
    "once(new net.Socket().connect(9, '127.0.0.1'), 'connect')": ("Error", "ECONNREFUSED", "127.0.0.1:9"),
    "once(http2.connect('http://192.0.2.7'), 'connect')": ("Error", "ECONNREFUSED", "192.0.2.7:80"),
    "dns.promises.lookup('api.example.com')": ("Error", "ENOTFOUND", "api.example.com"),
    "promisify(dns.lookup)('api.example.com')": ("Error", "ENOTFOUND", "api.example.com"),
    "promisify(dns.resolve4)('api.example.com')": ("Error", "ECONNREFUSED", "api.example.com"),
    "new dns.promises.Resolver().resolveSrv('api.example.com')": ("Error", "ECONNREFUSED", "api.example.com"),
}

IMPORTS = """
    import dns from "node:dns"; import http from "node:http"; import http2 from "node:http2";
    import net from "node:net"; import tls from "node:tls"; import { once } from "node:events";
    import { promisify } from "node:util"; import { Worker } from "node:worker_threads"; import dgram from "node:dgram";
    export const client = (endpoint) => endpoint;
"""


@pytest.mark.parametrize("asked", ELSEWHERE)
def test_elsewhere(asked: str, trial: Callable[..., Result]) -> None:
    """However it is made, a connect to somewhere else is refused as the system refuses one, and told once."""
    result = trial(f"{IMPORTS} export const call = async () => {{ await {asked}; }};")
    outcome, code, to = ELSEWHERE[asked]
    assert result.outcomes == [(outcome, code)], result.said
    assert [(connect.to, connect.endpoint) for connect in result.of(Connect)] == [(to, None)]


def test_names_of_this_machine(trial: Callable[..., Result], service: Service) -> None:
    """localhost is this machine, whose other ports are elsewhere."""
    result = trial(
        f"""{IMPORTS}
        export const call = async () => {{
          await dns.promises.lookup("localhost");
          await (await fetch("http://localhost:{service.port}/unit")).text();
          await fetch("http://localhost:4711/");
        }};
        """
    )
    assert result.outcomes == [("TypeError", "ECONNREFUSED")]
    assert [connect.to for connect in result.of(Connect)] == [f"127.0.0.1:{service.port}", "localhost:4711"]


def test_hosts_lead_to_the_trial(trial: Callable[..., Result], service: Service) -> None:
    """A hard-coded host name leads to the trial's port, looked up by the socket or by the client itself."""
    before = len(service.requests)
    result = trial(
        f"""{IMPORTS}
        export const call = async () => {{
          await (await fetch("http://API.example.com/named")).text();
          const {{ address }} = await dns.promises.lookup("api.example.com");
          await (await fetch(`http://${{address}}/looked-up`)).text();
          await fetch("http://api.example.com:8080/");
        }};
        """,
        hosts={"api.example.com": ("main", service.port, service.port)},
    )
    assert result.outcomes == [("TypeError", "ECONNREFUSED")], result.said
    assert service.requests[before:] == ["/named", "/looked-up"]
    assert [connect.to for connect in result.of(Connect)][-1] == "api.example.com:8080"


def test_datagrams_are_refused_quietly(trial: Callable[..., Result]) -> None:
    """Statistics are sent to nobody, and nobody is told."""
    result = trial(
        f"""{IMPORTS}
        export const call = () => new Promise((resolve, reject) => {{
          const socket = dgram.createSocket("udp4");
          socket.send("1", 8125, "192.0.2.7", (error) => {{ socket.close(); error ? reject(error) : resolve(); }});
        }});
        """
    )
    assert result.outcomes == [("Error", "ENETUNREACH")]
    assert not result.of(Connect)


def test_worker_threads_are_watched(trial: Callable[..., Result], service: Service) -> None:
    """A worker of the import and one of the call connect, draw and warn under the same eyes."""
    result = trial(
        IMPORTS
        + """
        const work = `
          const { parentPort } = require("node:worker_threads");
          parentPort.on("message", async (url) => {
            console.warn("worker at work");
            const { status } = await fetch(url + "/worker");
            let elsewhere;
            try { await fetch("http://192.0.2.7/"); } catch (error) { elsewhere = error.cause.code; }
            parentPort.postMessage([status, elsewhere, Math.random()]);
          });`;
        const early = new Worker(work, { eval: true });
        await once(early, "online");
        export const call = async (url) => {
          const late = new Worker(work, { eval: true });
          for (const worker of [early, late]) {
            worker.postMessage(url);
            const [[status, elsewhere, drawn]] = await once(worker, "message");
            if (status !== 200 || elsewhere !== "ECONNREFUSED" || drawn !== 0.999) throw new Error(elsewhere);
            await worker.terminate();
          }
        };
        """,
        jitter=0.999,
    )
    assert result.outcomes == [("ok", None)], result.said
    own = [connect for connect in result.of(Connect) if connect.endpoint == "main"]
    assert len(own) == 2
    assert {connect.to for connect in result.of(Connect)} == {f"127.0.0.1:{service.port}", "192.0.2.7:80"}


def test_the_limit(trial: Callable[..., Result]) -> None:
    """The connect after a call's last allowed one is told, and does not return."""
    result = trial(
        f"""{IMPORTS}
        export const call = async (url) => {{
          const port = new URL(url).port;
          for (let number = 0; number < 2; number += 1) await once(net.connect(port, "127.0.0.1"), "connect");
          net.connect(port, "127.0.0.1");
          process.exit(5);
        }};
        """,
        attempt_limit=2,
    )
    assert len(result.of(Connect)) == 2
    assert [limit.call for limit in result.of(Limit)] == [1]
    assert result.status == -9
