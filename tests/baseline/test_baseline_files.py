"""The committed files: read with one clear line, written stable to the byte and never by half."""

import json
import os
import resource
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.baseline.recording import WAITING, baseline, call, measured

from failsame.baseline import (
    Coming,
    check_names,
    lay_out,
    list_baselines,
    list_coming,
    parse_baseline,
    parse_coming,
    read_baseline,
    read_coming,
    remove_coming,
    stale,
    write_baseline,
    write_coming,
)
from failsame.baseline.when import Bound
from failsame.errors import UnmeasuredError, UsageError
from failsame.facts import Conditions, Patch, recorded

BASE = baseline(status_500=measured(*[call(3)] * 17, call(2)), silent=measured(WAITING, scenario="silent"))
TEXT = """\
{
 "schema": 1,
 "suite": 1,
 "subject": "s3",
 "runtime": "python 3.12",
 "packages": {
  "botocore": "1.43.0"
 },
 "scenarios": {
  "silent": {
   "clock": "skip",
   "horizon": 3600,
   "call 1": {
    "attempts": 1,
    "connections": 1,
    "still_waiting": true
   }
  },
  "status-500": {
   "clock": "skip",
   "horizon": 3600,
   "calls 1-17": {
    "attempts": 3,
    "connections": 1,
    "give_up": [0.0, 0.0],
    "outcome": "sdk.Error",
    "waits": [[0.0, 0.0], [0.0, 0.0]]
   },
   "call 18": {
    "attempts": 2,
    "connections": 1,
    "give_up": [0.0, 0.0],
    "outcome": "sdk.Error",
    "waits": [[0.0, 0.0]]
   }
  }
 }
}
"""
COMING = Coming(
    suite=1,
    subject="s3",
    when={"botocore": Bound(">=", "1.44.8")},
    scenarios={
        "status-500": Patch(
            Conditions("skip", 3600.0),
            {1: {name: recorded([measured(call(2))]).calls[0][name] for name in ("attempts", "data_lost")}},
        )
    },
)


def test_one_fact_a_line() -> None:
    """Scenarios and facts are sorted, calls stand in their order: the diff reads like a sentence."""
    assert lay_out(BASE) == TEXT


def test_a_coming_file_leaves_no_default_out() -> None:
    """What is not there is not changed; so a fact that becomes its default has to be there."""
    assert lay_out(COMING) == (
        '{\n "schema": 1,\n "suite": 1,\n "subject": "s3",\n "when": {\n  "botocore": ">= 1.44.8"\n },\n'
        ' "scenarios": {\n  "status-500": {\n   "clock": "skip",\n   "horizon": 3600,\n   "call 1": {\n'
        '    "attempts": 2,\n    "data_lost": false\n   }\n  }\n }\n}\n'
    )
    assert parse_coming(lay_out(COMING), subject="s3", where="x") == COMING


def test_files_come_back_as_they_went(tmp_path: Path) -> None:
    """Written, listed, read; a second writing changes nothing."""
    assert write_baseline(tmp_path, BASE)
    assert (tmp_path / "s3.json").read_text() == TEXT
    assert read_baseline(tmp_path, "s3") == BASE
    assert not write_baseline(tmp_path, BASE)
    write_coming(tmp_path, {"0123abcd": COMING})
    assert read_coming(tmp_path, "s3") == {"0123abcd": COMING}
    assert read_coming(tmp_path, "other") == {}
    assert (list_baselines(tmp_path), list_coming(tmp_path)) == (["s3"], [("s3", "0123abcd")])
    remove_coming(tmp_path, "s3", ["0123abcd"])
    assert list_coming(tmp_path) == []
    assert sorted(path.name for path in tmp_path.iterdir()) == ["coming", "s3.json"]


def test_a_written_file_has_the_rights_of_any_other(tmp_path: Path) -> None:
    """It will be committed: its rights are the umask's, not a temporary file's."""
    write_baseline(tmp_path, BASE)
    other = tmp_path / "other"
    other.touch()
    assert (tmp_path / "s3.json").stat().st_mode == other.stat().st_mode


def test_nothing_is_a_folder_without_baselines(tmp_path: Path) -> None:
    """No folder: no baseline, no coming files, no error."""
    folder = tmp_path / "none"
    assert read_baseline(folder, "s3") is None
    assert (read_coming(folder, "s3"), list_baselines(folder), list_coming(folder)) == ({}, [], [])


BROKEN = {
    "cut off": (TEXT[:100], "s3.json:7:3: not JSON (Unterminated string starting at); mend it, or record it again: f"),
    "a conflict": ("<<<<<<< HEAD\n" + TEXT, "s3.json:1:1: not JSON (Expecting value); "),
    "not an object": ("[]", "s3.json: not a baseline, a JSON object is expected; "),
    "twice": (TEXT.replace('"call 18"', '"calls 1-17"'), 's3.json: "calls 1-17" stands there twice; '),
    "not a number": (TEXT.replace("3600", "NaN"), "s3.json: NaN is not JSON; "),
    "nested": ("[" * 100_000, "s3.json: not a baseline, its JSON is nested too deep; "),
    "a newer schema": (TEXT.replace('"schema": 1', '"schema": 2'),
                       "s3.json: written by a newer failsame (schema 2, this one knows 1): upgrade failsame"),
    "a newer suite": (TEXT.replace('"suite": 1', '"suite": 7'),
                      "s3.json: written by a newer failsame (suite 7, this one knows 1): upgrade failsame"),
    "an old suite": (TEXT.replace('"suite": 1', '"suite": -1'), "s3.json: suite -1 is no longer run"),
    "no suite": (TEXT.replace(' "suite": 1,\n', ""), "s3.json: suite: Field required; "),
    "another subject": (TEXT.replace('"s3"', '"sqs"'),
                        's3.json: it is the file of subject "sqs", not of "s3": a file is named after its subject'),
    "an unknown key": (TEXT.replace('"runtime"', '"run\\ntime"'), "s3.json: runtime: Field required; "),
    "an unknown fact": (TEXT.replace('"still_waiting"', '"stil_waiting"'),
                        's3.json: scenarios.silent: call 1: unknown fact "stil_waiting", did you mean still_waiting?'),
    "a wrong value": (TEXT.replace('"attempts": 2', '"attempts": "2"'),
                      's3.json: scenarios.status-500: call 18: attempts: "2" is not a count; '),
    "a wrong clock": (TEXT.replace('"skip"', '"sun"', 1),
                      's3.json: scenarios.silent: clock: "sun" is neither skip nor real; '),
    "a wrong horizon": (TEXT.replace("3600", "-1", 1),
                        "s3.json: scenarios.silent: horizon: -1 is not a number of seconds; "),
}  # fmt: skip


@pytest.mark.parametrize(("text", "said"), BROKEN.values(), ids=BROKEN)
def test_a_broken_baseline_is_one_line(text: str, said: str, tmp_path: Path) -> None:
    """What, where and how to mend it; exit code 2."""
    (tmp_path / "s3.json").write_text(text)
    with pytest.raises(UsageError) as caught:
        read_baseline(tmp_path, "s3")
    message = str(caught.value)
    assert message.startswith(f"{tmp_path}/{said}")
    assert "\n" not in message


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        (">= 1.44.8", "> 1.44.8", "when.botocore: a bound is `>= VERSION` or `<= VERSION`"),
        ('"botocore": ">= 1.44.8"', "", "when: Dictionary should have at least 1 item after validation, not 0"),
        ('"attempts": 2', '"tries": 2', 'scenarios.status-500: call 1: unknown fact "tries"'),
    ],
)
def test_a_broken_coming_file_is_one_line(old: Any, new: Any, said: str) -> None:
    """The same for coming files; one without a condition would hold everywhere."""
    with pytest.raises(UsageError) as caught:
        parse_coming(lay_out(COMING).replace(old, new), subject="s3", where="x")
    assert str(caught.value).startswith(f"x: {said}")


def test_what_cannot_be_read(tmp_path: Path) -> None:
    """Bytes that are no text, too many of them, and a folder or a pipe in the file's place."""
    (tmp_path / "s3.json").write_bytes(b"\xff\xfe{}")
    with pytest.raises(UsageError, match=r"s3\.json: not UTF-8 \(byte 0\)"):
        read_baseline(tmp_path, "s3")
    with (tmp_path / "huge.json").open("wb") as file:
        file.truncate(2**30)
    with pytest.raises(UsageError, match=r"huge\.json: larger than 20 MiB: restore it"):
        read_baseline(tmp_path, "huge")
    (tmp_path / "sqs.json").mkdir()
    os.mkfifo(tmp_path / "pipe.json")
    for name in ("sqs", "pipe"):
        with pytest.raises(UsageError, match=rf"{name}\.json: cannot be read \(it is no regular file\)"):
            read_baseline(tmp_path, name)


@pytest.mark.parametrize("name", ["coming", "../s3", "S3", "", "s3\n"])
def test_what_cannot_be_a_subject(name: str, tmp_path: Path) -> None:
    """A name is no path, and `coming` is taken."""
    with pytest.raises(UsageError, match="cannot be a subject's name"):
        read_baseline(tmp_path, name)


@given(st.text() | st.binary().map(lambda data: data.decode("latin-1")))
def test_any_text_is_read_or_refused(text: str) -> None:
    """Nothing but UsageError comes out of the reader."""
    with pytest.raises(UsageError):
        parse_baseline(text, subject="s3", where="x")


JUNK = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.sampled_from(["low", "high", "any", "x"]), inner),
    max_leaves=6,
)


@given(st.sampled_from(TEXT.splitlines()), JUNK, st.integers(0, len(TEXT)))
def test_any_damage_is_read_or_refused(line: Any, junk: Any, cut: Any) -> None:
    """A valid file with a value replaced, or cut off, is read or refused; what is read can be written."""
    name, colon, _ = line.partition(": ")
    damaged = [TEXT[:cut], TEXT.replace(line, f"{name}{colon}{json.dumps(junk)},")]
    for text in damaged:
        with suppress(UsageError):
            written = lay_out(parse_baseline(text, subject="s3", where="x"))
            again = parse_baseline(written, subject="s3", where="x")
            assert lay_out(again) == written


@given(JUNK)
def test_a_refusal_is_one_harmless_line(junk: Any) -> None:
    """Whatever stands in the file, the message is one line that any terminal takes."""
    text = TEXT.replace('"attempts": 2', f'"attempts": {json.dumps([junk])}')
    with pytest.raises(UsageError) as caught:
        parse_baseline(text, subject="s3", where="x")
    assert str(caught.value).isascii()
    assert str(caught.value).isprintable()
    assert len(str(caught.value)) < 300


@contextmanager
def no_room(size: int) -> Iterator[None]:
    """Let files grow to so many bytes and no more, as on a disk that is full."""
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (size, hard))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))


def test_no_space_left(tmp_path: Path) -> None:
    """The old file stands to the byte, nothing half is left beside it, and one line says so."""
    write_baseline(tmp_path, BASE)
    other = baseline(status_500=measured(call(4)))
    with no_room(100), pytest.raises(UnmeasuredError, match=r"s3\.json: cannot be written \(.*\), and is as it was"):
        write_baseline(tmp_path, other)
    assert (tmp_path / "s3.json").read_text() == TEXT
    assert [path.name for path in tmp_path.iterdir()] == ["s3.json"]


def test_a_folder_that_is_a_file(tmp_path: Path) -> None:
    """One line, not a traceback."""
    (tmp_path / "baselines").touch()
    with pytest.raises(UnmeasuredError, match="cannot be written"):
        write_baseline(tmp_path / "baselines", BASE)


def test_stale_files_are_listed() -> None:
    """A baseline or coming file of a subject that is gone; not one that is only waiting for its upgrade."""
    coming = [("gone", "00000000"), ("new", "11111111"), ("s3", "22222222")]
    assert {name: why.partition(":")[0] for name, why in stale(["gone", "s3"], coming, {"s3", "new"})} == {
        "gone.json": "its subject is gone",
        "coming/gone@00000000.json": "its subject is gone",
        "coming/new@11111111.json": "its subject has no baseline that it could be laid over",
    }


def test_a_file_that_would_be_passed_over(tmp_path: Path) -> None:
    """A baseline under another's name and a coming file under no name are errors; what is no baseline is none."""
    (tmp_path / "gone.json").write_text(TEXT)
    with pytest.raises(UsageError, match=r'gone\.json: it is the file of subject "s3", not of "gone"'):
        check_names(tmp_path)
    (tmp_path / "gone.json").write_text('{"subject": "s3"}')
    (tmp_path / "s3.json").write_text(TEXT)
    check_names(tmp_path)
    (tmp_path / "coming").mkdir()
    (tmp_path / "coming" / "s3@1.json").write_text(lay_out(COMING))
    with pytest.raises(UsageError, match=r"s3@1\.json: no coming file is called so.*SUBJECT@FINGERPRINT\.json"):
        read_coming(tmp_path, "s3")
