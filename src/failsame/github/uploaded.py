"""The report that a run uploaded: fetched, unpacked and read as what it may be, a stranger's bytes.

Nothing is written to disk: no name in an archive can lead anywhere. One entry is read, by its exact name, and never
more of it than a report can have, whatever the archive says about its size.
"""

import io
import zipfile
import zlib
from contextlib import closing

from failsame.drift import overall
from failsame.errors import FailsameError, UnmeasuredError, UsageError
from failsame.github.api import Artifact, Repository
from failsame.report import Report
from failsame.report.file import from_json

LARGEST_ARCHIVE = 8 * 1024 * 1024
"""Bytes. A report of megabytes is JSON, and packs to a tenth."""
LARGEST_REPORT = 32 * 1024 * 1024

_PLAIN = frozenset({zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED})
_ENCRYPTED = 0x1
_BROKEN = (zipfile.BadZipFile, zlib.error, NotImplementedError, EOFError, OSError, ValueError, RuntimeError)
"""What zipfile raises for archives that are none."""


class UnusableError(FailsameError):
    """A report that is no use."""


def report_of(github: Repository, run: int, artifact: str, file: str) -> Report | None:
    """The newest report of a run; None if it uploaded none. Raises UnusableError, GitHubError."""
    found = github.artifacts(run, artifact)
    return fetched(github, found[0], run, file) if found else None


def fetched(github: Repository, artifact: Artifact, run: int, file: str) -> Report:
    """The report that an artifact holds. Raises UnusableError, GitHubError."""
    if artifact.expired:
        raise _unusable(run, "it has expired")
    if artifact.size_in_bytes > LARGEST_ARCHIVE:
        raise _unusable(run, f"it is larger than {LARGEST_ARCHIVE // 2**20} MiB")
    return unpacked(github.archive(artifact.id, largest=LARGEST_ARCHIVE), run, file)


def unpacked(archive: bytes, run: int, file: str) -> Report:
    """Read the report out of an archive. Raises UnusableError for whatever is none."""
    try:
        with zipfile.ZipFile(io.BytesIO(archive)) as opened:
            report = from_json(_entry(opened, run, file), f"the report of run {run}")
    except _BROKEN as error:
        raise _unusable(run, f"its archive is broken ({type(error).__name__})") from None
    except UsageError as error:
        raise UnusableError(str(error)) from None
    drifts = [drift for subject in report.subjects for scenario in subject.scenarios for drift in scenario.drifts]
    if report.fingerprint != (overall(drifts) if drifts else None):
        raise _unusable(run, "its fingerprint is not that of its drifts")
    return report


def _entry(archive: zipfile.ZipFile, run: int, file: str) -> bytes:
    entries = [entry for entry in archive.infolist() if entry.filename == file]
    if len(entries) != 1:
        raise _unusable(run, f"it holds {len(entries)} files {file}, and has to hold one")
    entry = entries[0]
    if entry.flag_bits & _ENCRYPTED or entry.compress_type not in _PLAIN:
        raise _unusable(run, "it is packed in a way that no upload is")
    with closing(archive.open(entry)) as opened:
        content = opened.read(LARGEST_REPORT + 1)
    if len(content) > LARGEST_REPORT:
        raise _unusable(run, f"it unpacks to more than {LARGEST_REPORT // 2**20} MiB")
    return content


def _unusable(run: int, why: str) -> UnusableError:
    return UnusableError(f"the report of run {run} is of no use: {why}: run the check again")


def missing(artifact: str, what: str) -> UnmeasuredError:
    """What to say where there is no report."""
    return UnmeasuredError(
        f"{what} has no report: wait until the check has ended, or let it upload its report as `{artifact}` "
        "(actions/upload-artifact, `if: always()`)"
    )
