"""docs/baselines.md says what the code does."""

import json
import re
from pathlib import Path

from failsame.baseline import lay_out, parse_baseline, parse_coming
from failsame.facts import FACTS, SLACK, UNALIGNED
from failsame.observation import ATTEMPT_LIMIT, LONGEST_REAL

TEXT = (Path(__file__).parents[2] / "docs" / "baselines.md").read_text()


def rows(heading: str) -> list[tuple[str, ...]]:
    """The rows of the table under this head."""
    _, _, rest = TEXT.partition(f"| {heading} |")
    lines = rest.splitlines()[2:]
    table = lines[: next(number for number, line in enumerate(lines) if not line.startswith("|"))]
    return [tuple(cell.strip() for cell in line.strip("|").split("|")) for line in table]


def test_the_facts_are_those_of_the_code() -> None:
    """Every fact, in order, and how it is compared."""
    described = [(name, how) for name, how, _ in rows("fact")]
    assert described == [(f"`{fact.name}`", "exactly" if fact.exact else "with slack") for fact in FACTS.values()]


def test_the_slack_is_that_of_the_code() -> None:
    """Seconds and share of both clocks, and of calls that were not aligned."""
    words = [f"{slack.seconds:g} s + {slack.share:.0%}".replace("%", " %") for slack in SLACK.values()]
    assert [text for _, text in rows("measured in")] == [*words, f"{UNALIGNED:g} s instead of the seconds above"]


def test_the_limits_are_those_of_the_code() -> None:
    """The longest wait in real time, and the attempts a call is cut off at."""
    assert f"in real time up to {LONGEST_REAL} s" in TEXT
    assert f"cut off at {ATTEMPT_LIMIT} attempts" in TEXT


def test_the_examples_are_files_that_failsame_writes() -> None:
    """Both examples are read, and written again to the byte."""
    base, coming = re.findall(r"```json\n(.*?)```", TEXT, re.DOTALL)
    assert lay_out(parse_baseline(base, subject="boto3-s3", where="docs")) == base
    assert lay_out(parse_coming(coming, subject="boto3-s3", where="docs")) == coming
    assert json.loads(base)["subject"] == json.loads(coming)["subject"]
