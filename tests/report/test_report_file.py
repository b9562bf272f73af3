"""The report as a file: whole, strict, and as its schema says."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from jsonschema import Draft202012Validator

from failsame.drift.model import Drift
from failsame.errors import UsageError
from failsame.observation import Attempt, Call
from failsame.pins.model import Change
from failsame.report import Report, markdown, read, terminal, write
from failsame.report.file import from_json, to_json
from failsame.report.model import (
    BudgetReport,
    CostReport,
    Figure,
    FoldedCalls,
    LeftOut,
    Reference,
    ScenarioReport,
    SettingChange,
    SubjectReport,
    Term,
)

SCHEMA = Path(__file__).parents[2] / "schemas" / "report.json"

SMALL = Report(suite=1, failsame="0.1.0", command="check", verdict="same", clock="real", horizon=33)

# Names the code knows something about, among any others: or nearly every example would be a name nobody knows.
words = (
    st.sampled_from(["silent", "status-500", "quota-500", "call 1", "calls 2-9", "ok", "never settled", "give_up"])
    | st.text()
)
facts = st.sampled_from(list(Call.model_fields)) | words
seconds = st.floats(allow_nan=False, allow_infinity=False)
values = st.recursive(
    st.none() | st.booleans() | st.integers() | seconds | words,
    lambda inner: (
        st.lists(inner, max_size=3) | st.dictionaries(words | st.sampled_from(["low", "high"]), inner, max_size=3)
    ),
    max_leaves=6,
)
attempts = st.builds(Attempt, at=st.none() | seconds, end=st.none() | seconds, endpoint=words, answer=words)
calls = st.builds(
    Call,
    outcome=st.none() | words,
    code=st.none() | words,
    attempts=st.integers(),
    other_requests=st.dictionaries(words, st.integers(), max_size=3),
    give_up=st.none() | seconds,
    waits=st.lists(st.none() | seconds, max_size=3).map(tuple),
    starts=st.lists(attempts, max_size=3).map(tuple),
    elsewhere=st.lists(words, max_size=3).map(tuple),
)
folded = st.builds(
    FoldedCalls, both=st.none() | calls, low=st.none() | calls, high=st.none() | calls, times=st.integers(1, 3)
)
drifts = st.builds(
    Drift,
    fact=facts,
    before=values,
    after=values,
    also=st.lists(facts, max_size=3).map(tuple),
    fingerprint=words,
    cause=st.lists(words, max_size=3).map(tuple),
    advisory=st.none() | st.just("botocore-retries-2026") | words,
)
scenarios = st.builds(
    ScenarioReport,
    name=words,
    when=st.none() | words,
    horizon=seconds,
    calls=st.lists(folded, max_size=3).map(tuple),
    before=st.dictionaries(words, st.dictionaries(facts, values, max_size=3), max_size=3),
    drifts=st.lists(drifts, max_size=3).map(tuple),
    why=st.none() | words,
)
figures = st.none() | st.builds(Figure, least=st.none() | seconds, most=st.none() | seconds)
budgets = st.builds(
    BudgetReport,
    rule=words,
    name=st.none() | st.just("function-timeout") | words,
    because=st.none() | words,
    slack=seconds,
    source=st.none() | words,
    unit=st.sampled_from(["s", "USD", ""]) | words,
    left=figures,
    right=figures,
    room=figures,
    terms=st.lists(st.builds(Term, term=words, unit=words, figure=figures, scenario=st.none() | words), max_size=3),
    why=st.none() | words,
    broken_by=st.lists(words, max_size=3).map(tuple),
)
costs = st.builds(CostReport, unit=words, before=figures, after=figures, limit=st.none() | seconds)
subjects = st.builds(
    SubjectReport,
    name=words,
    dialect=st.sampled_from(["s3", "http"]) | words,
    packages=st.dictionaries(words, words, max_size=3),
    settings=st.dictionaries(words, st.none() | words | seconds, max_size=3),
    reference=st.builds(Reference, base=st.none() | words, measured_on=st.none() | words),
    scenarios=st.lists(scenarios, max_size=3).map(tuple),
    left_out=st.lists(st.builds(LeftOut, scenario=words, why=words), max_size=3).map(tuple),
    notes=st.lists(words, max_size=3).map(tuple),
    setting_changes=st.lists(
        st.builds(SettingChange, setting=words, before=st.none() | words, after=seconds), max_size=3
    ),
    budgets=st.lists(budgets, max_size=3).map(tuple),
    costs=st.lists(costs, max_size=2).map(tuple),
)
reports = st.builds(
    Report,
    suite=st.integers(),
    failsame=words,
    horizon=seconds,
    base=st.none() | words,
    changes=st.lists(st.builds(Change, package=words, lock=words), max_size=3).map(tuple),
    subjects=st.lists(subjects, max_size=3).map(tuple),
)
unhurried = settings(max_examples=60, deadline=None, suppress_health_check=list(HealthCheck))


@given(report=reports)
@unhurried
def test_any_report_can_be_read_in_words(report: Report) -> None:
    """Whatever a valid report holds, it renders, to Markdown and to text."""
    assert markdown(report).endswith("\n")
    assert terminal(report).endswith("\n")


@given(report=reports)
@unhurried
def test_what_is_written_is_read(report: Report) -> None:
    """A report survives its file."""
    assert from_json(to_json(report).encode("utf-8", "surrogatepass"), "x") == report


@given(report=reports)
@unhurried
def test_what_is_written_fits_the_schema(report: Report) -> None:
    """Every report that can be written fits the published schema."""
    Draft202012Validator(json.loads(SCHEMA.read_text())).validate(json.loads(to_json(report)))


def test_the_published_schema_is_current() -> None:
    """schemas/report.json is what `python -m failsame.report.schema` writes."""
    command = [sys.executable, "-m", "failsame.report.schema"]
    assert subprocess.run(command, check=True, capture_output=True, text=True).stdout == SCHEMA.read_text()


def test_a_file_is_written_whole(tmp_path: Path) -> None:
    """A report replaces the old one in one step, with the rights of any new file, and leaves nothing beside it."""
    path = tmp_path / "report.json"
    path.write_text("old")
    write(SMALL, path)
    assert read(path) == SMALL
    assert [entry.name for entry in tmp_path.iterdir()] == ["report.json"]
    beside = tmp_path / "any"
    beside.touch()
    assert path.stat().st_mode == beside.stat().st_mode


def test_a_failed_write_leaves_the_old_file(tmp_path: Path) -> None:
    """Where the last step fails nothing is left behind: here the place is taken by a folder."""
    taken = tmp_path / "report.json"
    (taken / "full").mkdir(parents=True)
    with pytest.raises(UsageError, match="cannot be written"):
        write(SMALL, taken)
    assert [entry.name for entry in tmp_path.iterdir()] == ["report.json"]


def test_a_place_that_is_not_there(tmp_path: Path) -> None:
    """A folder that does not exist is the user's to make."""
    with pytest.raises(UsageError, match="No such file"):
        write(SMALL, tmp_path / "none" / "report.json")
    with pytest.raises(UsageError, match="No such file"):
        read(tmp_path / "none.json")


WHOLE = json.loads(to_json(SMALL))


@pytest.mark.parametrize(
    ("content", "says"),
    [
        ("", "not JSON"),
        ("{", "not JSON"),
        ("[" * 100_000, "not JSON"),
        ("\x00\x1b[31m", "not JSON"),
        (to_json(SMALL)[:-40], "not JSON"),
        (json.dumps(WHOLE).replace("33.0", "NaN"), "not JSON"),
        ("[]", "not a report"),
        ('{"version": 1}', "not a report"),
        ('{"schema": true}', "not a report"),
        (json.dumps({**WHOLE, "schema": 2, "new": 1}), "schema 2, and this failsame reads up to 1"),
        (json.dumps({**WHOLE, "schema": 0}), "schema"),
        (json.dumps({**WHOLE, "verdict": "fine"}), "verdict"),
        (json.dumps({**WHOLE, "suite": "1"}), "suite"),
        (json.dumps({**WHOLE, "verdikt\n\x1b[31m": "same"}), r"verdikt \\x1b\[31m"),
        (json.dumps({**WHOLE, "subjects": [{"name": "a"}]}), "subjects.0"),
        (json.dumps({key: value for key, value in WHOLE.items() if key != "clock"}), "clock"),
    ],
)
def test_what_is_no_report_is_said_in_one_line(tmp_path: Path, content: str, says: str) -> None:
    """Everything but a valid report is a usage error that names the file and what is wrong, on one line."""
    path = tmp_path / "bad.json"
    path.write_text(content)
    with pytest.raises(UsageError, match=says) as caught:
        read(path)
    message = str(caught.value)
    assert message.startswith(str(path))
    assert len(message) < 500
    assert not any(character < " " for character in message)


def test_a_huge_file_is_not_read_whole(tmp_path: Path) -> None:
    """A file larger than any report is refused without being parsed."""
    path = tmp_path / "huge.json"
    path.touch()
    os.truncate(path, 65 * 1024 * 1024)
    with pytest.raises(UsageError, match="larger than 64 MiB"):
        read(path)
