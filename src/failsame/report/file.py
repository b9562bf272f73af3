"""The report as a file: written whole or not at all, read strictly, since it may come from anywhere."""

from pathlib import Path

import pydantic_core
from pydantic import ValidationError

from failsame.errors import UsageError
from failsame.files import write_whole
from failsame.report.escape import visible
from failsame.report.model import Report

SCHEMA = 1
LARGEST = 64 * 1024 * 1024
"""Bytes. The largest honest report, many subjects through a whole suite, is a few megabytes."""


def to_json(report: Report) -> str:
    """Make a report JSON, one key a line."""
    return report.model_dump_json(indent=1) + "\n"


def from_json(content: bytes, where: str) -> Report:
    """Read a report; `where` names its file. Raises UsageError if it is none, or one that this version cannot read."""
    try:
        document = pydantic_core.from_json(content, allow_inf_nan=False)
    except ValueError as error:
        raise UsageError(f"{where}: not JSON ({visible(error, 120)}): give a file that `--report` wrote") from error
    if isinstance(document, dict) and "failsame" not in document and {"subject", "scenarios"} <= document.keys():
        raise UsageError(
            f"{where}: a baseline, and no report: give a file that `--report` wrote; "
            "`failsame check` compares with baselines"
        )
    number = document.get("schema") if isinstance(document, dict) else None
    if not isinstance(number, int) or isinstance(number, bool):
        raise UsageError(f'{where}: not a report of failsame (no "schema"): give a file that `--report` wrote')
    if number > SCHEMA:
        raise UsageError(
            f"{where}: a report of schema {visible(number, 20)}, and this failsame reads up to {SCHEMA}: "
            "upgrade failsame, or write the report again with this one"
        )
    try:
        return Report.model_validate_json(content, strict=True)
    except ValidationError as error:
        first = error.errors(include_url=False)[0]
        place = visible(".".join(map(str, first["loc"])), 120)
        raise UsageError(
            f"{where}: not a valid report: {place}: {visible(first['msg'], 200)}: write it again with `--report`"
        ) from error


def write(report: Report, path: Path) -> None:
    """Write a report as a whole or not at all. Raises UsageError if the file cannot be written."""
    try:
        write_whole(path, to_json(report).encode())
    except OSError as error:
        raise UsageError(f"{path}: cannot be written ({error.strerror}): give --report another place") from error


def read(path: Path) -> Report:
    """Read a report's file. Raises UsageError if there is none, or it holds no report."""
    try:
        with path.open("rb") as file:
            content = file.read(LARGEST + 1)
    except OSError as error:
        raise UsageError(f"{path}: cannot be read ({error.strerror}): give a file that `--report` wrote") from error
    if len(content) > LARGEST:
        raise UsageError(f"{path}: larger than {LARGEST // 2**20} MiB: give a file that `--report` wrote")
    return from_json(content, str(path))
