"""The documentation of the suite says what the suite's data says."""

import re
import shlex
from pathlib import Path

import pytest

from failsame.suite import GROUPS, SCENARIOS, Failure, Garbage, Good, Phase, Reset, Scenario
from failsame.suite.dialects import DIALECTS, fits
from failsame.suite.document import commands, document, entry

PAGE = Path(__file__).parents[2] / "docs" / "scenarios.md"

SAID = {
    "connect-blackhole": ["SYNs get no answer"],
    "tls-stall": ["an https URL", "never answers the handshake", "curl -i --insecure --max-time 10 'https://"],
    "silent-once": ["attempt 1 gets silence", "every later one a good answer", "'http://127.0.0.1:8080/?[1-2]'"],
    "late-45s": ["46 s after the end of the request", "own script takes 46 s"],
    "slow-headers": ["head takes 7 s", "last 70 bytes come one every 0.1 s", "own script takes 7 s"],
    "drip-body": ["last 140 bytes come one every 0.45 s (63 s)", "own script takes 63 s"],
    "reset-after-request": ["RST instead of an answer", "read whole"],
    "close-once": ["attempt 1 gets FIN instead of an answer", "every later one a good answer"],
    "status-408": ["status 408 with the dialect's error body"],
    "throttled": ["`s3` 503", "- **Dialects:** `s3`, ", "--dialect s3"],
    "retry-after-huge": ["status 503", "`Retry-After: 100000`"],
    "retry-after-date": ["the date of now rounded up to a second plus 5 s"],
    "x-amz-retry-after": ["status 500", "`x-amz-retry-after: 1500`", "- **Dialects:** `s3`, `aws-json`."],
    "clock-skew": ["3600 s behind the server's", "until its date fits"],
    "error-in-200": ["status 200 with the dialect's error in its body"],
    "fails-twice": ["attempt 1 gets status 500", "attempt 2 gets status 500", "?[1-3]"],
    "truncated-body": ["only half of its body, then FIN"],
    "bad-checksum": ["declared checksum is wrong", "- **Dialects:** `s3`."],
    "half-open": ["2 calls in a row", "dead without a sign", "curl -v --max-time 10"],
    "quota-refill": ["calls 1 to 70", "calls 71 to 80", "calls 81 to 83", "83 calls in a row", "skipped time only"],
    "first-refused": [
        "The first endpoint refuses",
        "nothing listens on the port; at all others every request gets a good",
    ],
    "first-drip": [
        "half of its body, then a space every 0.45 s, for ever",
        "-i --max-time 10 'http://127.0.0.1:8080/'",
    ],
    "first-late-then-silent": [
        "at the first endpoint every request gets status 500 with the dialect's error body, 46 s after",
        "at all others every request gets silence",
        "own script takes 46 s",
    ],
}


def test_the_page_is_current() -> None:
    """docs/scenarios.md is what `python -m failsame.suite.document` writes."""
    assert PAGE.read_text() == document()


def test_the_page_has_every_group_and_scenario_once_in_order() -> None:
    """Nothing of the suite is missing, and nothing else is there; every link in it leads somewhere."""
    page = document()
    assert re.findall(r"^## (.+)$", page, re.MULTILINE) == list(GROUPS)
    assert re.findall(r"^### `(.+)`$", page, re.MULTILINE) == list(SCENARIOS)
    assert set(re.findall(r"\(#([^)]+)\)", page)) == {*GROUPS, *SCENARIOS}


@pytest.mark.parametrize(("name", "facts"), SAID.items(), ids=SAID.keys())
def test_an_entry_holds_the_exact_numbers(name: str, facts: list[str]) -> None:
    """Delays, statuses, headers, calls and dialects stand in it as the data has them."""
    text = entry(SCENARIOS[name])
    assert [fact for fact in facts if fact not in text] == []
    assert SCENARIOS[name].when in text
    assert SCENARIOS[name].shows in text


@pytest.mark.parametrize("scenario", SCENARIOS.values(), ids=SCENARIOS.keys())
def test_the_commands_of_an_entry_can_be_pasted(scenario: Scenario) -> None:
    """A shell splits them as meant, and `serve` gets a dialect that the scenario fits."""
    serve, *curls = (shlex.split(command) for command in commands(scenario))
    assert serve[:3] == ["failsame", "serve", scenario.name]
    dialect = serve[serve.index("--dialect") + 1] if "--dialect" in serve else "http"
    assert fits(scenario, DIALECTS[dialect], len(curls)) is None
    for port, curl in enumerate(curls, start=8080):
        assert curl[0] == "curl"
        assert curl[-1].startswith((f"http://127.0.0.1:{port}/", f"https://127.0.0.1:{port}/"))


def test_own_scenarios_are_explained_too() -> None:
    """The same words serve a scenario that is not in the suite, whatever it is made of."""
    answers = (Reset(), Garbage(), Good(delay=2), Failure(status=429, body="€", headers={"a": "b"}, delay=0.25))
    text = entry(
        Scenario(name="mine", group="own", when="is odd", shows="all", phases=(Phase(calls=2, answers=answers),))
    )
    assert "attempt 3 gets a good answer, 2 s after the end of the request" in text
    assert "every later one status 429 with a body of 3 bytes and `a: b`, 0.25 s after the end of the request" in text
    assert "2 calls in a row" in text
