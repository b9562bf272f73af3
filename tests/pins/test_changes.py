"""What an upgrade moved, and through which requirement it came."""

from pathlib import Path

import pytest

from failsame.pins import Change, Pin, Pins, Tree, changes, read_lock

FIXTURE = Path(__file__).parents[2] / "fixtures" / "python-batch"


def pins(*held: Pin) -> Pins:
    by_name: dict[str, list[Pin]] = {}
    for pin in held:
        by_name.setdefault(pin.package, []).append(pin)
    return Pins(lock="uv.lock", kind="uv", pins={name: tuple(each) for name, each in by_name.items()})


def pin(package: str, version: str, *required_by: str, line: int = 1, direct: bool | None = False) -> Pin:
    return Pin(package=package, version=version, lock="uv.lock", line=line, direct=direct, required_by=required_by)


def moved(old: list[str], new: list[str]) -> list[tuple[str | None, str | None]]:
    found = changes(pins(*(pin("p", each) for each in old)), pins(*(pin("p", each) for each in new)))
    return [(change.before, change.after) for change in found]


def test_the_fixture_names_botocore() -> None:
    """Of the fixture's upgrade, boto3 is direct and botocore came through it, each on its line."""
    tree = Tree(FIXTURE)
    assert changes(read_lock(tree, "before/requirements.txt"), read_lock(tree, "requirements.txt")) == (
        Change(package="boto3", before="1.43.127", after="1.44.8", direct=True, lock="requirements.txt", line=3),
        Change(
            package="botocore",
            before="1.43.127",
            after="1.44.8",
            direct=False,
            lock="requirements.txt",
            line=7,
            through=("boto3",),
        ),
    )


@pytest.mark.parametrize(
    ("old", "new", "expected"),
    [
        (["1"], ["1"], []),
        (["1"], ["2"], [("1", "2")]),
        ([], ["2"], [(None, "2")]),
        (["1"], [], [("1", None)]),
        (["1", "2"], ["1", "3"], [("2", "3")]),
        (["1", "2"], ["2"], [("1", "2")]),
        (["2"], ["1", "2"], [("2", "1")]),
        (["1", "2"], ["3"], [("1", "3"), ("2", "3")]),
        (["9", "10"], ["9.1", "10.1"], [("9", "9.1"), ("10", "10.1")]),
        ([], ["1", "2"], [(None, "1"), (None, "2")]),
    ],
)
def test_versions_as_sets(old: list[str], new: list[str], expected: list[tuple[str | None, str | None]]) -> None:
    """Several versions under markers are paired from the highest; the package comes or goes only as a whole."""
    assert moved(old, new) == expected


def test_through_over_several_steps_and_loops() -> None:
    """All direct requirements that bring a package, though its requirers require one another."""
    held = [
        pin("app-sdk", "1", direct=True),
        pin("other-sdk", "1", direct=True),
        pin("middle", "1", "app-sdk", "low"),
        pin("unrelated", "1", direct=True),
    ]
    old = pins(*held, pin("low", "1", "middle", "other-sdk"))
    new = pins(*held, pin("low", "2", "middle", "other-sdk", line=9))
    (change,) = changes(old, new)
    assert (change.through, change.line) == (("app-sdk", "other-sdk"), 9)


def test_what_went_is_told_by_the_old_file() -> None:
    """A package that went has its line and requirers from the old lock file."""
    root = pin("sdk", "1", direct=True)
    (change,) = changes(pins(root, pin("low", "1", "sdk", line=4)), pins(root))
    assert (change.after, change.line, change.through) == (None, 4, ("sdk",))


def test_where_the_lock_file_cannot_tell() -> None:
    """Direct is None, and the roots are what no other pin requires."""
    sdk = pin("sdk", "1", direct=None)
    (change,) = changes(pins(sdk, pin("low", "1", "sdk", direct=None)), pins(sdk, pin("low", "2", "sdk", direct=None)))
    assert (change.direct, change.through) == (None, ("sdk",))
