import asyncio
import contextlib
import shutil
from collections.abc import AsyncIterator, Callable
from dataclasses import dataclass

import pytest

from failsame.errors import UnmeasuredError, UsageError
from failsame.faults.record import RequestRecord
from failsame.faults.serve import Teller, serve
from failsame.suite import SCENARIOS

needs_curl = pytest.mark.skipif(shutil.which("curl") is None, reason="no curl")

# curl's exit codes: 1 not HTTP, 7 refused, 18 cut short, 28 too late, 52 no answer, 56 reset.
_WAIT = ("--max-time", "0.6")
_PATIENT = ("--max-time", "20")
_TWICE = ("/{1,2}",)


@dataclass(frozen=True)
class Row:
    """What curl shows of a scenario: exit codes of one curl after the other, and what `-w` writes for each URL."""

    exits: tuple[int, ...]
    shown: tuple[str, ...]
    options: tuple[str, ...] = _PATIENT
    path: str = "/a"
    write: str = "%{http_code}"
    dialect: str = "http"


def _status(code: int, dialect: str = "http") -> Row:
    return Row((0,), (str(code),), dialect=dialect)


_ROWS = {
    "healthy": _status(200),
    "refused": Row((7,), ("000",)),
    "connect-blackhole": Row((28,), ("000",), ("--connect-timeout", "0.6"), write="%{http_code}"),
    "tls-stall": Row((28,), ("000",), ("-k", *_WAIT)),
    "silent": Row((28,), ("000",), _WAIT),
    "silent-once": Row((28, 0), ("000", "200"), _WAIT),
    "late-3s": Row((28, 0), ("000", "200"), _WAIT),
    "late-10s": Row((28,), ("000",), _WAIT),
    "late-45s": Row((28,), ("000",), _WAIT),
    "slow-headers": Row((28,), ("200",), _WAIT),
    "reset-after-request": Row((56, 56), ("000", "000")),
    "close-after-request": Row((52, 52), ("000", "000")),
    "reset-once": Row((56, 0), ("000", "200")),
    "close-once": Row((52, 0), ("000", "200")),
    **{f"status-{code}": _status(code) for code in (500, 502, 503, 504, 429, 408, 403, 404)},
    "throttled": _status(503, dialect="s3"),
    "retry-after-2": Row((0,), ("503 2",), write="%{http_code} %header{retry-after}"),
    "retry-after-30": Row((0,), ("503 30",), write="%{http_code} %header{retry-after}"),
    "retry-after-huge": Row((0,), ("503 100000",), write="%{http_code} %header{retry-after}"),
    "x-amz-retry-after": Row((0,), ("500 1500",), write="%{http_code} %header{x-amz-retry-after}", dialect="aws-json"),
    "clock-skew": _status(403, dialect="s3"),
    "error-in-200": Row((0,), ("200 application/xml",), write="%{http_code} %{content_type}", dialect="s3"),
    "fails-once": Row((0, 0), ("500", "200")),
    "fails-twice": Row((0, 0, 0), ("500", "500", "200")),
    "truncated-body": Row((18,), ("200",)),
    "reset-mid-body": Row((56,), ("200",)),
    "stalled-body": Row((28,), ("200",), _WAIT),
    "drip-body": Row((28,), ("200",), _WAIT),
    "garbage": Row((1,), ("000",)),
    # curl itself sends the second request again, on a new connection.
    "closes-on-reuse": Row((0,), ("200 1", "200 1"), path="/{1,2}", write="%{http_code} %{num_connects}"),
    "resets-on-reuse": Row((0,), ("200 1", "200 1"), path="/{1,2}", write="%{http_code} %{num_connects}"),
    "half-open": Row((28,), ("200 1", "000 0"), _WAIT, path="/{1,2}", write="%{http_code} %{num_connects}"),
    "quota-500": Row((0,), ("500",) * 70, path="/[1-70]"),
    "quota-throttled": Row((0,), ("429",) * 70, path="/[1-70]", dialect="openai"),
    # Of several endpoints curl asks the first; the fallback has a test of its own.
    "first-refused": Row((7,), ("000",)),
    "first-500": _status(500),
    "first-silent": Row((28,), ("000",), _WAIT),
    "first-drip": Row((28,), ("200",), _WAIT),
    "all-500": _status(500),
    "all-silent": Row((28,), ("000",), _WAIT),
    "first-late-then-silent": Row((28,), ("000",), _WAIT),
    "quota-refill": Row((0,), ("500",) * 70 + ("200",) * 10 + ("500",) * 3, path="/[1-83]"),
}

# A date and a checksum are facts that curl does not judge.
_NOT_SHOWN = {"retry-after-date", "bad-checksum"}


Curled = dict[str, tuple[tuple[int, ...], tuple[str, ...]]]


@contextlib.asynccontextmanager
async def _serving(
    scenario: str, dialect: str = "http", say: Callable[[str], None] = lambda _: None
) -> AsyncIterator[tuple[str, str]]:
    """Serve in the background; gives the URL, and what the first line says of it."""
    first: asyncio.Future[str] = asyncio.get_running_loop().create_future()

    def hear(line: str) -> None:
        if not first.done():
            first.set_result(line)
        say(line)

    task = asyncio.create_task(serve(SCENARIOS[scenario], 0, dialect, hear))
    url, _, what = (await first).partition(", ")
    try:
        yield url, what
    finally:
        task.cancel()
        with contextlib.suppress(asyncio.CancelledError):
            await task


async def _curled(scenario: str, row: Row) -> tuple[tuple[int, ...], tuple[str, ...]]:
    exits: list[int] = []
    shown: list[str] = []
    async with _serving(scenario, row.dialect) as (url, _):
        for last in range(len(row.exits)):
            # An answer of 3.4 s is waited for in the second round.
            options = _PATIENT if last and row.options is _WAIT else row.options
            command = ["curl", "-q", "-s", "-o", "/dev/null", *options, "-w", row.write + "\n", url + row.path]
            process = await asyncio.create_subprocess_exec(*command, stdout=asyncio.subprocess.PIPE)
            output, _ = await process.communicate()
            exits.append(await process.wait())
            shown.extend(output.decode().split("\n")[:-1])
    return tuple(exits), tuple(shown)


@pytest.fixture(scope="module")
def curled() -> Curled:
    """Every row's result; they mostly wait, so they run at once, a few at a time."""

    async def run() -> Curled:
        few = asyncio.Semaphore(8)

        async def one(scenario: str, row: Row) -> tuple[tuple[int, ...], tuple[str, ...]]:
            async with few:
                return await _curled(scenario, row)

        results = await asyncio.gather(*(one(scenario, row) for scenario, row in _ROWS.items()))
        return dict(zip(_ROWS, results, strict=True))

    return asyncio.run(run())


@needs_curl
@pytest.mark.parametrize("scenario", _ROWS)
def test_curl_sees_the_scenario(curled: Curled, scenario: str) -> None:
    """The exit code and the status that curl reports are those of the fault."""
    assert curled[scenario] == (_ROWS[scenario].exits, _ROWS[scenario].shown)


def test_every_scenario_is_either_shown_or_known_not_to_be() -> None:
    """A new scenario needs a row."""
    assert set(_ROWS) | _NOT_SHOWN == set(SCENARIOS)


def test_a_line_is_said_for_each_connection_and_request() -> None:
    """The address; who came, what was asked and how it was answered, the end: and nothing that a terminal obeys."""
    hostile = b"GET /a\xe2\x80\xae\x9b2Jb HTTP/1.1\r\nHost: x\r\n\r\n"

    async def run() -> list[str]:
        lines: list[str] = []
        ended = asyncio.Event()

        def say(line: str) -> None:
            lines.append(line)
            if "ended" in line:
                ended.set()

        async with _serving("status-500", say=say) as (url, _):
            reader, writer = await asyncio.open_connection("127.0.0.1", int(url.rpartition(":")[2]))
            writer.write(b"GET /b?c=1 HTTP/1.1\r\nHost: x\r\n\r\n" + hostile)
            await reader.read()
            writer.close()
            await ended.wait()
        return lines

    url, *lines = asyncio.run(run())
    assert url.startswith("http://127.0.0.1:")
    assert [line.split("connection 1  ")[1].partition(" from ")[0].partition(" after ")[0] for line in lines] == [
        "accepted",
        "GET /b?c=1 -> 500",
        "not HTTP -> closed",
        "ended",
    ]
    assert all(line.isprintable() for line in lines)


def test_a_scenario_of_several_endpoints_is_served_on_two_ports() -> None:
    """A line for each address, the fallback's second; what comes to it is told as its own."""

    async def run() -> list[str]:
        lines: list[str] = []
        both, ended = asyncio.Event(), asyncio.Event()

        def say(line: str) -> None:
            lines.append(line)
            if "the fallback" in line:
                both.set()
            if "ended" in line:
                ended.set()

        async with _serving("first-refused", say=say):
            await both.wait()
            port = int(lines[1].partition(",")[0].rpartition(":")[2])
            reader, writer = await asyncio.open_connection("127.0.0.1", port)
            writer.write(b"GET /b HTTP/1.0\r\n\r\n")
            await reader.read()
            writer.close()
            await ended.wait()
        return lines

    first, second, accepted, asked, _ = asyncio.run(run())
    assert first.endswith(", where nothing listens")
    assert second.endswith(", the fallback")
    assert "accepted from port" in accepted
    assert accepted.endswith(", the fallback")
    assert asked.endswith("GET /b -> 200")


def test_several_endpoints_take_several_ports() -> None:
    """The last port there is leaves none for the fallback."""
    with pytest.raises(UsageError, match="first-500 is served on 2 ports, from 65535 on: name a lower port"):
        asyncio.run(serve(SCENARIOS["first-500"], 65535, "http", lambda _: None))


def test_what_a_client_sent_cannot_move_the_cursor() -> None:
    """Control characters and direction marks are written out."""
    record = RequestRecord("main", 1, 1, "GET /\x1b[2J\u202e\x9b", 0.0, faulted=True, answer="500")
    lines: list[str] = []
    Teller(lines.append).notice(record)
    assert lines[0].endswith(r"GET /\x1b[2J\u202e\x9b -> 500")


def test_a_taken_port_is_one_line_with_the_remedy() -> None:
    """`serve` says what to do about it."""

    async def run() -> None:
        async with _serving("healthy") as (url, _):
            await serve(SCENARIOS["healthy"], int(url.rpartition(":")[2]), "http", lambda _: None)

    with pytest.raises(UnmeasuredError, match="the port is taken"):
        asyncio.run(run())


@pytest.mark.parametrize(
    ("scenario", "said"),
    [
        ("refused", "where nothing listens"),
        ("connect-blackhole", "where SYNs get no answer"),
        ("tls-stall", "where the TLS handshake gets no answer"),
    ],
)
def test_below_http_the_first_line_says_what_is_broken(scenario: str, said: str) -> None:
    """There are no requests to tell of."""

    async def run() -> str:
        async with _serving(scenario) as (_, what):
            return what

    assert asyncio.run(run()) == said
