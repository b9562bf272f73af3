"""Trials end to end: a real subject in a real process against the real broken server."""

from pathlib import Path
from textwrap import dedent
from typing import Any

import pytest
from tests.trial.trying import GET, HORIZON, try_out

from failsame.errors import UnmeasuredError
from failsame.observation import NOT_MADE
from failsame.suite import Failure, Phase, Scenario
from failsame.trial import JITTERS, follow, probe

RAISING = (
    GET
    + """

    def call(port):
        status = get(port)
        if status != 200:
            raise LookupError(status)
"""
)

THREE_CALLS = Scenario(
    name="three", group="own", when="fails", shows="", phases=(Phase(calls=3, answers=(Failure(),)),)
)

ASYNC = """
    import asyncio
    import urllib.parse


    async def client(endpoint):
        return urllib.parse.urlsplit(endpoint).port


    async def call(port):
        reader, writer = await asyncio.open_connection("127.0.0.1", port)
        writer.write(b"GET /unit HTTP/1.1\\r\\nhost: a\\r\\nconnection: close\\r\\n\\r\\n")
        status = (await reader.readline()).split()[1]
        writer.close()
        if status != b"200":
            raise LookupError(status)
"""

GENERATOR = RAISING.replace(
    "        return urllib.parse.urlsplit(endpoint).port\n",
    "        port = urllib.parse.urlsplit(endpoint).port\n        yield port\n        get(port, '/closing')\n",
)

FROM_ENVIRONMENT = """
    import os
    import urllib.request

    URL = os.environ["AWS_ENDPOINT_URL"]


    def client():
        return None


    def call(client):
        return urllib.request.urlopen(URL + "/unit").read()
"""

HTTPS = """
    import urllib.request


    def client(endpoint):
        assert endpoint.startswith("https://")
        return endpoint


    def call(endpoint):
        return urllib.request.urlopen(endpoint + "/unit").read()
"""

NAMED = """
    import urllib.request


    def client(endpoint):
        return None


    def call(client):
        return urllib.request.urlopen("https://api.example.com/unit").read()
"""

SHAPES: dict[str, tuple[str, str | None, str, dict[str, Any]]] = {
    "plain": (RAISING, None, "builtins.LookupError", {}),
    "async": (ASYNC, None, "builtins.LookupError", {}),
    "generator": (GENERATOR, None, "builtins.LookupError", {}),
    "from its environment": (FROM_ENVIRONMENT, "`client` takes no endpoint", "urllib.HTTPError", {}),
    "https": (HTTPS, None, "urllib.HTTPError", {"tls": True}),
    "a name that is in its code": (NAMED, None, "urllib.HTTPError", {"hosts": {"api.example.com": "main"}}),
    "imports a thread": (
        RAISING
        + "\n\n    import threading\n    threading.Thread(target=threading.Event().wait, daemon=True).start()\n",
        "its import starts threads",
        "builtins.LookupError",
        {},
    ),
    "keeps a file open": (
        RAISING + "\n\n    words = open('/etc/passwd')\n",
        "its import leaves a file open",
        "builtins.LookupError",
        {},
    ),
    "keeps a log open": (
        RAISING + "\n\n    log = open('/proc/self/comm', 'w')\n",
        None,
        "builtins.LookupError",
        {},
    ),
}


@pytest.mark.parametrize("shape", SHAPES)
def test_shapes(shape: str, tmp_path: Path) -> None:
    """Every shape of subject is measured, forked where that is a fresh start, else in an interpreter of its own."""
    source, why_fresh, outcome, more = SHAPES[shape]
    tried = try_out(tmp_path / "subject.py", source, "status-500", **more)
    for jitter in JITTERS:
        call = tried.call("status-500", jitter)
        assert (call.outcome, call.attempts, call.connections, call.late_attempts) == (outcome, 1, 1, 0)
    assert (tried.why_fresh or "").startswith(why_fresh or "")
    assert (tried.why_fresh is None) == (why_fresh is None)
    assert tried.healthy.fault_keys == {"main": "GET /unit"}


def test_real_time(tmp_path: Path) -> None:
    """In real time a silent service is waited for up to the horizon, and an error comes at once."""
    tried = try_out(tmp_path / "subject.py", RAISING, "silent", "status-500", real=True)
    assert (tried.call("silent").still_waiting, tried.call("silent").outcome) == (True, None)
    assert tried.observation("silent").clock == "real"
    assert tried.observation("silent").horizon == HORIZON
    give_up = tried.call("status-500").give_up
    assert give_up is not None
    assert give_up < 1


def test_still_waiting(tmp_path: Path) -> None:
    """A call that does not end by itself is cut off at the horizon, with what it did until then."""
    call = try_out(tmp_path / "subject.py", RAISING, "silent").call("silent")
    assert (call.still_waiting, call.outcome, call.give_up, call.attempts) == (True, None, None, 1)


def test_still_trying(tmp_path: Path) -> None:
    """A call that tries for ever without a pause is cut off at 200 attempts; above HTTP, and below it."""
    source = (
        GET
        + """

    def call(port):
        while True:
            try:
                if get(port) == 200:
                    return
            except OSError:
                pass
"""
    )
    tried = try_out(tmp_path / "subject.py", source, "status-500", "refused")
    for scenario in ("status-500", "refused"):
        call = tried.call(scenario)
        assert (call.still_trying, call.attempts, call.outcome) == (True, 200, None)


def test_late_attempts(tmp_path: Path) -> None:
    """Attempts after the call had ended are counted as such."""
    source = (
        GET
        + """

    def call(port):
        if get(port) != 200:
            import threading

            threading.Timer(0.5, get, (port,)).start()
            raise LookupError
"""
    )
    call = try_out(tmp_path / "subject.py", source, "status-500").call("status-500")
    assert (call.attempts, call.late_attempts, call.outcome) == (1, 1, "builtins.LookupError")


@pytest.mark.parametrize(
    ("deed", "outcome"),
    [
        ("os._exit(5)", "exit 5"),
        ("sys.exit(6)", "exit 6"),
        ("os.kill(os.getpid(), signal.SIGKILL)", "signal SIGKILL"),
        ("os.abort()", "signal SIGABRT"),
    ],
)
def test_endings_are_outcomes(deed: str, outcome: str, tmp_path: Path) -> None:
    """A process that ends in a call is a result, and its time; the calls after it are not made."""
    source = (
        GET
        + f"""

    def call(port):
        import os, signal, sys, time

        if get(port) != 200:
            time.sleep(1.5)
            {deed}
"""
    )
    calls = try_out(tmp_path / "subject.py", source, THREE_CALLS).observation("three").calls
    if outcome == "exit 6":  # an exception like any other: the client lives on
        assert [call.outcome for call in calls] == [outcome] * 3
    else:
        assert [call.outcome for call in calls] == [outcome, NOT_MADE, NOT_MADE]
    assert calls[0].give_up == pytest.approx(1.5, abs=0.005)


COUNTS = (
    GET
    + """

    CALLS = 0


    def call(port):
        global CALLS
        CALLS += 1
        if get(port) != 200:
            raise LookupError(CALLS) if CALLS == 1 else KeyError(CALLS)
"""
)


def test_no_state_of_another_trial(tmp_path: Path) -> None:
    """What a trial leaves in the subject's module is not there in the next; within one it stays."""
    tried = try_out(tmp_path / "subject.py", COUNTS, "status-500", "status-503", THREE_CALLS)
    for scenario in ("status-500", "status-503"):
        assert tried.call(scenario).outcome == "builtins.LookupError"
    (first, *others) = tried.observation("three").calls
    assert first.outcome == "builtins.LookupError"
    assert {call.outcome for call in others} == {"builtins.KeyError"}


def test_another_path_each_time(tmp_path: Path) -> None:
    """No fault can hit a request that is another in each trial; so nothing can be measured, and that is said."""
    source = """
        import secrets
        from urllib.request import urlopen

        def client(endpoint):
            return endpoint

        def call(endpoint):
            urlopen(f"{endpoint}/{secrets.choice(range(10**6))}x").read()
    """
    with pytest.raises(
        UnmeasuredError, match=r"^subject asks for GET /\d+x in one trial and for GET /\d+x in the next"
    ):
        try_out(tmp_path / "subject.py", source, "status-500")


def test_a_scenario_that_breaks_no_request(tmp_path: Path) -> None:
    """A path that is another only after `healthy`: nothing is known of the fault, and that is said."""
    source = f"""
        from pathlib import Path
        from urllib.request import urlopen

        CALLS = Path({str(tmp_path / "calls")!r})
        HEALTHY = 3  # both jitters, and once to see whether a client made before shows

        def client(endpoint):
            return endpoint

        def call(endpoint):
            with CALLS.open("a") as calls:
                calls.write(".")
            path = "a" if CALLS.stat().st_size <= HEALTHY else "b"
            urlopen(f"{{endpoint}}/{{path}}").read()
    """
    with pytest.raises(UnmeasuredError, match=r"^no request was GET /a, which healthy showed: make the call ask for"):
        try_out(tmp_path / "subject.py", source, "status-500")


AT_ONCE = """
    import secrets
    import threading
    from urllib.request import urlopen

    def client(endpoint):
        return endpoint

    def call(endpoint):
        waiting = [threading.Thread(target=ask, args=(endpoint, path)) for path in ("a", "b")]
        if secrets.randbits(1):
            waiting.reverse()
        for thread in waiting:
            thread.start()
            thread.join()
        if failed:
            raise LookupError(failed)

    failed = []

    def ask(endpoint, path):
        try:
            urlopen(f"{endpoint}/{path}").read()
        except OSError:
            failed.append(path)
"""


@pytest.mark.parametrize("usual", ["GET /a", "GET /b"])
def test_requests_in_any_order(usual: str, tmp_path: Path) -> None:
    """The request that was broken before is broken again, whichever is the first of this run."""
    tried = try_out(tmp_path / "subject.py", AT_ONCE, "status-500", usual={"main": usual})
    assert tried.healthy.fault_keys == {"main": usual}
    for jitter in JITTERS:
        (call,) = tried.observation("status-500", jitter).calls
        (other,) = {"GET /a", "GET /b"} - {usual}
        assert (call.attempts, dict(call.other_requests)) == (1, {other: 1})


def test_the_usual_request_is_gone(tmp_path: Path) -> None:
    """A client that asks for another path since its upgrade is broken at that."""
    source = GET + "\n    def call(port):\n        assert get(port) == 200\n"
    tried = try_out(tmp_path / "subject.py", source, "status-500", usual={"main": "GET /before"})
    assert tried.healthy.fault_keys == {"main": "GET /unit"}
    assert tried.call("status-500").attempts == 1


def test_nothing_of_the_job(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Nothing of the job's environment reaches a subject; what the configuration sets does; credentials are dummies."""
    for name in ("GITHUB_TOKEN", "AWS_SESSION_TOKEN", "AWS_PROFILE", "HTTPS_PROXY", "NPM_TOKEN", "MY_SECRET"):
        monkeypatch.setenv(name, "not for subjects")
    monkeypatch.setenv("AWS_SECRET_ACCESS_KEY", "not for subjects")
    source = (
        RAISING
        + """

    import os

    assert "not for subjects" not in repr(dict(os.environ)), os.environ
    assert "not for subjects" not in open("/proc/self/environ").read()
    assert os.environ["OWN"] == "set"
    assert os.environ["AWS_SECRET_ACCESS_KEY"] == "failsame-dummy"
    assert os.environ["HOME"] == os.getcwd()
"""
    )
    call = try_out(tmp_path / "subject.py", source, "status-500", variables={"OWN": "set"}).call("status-500")
    assert call.outcome == "builtins.LookupError"


def test_elsewhere(tmp_path: Path) -> None:
    """Connects to anything but the trial's server are refused, and reported."""
    source = (
        GET
        + """

    import socket


    def call(port):
        for address in (("198.51.100.7", 443), ("api.example.com", 80), ("127.0.0.1", 22)):
            try:
                socket.create_connection(address).close()
            except OSError:
                continue
            raise AssertionError(address)
        get(port)
"""
    )
    call = try_out(tmp_path / "subject.py", source, "status-500").call("status-500")
    assert call.outcome == "ok"
    assert call.elsewhere == ("127.0.0.1:22", "198.51.100.7:443", "api.example.com:80")


NEVER_READY = {
    "waits": "import threading\n        threading.Event().wait()",
    # Each connect is told: what is said meanwhile must not prolong the wait.
    "asks for ever": (
        "import socket\n        while True:\n            socket.create_connection(('127.0.0.1', PORT)).close()"
    ),
}


@pytest.mark.parametrize("way", NEVER_READY)
@pytest.mark.parametrize("real", [False, True], ids=["skipped", "real"])
def test_never_ready(way: str, real: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A client that is never made is no result: after the limit the subject is unmeasured, in one line."""
    monkeypatch.setattr(follow, "_READY_LIMIT", 1.5)
    source = RAISING.replace(
        "        return urllib.parse.urlsplit(endpoint).port\n",
        f"        PORT = urllib.parse.urlsplit(endpoint).port\n        {NEVER_READY[way]}\n",
    )
    with pytest.raises(UnmeasuredError, match=r"^client\(\) did not return within 1.5 s in healthy: a client must be "):
        try_out(tmp_path / "subject.py", source, real=real)


def test_never_imported(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """An import that does not end is told in one line, too."""
    monkeypatch.setattr(probe, "PREPARE_LIMIT", 1.5)
    source = dedent(RAISING) + "\nimport threading\n\nthreading.Event().wait()\n"
    with pytest.raises(UnmeasuredError, match=r"subject\.py was not imported within 1\.5 s: move work that waits"):
        try_out(tmp_path / "subject.py", source)


def test_closing_that_does_not_end(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A client that cannot be closed is a note; what was measured stands."""
    monkeypatch.setattr(follow, "_LAST_LIMIT", 0.5)
    source = RAISING.replace(
        "        return urllib.parse.urlsplit(endpoint).port\n",
        "        import os, threading\n\n        yield urllib.parse.urlsplit(endpoint).port\n"
        "        if FAILED:\n            threading.Event().wait()\n",
    ).replace("            raise LookupError", "            FAILED.append(1)\n            raise LookupError")
    source += "\n\n    FAILED = []\n"
    observation = try_out(tmp_path / "subject.py", source, "status-500").observation("status-500")
    assert observation.calls[0].outcome == "builtins.LookupError"
    assert "closing the client did not end, the process was killed" in observation.notes
