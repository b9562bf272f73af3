"""A fallback chain through the real command line: recorded, the same, and another once its timeouts add up."""

from collections.abc import Callable

import pytest
from tests.cli.commanding import AtOnce, Ended, Project

pytestmark = pytest.mark.install

CONFIG = """\
version: 1
subjects:
  - name: assistant
    file: assistant.py
    endpoints: {primary: http, fallback: http}
    scenarios: [all-silent]
"""

# One deadline of 5 s for both; `left` is what an edit breaks.
CHAIN = """\
import http.client
import time
import urllib.parse


def client(endpoint, endpoints):
    return endpoints


def call(endpoints):
    deadline = time.monotonic() + 5
    for name, url in endpoints.items():
        left = deadline - time.monotonic()
        try:
            return get(url, "/" + name, min(3, left))
        except OSError:
            continue
    raise TimeoutError


def get(url, path, timeout):
    connection = http.client.HTTPConnection(urllib.parse.urlsplit(url).netloc, timeout=timeout)
    try:
        connection.request("GET", path)
        connection.getresponse().read()
    finally:
        connection.close()
"""


@pytest.fixture(scope="module")
def runs(new_project: Callable[[], Project], at_once: AtOnce) -> AtOnce:
    """A chain that was recorded once and is checked as it was and changed; and one that never falls back."""
    chain, alone = new_project(), new_project()
    for project in (chain, alone):
        project.write("failsame.yml", CONFIG)
        project.write("assistant.py", CHAIN)
    alone.write("assistant.py", CHAIN.replace("continue", "raise"))

    def changed() -> Ended:
        chain.run("record")
        again = chain.copy(chain.folder.parent / "again")
        at_once.begin("as it was", lambda: again.run("check"))
        chain.write("assistant.py", CHAIN.replace("min(3, left)", "3"))
        return chain.run("check", "--report", "report.json")

    at_once.begin("changed", changed)
    at_once.begin("alone", lambda: alone.run("measure", "--report", "report.json"))
    return at_once


def test_timeouts_that_add_up(runs: AtOnce) -> None:
    """Without the shared deadline the fallback's own timeout comes on top: red, with both give-up times."""
    ended = runs["changed"]
    (subject,) = ended.report["subjects"]
    (drifted,) = (each for each in subject["scenarios"] if each["verdict"] == "drift")
    assert (ended.status, drifted["name"]) == (1, "all-silent")
    assert subject["fault_keys"] == {"primary": "GET /primary", "fallback": "GET /fallback"}
    (call,) = (each["both"] for each in drifted["calls"])
    assert (call["endpoints"], call["give_up"]) == (["primary", "fallback"], pytest.approx(6, abs=0.05))


def test_the_same(runs: AtOnce) -> None:
    """The chain as it was recorded is green."""
    runs["changed"]
    assert runs["as it was"].status == 0


def test_a_fallback_that_nothing_calls(runs: AtOnce) -> None:
    """It is measured all the same, and said, since its timeouts were not seen."""
    ended = runs["alone"]
    (subject,) = ended.report["subjects"]
    said = "nothing brought it to ask fallback: neither refused connections, 500 nor silence before it"
    assert (ended.status, said in subject["notes"], said in ended.out) == (0, True, True)
