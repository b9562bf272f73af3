"""What the runner is told, read as the runner reads it."""

from pathlib import Path

import pytest
from tests.github.acting import obeyed, outputs

from failsame.errors import UnmeasuredError
from failsame.github.runner import MOST_ANNOTATIONS, Runner, command
from failsame.report.annotations import Annotation

HOSTILE = "a\n::error::gotcha\r\n::set-output name=x::y ##[add-mask]z %0A::warning::"


def test_nothing_printed_is_a_command(tmp_path: Path) -> None:
    """Text that looks like commands, in each of their forms, is a line of the log; the annotation between is one."""
    lines: list[str] = []
    runner = Runner(lines.append, None, None)
    runner.say(HOSTILE)
    runner.annotate(Annotation("error", "t", "m"))
    runner.say(HOSTILE)
    assert obeyed("\n".join(lines)) == ["::error title=t::m"]
    assert obeyed(HOSTILE) != []


def test_an_annotation_is_one_command() -> None:
    """What a title, a message or a file's name holds ends neither its property nor its line."""
    assert command(Annotation("error", "a,b:c", HOSTILE, "x,line=9::y\n", 7)) == (
        "::error file=x%2Cline=9%3A%3Ay%0A,line=7,title=a%2Cb%3Ac::"
        "a%0A::error::gotcha%0D%0A::set-output name=x::y ##[add-mask]z %250A::warning::"
    )


def test_more_annotations_than_the_runner_takes() -> None:
    """Ten are annotations; the others are in the log."""
    lines: list[str] = []
    runner = Runner(lines.append, None, None)
    for number in range(MOST_ANNOTATIONS + 3):
        runner.annotate(Annotation("error", f"t{number}", "m"))
    assert len(obeyed("\n".join(lines))) == MOST_ANNOTATIONS
    assert "t12: m" in lines


def test_outputs_cannot_be_forged(tmp_path: Path) -> None:
    """A value with line ends and what looks like another output is one output."""
    file = tmp_path / "output"
    runner = Runner(lambda _: None, file, None)
    runner.output("one", "a\nverdict<<EOF\nsame\nEOF")
    runner.output("verdict", "drift")
    assert outputs(file.read_text()) == {"one": "a\nverdict<<EOF\nsame\nEOF", "verdict": "drift"}


def test_a_file_that_cannot_be_written_is_told(tmp_path: Path) -> None:
    """One line, and the remedy."""
    with pytest.raises(UnmeasuredError, match=r"cannot be written .*: run the job again"):
        Runner(lambda _: None, tmp_path / "no" / "output", None).output("a", "b")
