"""Subjects with several endpoints, tried for real: what each is asked, and what becomes of a call when some fail."""

from pathlib import Path
from typing import Any

import pytest
from tests.trial.trying import Tried, try_out

from failsame.errors import UnmeasuredError
from failsame.observation import Call
from failsame.trial import JITTERS

CHAIN = """
    import http.client
    import urllib.parse

    FAILURES = ({failures},)

    def client(endpoint, endpoints):
        assert endpoint == next(iter(endpoints.values()))
        return endpoints

    def get(url, path, timeout):
        connection = http.client.HTTPConnection(urllib.parse.urlsplit(url).netloc, timeout=timeout)
        try:
            connection.request("GET", path)
            answer = connection.getresponse()
            answer.read()
        finally:
            connection.close()
        if answer.status != 200:
            raise LookupError(answer.status)

    def call(endpoints):
        for number, (name, url) in enumerate(endpoints.items(), start=1):
            try:
                get(url, "/" + name, number)
            except FAILURES:
                continue
            return answered(name, endpoints)
        raise ConnectionError

    def answered(name, endpoints):
        return name
"""

TWO = {"primary": "http", "fallback": "http"}


def chain(tmp_path: Path, *scenarios: str, failures: str = "OSError, LookupError", **more: Any) -> Tried:
    source = more.pop("source", CHAIN).replace("{failures}", failures)
    return try_out(tmp_path / "subject.py", source, *scenarios, **{"endpoints": TWO, "horizon": 60.0, **more})


def test_each_endpoint_is_known_by_what_it_is_asked_when_those_before_it_fail(tmp_path: Path) -> None:
    """The fallback's fallback is called only where two are down; faults hit each by its own request."""
    tried = chain(tmp_path, "all-500", endpoints={**TWO, "last": "http"})
    assert tried.healthy.requests == ("GET /primary",)
    assert tried.healthy.fault_keys == {"primary": "GET /primary", "fallback": "GET /fallback", "last": "GET /last"}
    assert tried.call("all-500").endpoints == ("primary", "fallback", "last")
    assert tried.why_fresh is None


@pytest.mark.parametrize(
    ("failures", "scenario"),
    [("ConnectionRefusedError", "first-refused"), ("LookupError", "first-500"), ("TimeoutError", "first-silent")],
)
def test_whatever_a_client_falls_back_from_shows_its_fallback(failures: str, scenario: str, tmp_path: Path) -> None:
    """One that falls back from a single kind of failure falls back in that scenario alone."""
    every = ("first-refused", "first-500", "first-silent")
    tried = chain(tmp_path, *every, failures=failures)
    assert tried.healthy.fault_keys == {"primary": "GET /primary", "fallback": "GET /fallback"}
    asked = {each: tried.call(each).endpoints for each in every}
    assert asked == {each: ("primary", "fallback") if each == scenario else ("primary",) for each in every}


def test_a_fallback_that_is_never_called(tmp_path: Path) -> None:
    """It is told, and the subject is measured all the same."""
    tried = chain(tmp_path, "all-500", failures="KeyError")
    assert (tried.healthy.never_called, tried.healthy.fault_keys) == (("fallback",), {"primary": "GET /primary"})
    assert (tried.call("all-500").endpoints, tried.call("all-500").outcome) == (("primary",), "builtins.LookupError")


def test_a_fallback_that_never_worked(tmp_path: Path) -> None:
    """It is asked and answers well, and the call fails all the same: no measurement, in the client's own words."""
    source = f"""{CHAIN}
    def answered(name, endpoints):
        return {{"primary": 1}}[name]
    """
    with pytest.raises(UnmeasuredError) as error:
        chain(tmp_path, source=source)
    assert str(error.value) == (
        "subject fails although fallback is well, in first-refused: builtins.KeyError: 'fallback'. "
        "Mend subject.py until its call returns what fallback answers"
    )


def test_endpoints_in_another_order_than_they_are_called(tmp_path: Path) -> None:
    """The first is the one that faults hit, so it must be the one that is called while all is well."""
    source = CHAIN.replace("endpoints.items()", "reversed(endpoints.items())")
    with pytest.raises(UnmeasuredError, match="calls fallback although primary is well: list its `endpoints`"):
        chain(tmp_path, source=source)


def assert_asked(call: Call, *turns: tuple[str, float, float | None]) -> None:
    """Which endpoint each attempt asked, when it began, and how long it lasted."""
    assert call.endpoints == tuple(name for name, _, _ in turns)
    assert [attempt.at for attempt in call.starts] == pytest.approx([at for _, at, _ in turns], abs=0.3)
    for seen, (_, _, lasted) in zip(call.lasted, turns, strict=True):
        assert seen is None if lasted is None else seen == pytest.approx(lasted, abs=0.3)


def test_when_each_call_began_and_ended(tmp_path: Path) -> None:
    """The primary has a second, the fallback two: in silence they add up; a failure at once costs nothing."""
    tried = chain(tmp_path, "all-silent", "first-silent", "all-500", "first-refused")
    for jitter in JITTERS:
        silent = tried.call("all-silent", jitter)
        assert_asked(silent, ("primary", 0, 1), ("fallback", 1, 2))
        assert silent.give_up == pytest.approx(3, abs=0.5)
        assert_asked(tried.call("first-silent", jitter), ("primary", 0, 1), ("fallback", 1, 0))
        for scenario, outcome in {"all-500": "builtins.ConnectionError", "first-refused": "ok"}.items():
            assert_asked(tried.call(scenario, jitter), ("primary", 0, 0), ("fallback", 0, 0))
            assert tried.call(scenario, jitter).outcome == outcome


def test_a_body_without_end(tmp_path: Path) -> None:
    """A timeout that each read meets anew never comes: the fallback is not called, the call never ends."""
    call = chain(tmp_path, "first-drip", horizon=10.0).call("first-drip")
    assert call.still_waiting
    assert_asked(call, ("primary", 0, None))


def test_attempts_that_go_on_after_the_fallback_has_answered(tmp_path: Path) -> None:
    """A client that asks the primary again in the background while it already has its answer."""
    source = f"""{CHAIN}
    import threading
    import time

    def answered(name, endpoints):
        def again():
            time.sleep(1)
            get(endpoints["primary"], "/primary", 1)

        threading.Thread(target=again, daemon=True).start()
    """
    call = chain(tmp_path, "first-500", source=source).call("first-500")
    assert (call.outcome, call.endpoints) == ("ok", ("primary", "fallback"))
    assert (call.late_attempts, call.attempts_after_answer) == (1, 1)


ADDRESSES = """
    import os
    import urllib.request

    def client():
        return [os.environ["ANTHROPIC_BASE_URL"], os.environ["OPENAI_BASE_URL"]]

    def call(urls):
        for url in urls:
            try:
                return urllib.request.urlopen(url + "/x", b"{}").read()
            except OSError:
                continue
"""


def test_each_sdk_gets_the_address_of_its_own_endpoint(tmp_path: Path) -> None:
    """A client that takes no address finds those of its services in the variables that their SDKs read."""
    endpoints = {"primary": "anthropic", "fallback": "openai"}
    tried = chain(tmp_path, "first-500", source=ADDRESSES, endpoints=endpoints)
    assert tried.healthy.fault_keys == {"primary": "POST /x", "fallback": "POST /v1/x"}
    assert tried.call("first-500").endpoints == ("primary", "fallback")


NAMED = """
    import urllib.request

    def client(endpoint):
        return None

    def call(_):
        for host in ("a.example.com", "b.example.com"):
            try:
                return urllib.request.urlopen(f"http://{host}/x").read()
            except OSError:
                continue
"""


def test_host_names_lead_to_their_own_endpoint(tmp_path: Path) -> None:
    """Where the names stand in the code, each leads to the endpoint that the configuration says."""
    hosts = {"a.example.com": "primary", "b.example.com": "fallback"}
    tried = chain(tmp_path, "first-refused", source=NAMED, hosts=hosts)
    assert tried.healthy.fault_keys == {"primary": "GET /x", "fallback": "GET /x"}
    assert tried.call("first-refused").endpoints == ("primary", "fallback")
