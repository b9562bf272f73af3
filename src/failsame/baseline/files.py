"""The folder of baselines: the only module here that touches files."""

import re
from collections.abc import Iterable, Mapping
from pathlib import Path

from failsame.baseline.model import Baseline, Coming
from failsame.baseline.text import another_name, lay_out, owner_of, parse_baseline, parse_coming
from failsame.errors import UnmeasuredError, UsageError
from failsame.files import read_regular, write_whole
from failsame.text import printable

COMING = "coming"
"""The folder of coming files, beside the baselines; no subject can have its name."""

_LARGEST = 20 * 2**20
"""Bytes: a whole suite of an unruly client has some hundred thousand."""

_SUBJECT = re.compile(r"[a-z0-9][a-z0-9-]{0,99}", re.ASCII)
_COMING_FILE = re.compile(r"([a-z0-9][a-z0-9-]{0,99})@([0-9a-f]{8})\.json", re.ASCII)


def baseline_path(folder: Path, subject: str) -> Path:
    """Where a subject's baseline lies; raises UsageError for what cannot be a subject's name."""
    if not _SUBJECT.fullmatch(subject) or subject == COMING:
        raise UsageError(f"{subject!r} cannot be a subject's name: use a-z, 0-9 and -, and not `{COMING}`")
    return folder / f"{subject}.json"


def coming_path(folder: Path, subject: str, fingerprint: str) -> Path:
    """Where a coming file lies."""
    return folder / COMING / f"{baseline_path(folder, subject).stem}@{fingerprint}.json"


def read_baseline(folder: Path, subject: str) -> Baseline | None:
    """Read a subject's baseline; None where there is none. Raises UsageError."""
    path = baseline_path(folder, subject)
    text = _read(path)
    return None if text is None else parse_baseline(text, subject=subject, where=str(path))


def read_coming(folder: Path, subject: str) -> dict[str, Coming]:
    """Read all coming files of a subject: fingerprint -> file. Raises UsageError."""
    files: dict[str, Coming] = {}
    for owner, fingerprint in list_coming(folder):
        path = coming_path(folder, owner, fingerprint)
        if owner == subject and (text := _read(path)) is not None:
            files[fingerprint] = parse_coming(text, subject=subject, where=str(path))
    return files


def list_baselines(folder: Path) -> list[str]:
    """The subjects that have a baseline, sorted."""
    return [name.removesuffix(".json") for name in _names(folder) if _SUBJECT.fullmatch(name.removesuffix(".json"))]


def list_coming(folder: Path) -> list[tuple[str, str]]:
    """The subject and fingerprint of every coming file, sorted. Raises UsageError for a name that is none's."""
    found = []
    for name in _names(folder / COMING):
        match = _COMING_FILE.fullmatch(name)
        if match is None:
            raise UsageError(
                f"{folder / COMING / printable(name)}: no coming file is called so, and it would be passed over: "
                "call it SUBJECT@FINGERPRINT.json, the fingerprint being 8 of 0-9 and a-f"
            )
        found.append((match[1], match[2]))
    return found


def check_names(folder: Path) -> None:
    """Raise UsageError for a baseline that stands under another subject's name: it would be passed over."""
    for name in list_baselines(folder):
        owner = owner_of(_read(folder / f"{name}.json") or "")
        if owner not in (None, name):
            raise UsageError(another_name(str(folder / f"{name}.json"), str(owner), name))


def write_baseline(folder: Path, baseline: Baseline) -> bool:
    """Write a subject's baseline as a whole or not at all; False if it stood there to the byte."""
    return _write(baseline_path(folder, baseline.subject), lay_out(baseline))


def write_coming(folder: Path, files: Mapping[str, Coming]) -> None:
    """Write coming files: fingerprint -> file."""
    for fingerprint, coming in files.items():
        _write(coming_path(folder, coming.subject, fingerprint), lay_out(coming))


def remove_coming(folder: Path, subject: str, fingerprints: Iterable[str]) -> None:
    """Remove coming files that were folded into their baseline, which has to be written before."""
    for fingerprint in fingerprints:
        path = coming_path(folder, subject, fingerprint)
        try:
            path.unlink(missing_ok=True)
        except OSError as error:
            raise UnmeasuredError(
                f"{path}: cannot be removed ({error.strerror}), though it is folded in: remove it"
            ) from error


def _read(path: Path) -> str | None:
    try:
        content = read_regular(path, _LARGEST)
    except FileNotFoundError:
        return None
    except OSError as error:
        raise UsageError(f"{path}: cannot be read ({error.strerror}): make it a readable file") from error
    if len(content) > _LARGEST:
        raise UsageError(f"{path}: larger than {_LARGEST // 2**20} MiB: restore it, or record it again")
    try:
        return content.decode()
    except UnicodeDecodeError as error:
        raise UsageError(f"{path}: not UTF-8 (byte {error.start}): restore it, or record it again") from error


def _names(folder: Path) -> list[str]:
    try:
        return sorted(entry.name for entry in folder.iterdir() if entry.name.endswith(".json"))
    except FileNotFoundError:
        return []
    except OSError as error:
        raise UsageError(f"{folder}: cannot be listed ({error.strerror}): make it a readable folder") from error


def _write(path: Path, text: str) -> bool:
    """Write a file as a whole or not at all; False if it stood there to the byte."""
    content = text.encode()
    try:
        if path.exists() and path.read_bytes() == content:
            return False
        path.parent.mkdir(parents=True, exist_ok=True)
        write_whole(path, content)
    except OSError as error:
        raise UnmeasuredError(
            f"{path}: cannot be written ({error.strerror}), and is as it was: make room or give the right to write"
        ) from error
    return True
