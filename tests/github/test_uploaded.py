"""The report as a stranger may upload it: bombs, paths, disguises; and the honest one."""

import io
import json
import struct
import warnings
import zipfile
from typing import Any

import pytest
from tests.github.hub.server import Hub
from tests.github.hub.state import zipped
from tests.github.reported import REPORT_FILE, drifting

from failsame.github import uploaded
from failsame.github.api import Repository
from failsame.github.uploaded import UnusableError, report_of, unpacked
from failsame.report.file import to_json

pytestmark = pytest.mark.install

REPORT = drifting()
JSON = to_json(REPORT).encode()


def packed(*entries: tuple[str, bytes], method: int = zipfile.ZIP_DEFLATED) -> bytes:
    buffer = io.BytesIO()
    with warnings.catch_warnings(), zipfile.ZipFile(buffer, "w", method) as archive:
        warnings.simplefilter("ignore")  # two of one name, on purpose
        for name, content in entries:
            archive.writestr(name, content)
    return buffer.getvalue()


def altered(**more: Any) -> bytes:
    return zipped({REPORT_FILE: json.dumps({**json.loads(JSON), **more}).encode()})


def encrypted() -> bytes:
    """The flag says so, in both places that hold it."""
    archive = bytearray(packed((REPORT_FILE, JSON)))
    archive[6:8] = struct.pack("<H", 1)
    central = archive.index(b"PK\x01\x02")
    archive[central + 8 : central + 10] = struct.pack("<H", 1)
    return bytes(archive)


def understated() -> bytes:
    """32 MiB and more that say they are one byte."""
    archive = bytearray(packed((REPORT_FILE, b" " * (uploaded.LARGEST_REPORT + 10))))
    for signature, place in ((b"PK\x03\x04", 22), (b"PK\x01\x02", 24)):
        start = archive.index(signature) + place
        archive[start : start + 4] = struct.pack("<I", 1)
    return bytes(archive)


def garbled() -> bytes:
    """An honest archive, but for a few bytes in the midst of what is packed."""
    archive = bytearray(packed((REPORT_FILE, JSON)))
    archive[60:90] = b"\xff" * 30
    return bytes(archive)


HOSTILE: dict[str, tuple[bytes, str]] = {
    "no archive": (b"<html>", "its archive is broken"),
    "a garbled archive": (garbled(), "its archive is broken"),
    "half an archive": (packed((REPORT_FILE, JSON))[:200], "its archive is broken"),
    "a bomb": (packed((REPORT_FILE, b" " * (uploaded.LARGEST_REPORT + 1))), "unpacks to more than 32 MiB"),
    "a bomb that understates itself": (understated(), "of no use|not JSON"),
    "a bomb of another kind": (packed((REPORT_FILE, JSON), method=zipfile.ZIP_BZIP2), "packed in a way"),
    "another path": (packed((f"../{REPORT_FILE}", JSON)), f"holds 0 files {REPORT_FILE}"),
    "an absolute path": (packed((f"/{REPORT_FILE}", JSON)), "holds 0 files"),
    "a folder before it": (packed((f"a/{REPORT_FILE}", JSON)), "holds 0 files"),
    "Windows' separators": (packed((f"..\\{REPORT_FILE}", JSON)), "holds 0 files"),
    "two of one name": (packed((REPORT_FILE, JSON), (REPORT_FILE, JSON)), "holds 2 files"),
    "nothing": (packed(), "holds 0 files"),
    "a secret": (encrypted(), "packed in a way|archive is broken"),
    "no JSON": (zipped({REPORT_FILE: b"{"}), "not JSON"),
    "deep JSON": (zipped({REPORT_FILE: b"[" * 1_000_000}), "not JSON"),
    "another JSON": (zipped({REPORT_FILE: b"{}"}), "not a report"),
    "a key too many": (altered(more=1), "not a valid report: more"),
    "a verdict of its own": (altered(verdict="fine"), "not a valid report: verdict"),
    "a fingerprint of its own": (altered(fingerprint="--> x"), "its fingerprint is not that of its drifts"),
    "no fingerprint": (altered(fingerprint=None), "its fingerprint is not that of its drifts"),
}


@pytest.mark.parametrize("case", HOSTILE)
def test_what_is_no_report(case: str) -> None:
    """Each is refused in one line, and none is more than a few megabytes of work."""
    archive, says = HOSTILE[case]
    with pytest.raises(UnusableError, match=says) as told:
        unpacked(archive, 7, REPORT_FILE)
    assert len(str(told.value).splitlines()) == 1
    assert "-->" not in str(told.value)


def test_an_honest_report_is_read() -> None:
    """What upload-artifact packs, with or without other files beside it."""
    assert unpacked(zipped({REPORT_FILE: JSON}), 7, REPORT_FILE) == REPORT
    assert (
        unpacked(zipped({REPORT_FILE: JSON, "../../etc/passwd": b"x", "other.json": b"{}"}), 7, REPORT_FILE) == REPORT
    )


def test_which_artifact_counts(hub: Hub, github: Repository) -> None:
    """The newest of its name that has not expired, and none that is too large to be one."""
    run = hub.repository.add_run(head_sha="a" * 40, head_branch="up", conclusion="failure")
    assert report_of(github, run.id, "failsame-report", REPORT_FILE) is None
    hub.repository.upload(run, "other-report", b"no")
    hub.repository.upload(run, "failsame-report", b"old")
    hub.repository.upload(run, "failsame-report", {REPORT_FILE: JSON})
    hub.repository.upload(run, "failsame-report", b"gone").expired = True
    assert report_of(github, run.id, "failsame-report", REPORT_FILE) == REPORT
    hub.repository.upload(run, "failsame-report", b"x" * (uploaded.LARGEST_ARCHIVE + 1))
    with pytest.raises(UnusableError, match="it is larger than 8 MiB"):
        report_of(github, run.id, "failsame-report", REPORT_FILE)
    assert len(hub.asked("GET", "_archives")) == 1
