"""What counts as watched, rule by rule; and what does not."""

import pytest

from failsame.github.watched import Touched, Watched, why
from failsame.pins import Change

WATCHED = Watched(
    subject="s3",
    file="failsame/s3.py",
    lock="services/batch/uv.lock",
    patterns=("services/batch/src/**", "**/*.cfg"),
    baselines="baselines",
    packages=frozenset({"boto3", "botocore"}),
    inputs=frozenset({"services/batch/uv.lock", "services/batch/pyproject.toml"}),
)


def change(package: str, before: str | None, after: str | None) -> Change:
    return Change(package=package, before=before, after=after, lock=WATCHED.lock)


def touched(
    *paths: str, moved: tuple[Change, ...] = (), known: bool = True, runtimes: frozenset[str] = frozenset()
) -> Touched:
    return Touched(
        paths=frozenset(paths),
        moved={WATCHED.lock: moved} if known else {},
        runtimes=runtimes,
        configuration=frozenset({".github/failsame.yml", "failsame.yml"}),
        workflow=".github/workflows/ci.yml",
    )


COUNTS = {
    "a deciding package": (touched(moved=(change("botocore", "1", "2"),)), "botocore 1 -> 2"),
    "a deciding package that went": (touched(moved=(change("boto3", "1", None),)), "boto3 1 -> gone"),
    "a deciding package before others": (
        touched(moved=(change("attrs", "1", "2"), change("botocore", "1", "2"))),
        "botocore 1 -> 2",
    ),
    "a package that it did not load when it was recorded": (
        touched(WATCHED.lock, moved=(change("tenacity", "8", "9"),)),
        "tenacity 8 -> 9",
    ),
    "a lock file in which no version moved": (touched(WATCHED.lock), "services/batch/uv.lock changed"),
    "what else decides what is installed": (
        touched("services/batch/pyproject.toml"),
        "services/batch/pyproject.toml changed",
    ),
    "a package that came, which may be loaded now": (touched(moved=(change("h2", None, "4"),)), "h2 not there -> 4"),
    "a lock file that is new": (touched(WATCHED.lock, known=False), "services/batch/uv.lock is new"),
    "the configuration": (touched("failsame.yml"), "failsame.yml changed"),
    "the workflow, and so failsame's version": (
        touched(".github/workflows/ci.yml"),
        ".github/workflows/ci.yml changed",
    ),
    "the client's file": (touched("failsame/s3.py"), "failsame/s3.py changed"),
    "a watched file": (touched("services/batch/src/a/b.py"), "services/batch/src/a/b.py changed"),
    "a watched file anywhere": (touched(".hidden/x.cfg"), ".hidden/x.cfg changed"),
    "the baseline": (touched("baselines/s3.json"), "baselines/s3.json changed"),
    "a coming file": (touched("baselines/coming/s3@0a1b2c3d.json"), "baselines/coming/s3@0a1b2c3d.json changed"),
    "another runtime": (touched(runtimes=frozenset({"s3"})), "it asks for another runtime"),
}


@pytest.mark.parametrize("case", COUNTS)
def test_what_counts(case: str) -> None:
    """Each of these has the subject measured, and the reason says which."""
    given, reason = COUNTS[case]
    assert why(WATCHED, given) == reason


NOT = {
    "nothing": touched(),
    "text": touched("README.md", "docs/a.py", "services/batch/srcs/a"),
    "another project's lock file": touched("services/web/uv.lock", "services/web/pyproject.toml"),
    "another subject's files": touched(
        "baselines/s3-b.json", "baselines/coming/s3-b@0a1b2c3d.json", "failsame/s3-b.py"
    ),
    "another workflow": touched(".github/workflows/docs.yml"),
    "another subject's runtime": touched(runtimes=frozenset({"sqs"})),
}


@pytest.mark.parametrize("case", NOT)
def test_what_does_not_count(case: str) -> None:
    """None of these can change how the client fails."""
    assert why(WATCHED, NOT[case]) is None


def test_without_a_baseline() -> None:
    """A configured subject without one is measured always; one that was found by itself, when any package moves."""
    new = WATCHED.__class__(**{**vars(WATCHED), "packages": None})
    assert why(new, touched()) == "it has no baseline yet"
    found = WATCHED.__class__(**{**vars(WATCHED), "packages": None, "informational": True})
    assert why(found, touched("README.md")) is None
    assert why(found, touched(moved=(change("ruff", "1", "2"),))) == "ruff 1 -> 2"
