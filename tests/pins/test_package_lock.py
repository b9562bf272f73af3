"""package-lock.json: every copy with its line and its requirers; and what is refused."""

import json
from pathlib import Path
from typing import Any

import pytest

from failsame.errors import UsageError
from failsame.pins import Pins, Tree, changes, direct_requirements, read_lock
from failsame.pins.package_lock import own_archives, own_folders

LOCK: dict[str, Any] = {
    "name": "app",
    "lockfileVersion": 3,
    "packages": {
        "": {
            "name": "app",
            "workspaces": ["packages/*"],
            "dependencies": {"@sdk/client": "^3.0.0"},
            "devDependencies": {"ms": "2.0.0"},
        },
        "node_modules/@own/lib": {"resolved": "packages/lib", "link": True},
        "node_modules/@sdk/client": {"version": "3.1.0", "dependencies": {"@sdk/core": "^1.0.0", "ms": "2.1.2"}},
        "node_modules/@sdk/client/node_modules/ms": {"version": "2.1.2"},
        "node_modules/@sdk/core": {"version": "1.0.0-next.1", "optionalDependencies": {"fsevents": "*"}},
        "node_modules/ms": {"version": "2.0.0"},
        "node_modules/short": {"name": "a-long-name", "version": "1.0.0", "peerDependencies": {"ms": "*"}},
        "node_modules/packed": {"version": "1.0.0", "resolved": "file:vendor/packed.tgz"},
        "packages/lib": {"name": "@own/lib", "dependencies": {"short": "npm:a-long-name@1.0.0", "@own/lib": "*"}},
    },
}
NAME = "package-lock.json"


def write(folder: Path, lock: Any = LOCK, **layout: Any) -> Tree:
    (folder / NAME).write_text(json.dumps(lock, **(layout or {"indent": 2})))
    return Tree(folder)


def told(pins: Pins, package: str) -> list[tuple[str, bool | None, tuple[str, ...]]]:
    return [(pin.version, pin.direct, pin.required_by) for pin in pins.pins[package]]


def test_what_is_pinned_and_by_whom(tmp_path: Path) -> None:
    """Copies have requirers of their own, found as Node finds them; workspaces are no pins; aliases have real names."""
    pins = read_lock(write(tmp_path), NAME)
    assert (pins.kind, pins.language) == ("package-lock", "node")
    assert list(pins.pins) == ["@sdk/client", "@sdk/core", "a-long-name", "ms", "packed"]
    assert told(pins, "ms") == [("2.1.2", False, ("@sdk/client",)), ("2.0.0", True, ("a-long-name",))]
    assert told(pins, "@sdk/core") == [("1.0.0-next.1", False, ("@sdk/client",))]
    assert told(pins, "a-long-name") == [("1.0.0", True, ())]
    assert direct_requirements(pins) == {"@sdk/client", "ms", "a-long-name"}


@pytest.mark.parametrize("layout", [{"indent": 2}, {"indent": "\t"}, {"separators": (",", ":")}])
def test_lines(tmp_path: Path, layout: dict[str, Any]) -> None:
    """The line of each version, in any layout; a `version` further down, or in a text, is none."""
    lock = json.loads(json.dumps(LOCK))
    client = lock["packages"]["node_modules/@sdk/client"]
    lock["packages"]["node_modules/@sdk/client"] = {
        "engines": {"version": "9.9.9", "text": '"version": "8.8.8"'},
        **client,
    }
    tree = write(tmp_path, lock, **layout)
    lines = (tmp_path / NAME).read_text().split("\n")
    pins = read_lock(tree, NAME)
    for held in pins.pins.values():
        for pin in held:
            assert f'"{pin.version}"' in lines[pin.line - 1]
    if len(lines) > 1:
        assert len({pin.line for held in pins.pins.values() for pin in held}) == 6


def test_an_upgrade_of_a_nested_copy(tmp_path: Path) -> None:
    """Of two copies the one that moved is named, with what brought it."""
    old = read_lock(write(tmp_path), NAME)
    lock = json.loads(json.dumps(LOCK))
    lock["packages"]["node_modules/@sdk/client/node_modules/ms"]["version"] = "2.1.3"
    lock["packages"]["node_modules/@sdk/core"]["version"] = "1.0.0-next.2"
    moved = [
        (each.package, each.before, each.after, each.through)
        for each in changes(old, read_lock(write(tmp_path, lock), NAME))
    ]
    assert moved == [("@sdk/core", "1.0.0-next.1", "1.0.0-next.2", ("@sdk/client",)), ("ms", "2.1.2", "2.1.3", ())]


def test_what_the_installation_needs(tmp_path: Path) -> None:
    """The folders of the project's own packages, and packed packages that lie in the repository."""
    tree = write(tmp_path)
    assert own_folders(tree, NAME) == (".", "packages/lib")
    assert own_archives(tree, NAME) == ("vendor/packed.tgz",)


def lock(**packages: Any) -> str:
    return json.dumps(
        {"lockfileVersion": 3, "packages": {f"node_modules/{name}": each for name, each in packages.items()}}
    )


REFUSED = {
    "nothing": ("", "line 1 is cut off or no JSON: Expecting value; write it again with `npm install"),
    "cut off": (json.dumps(LOCK, indent=1)[:400], "is cut off or no JSON: "),
    "version 1": (
        '{"lockfileVersion": 1, "dependencies": {}}',
        "and failsame reads 2 and 3: write it again with `npm install --package-lock-only`, npm 7 or newer",
    ),
    "a later version": (
        '{"lockfileVersion": 4}',
        "says lockfileVersion 4, and failsame reads 2 and 3: update failsame",
    ),
    "true for a version": ('{"lockfileVersion": true}', "says lockfileVersion True, and"),
    "no version": ('{"packages": {}}', "says lockfileVersion None, and"),
    "a list": ("[]", "is no JSON object"),
    "no packages": ('{"lockfileVersion": 3}', "packages: Field required; write it again"),
    "a list of packages": ('{"lockfileVersion": 3, "packages": []}', "packages: Input should be"),
    "a number for a version": (
        lock(a={"version": 1}),
        "packages.node_modules/a.version: Input should be a valid string",
    ),
    "no version of a package": (lock(a={}), "line 1: a has no version: lock again"),
    "a range for a version": (lock(a={"version": "^1.0.0"}), "line 1: a has no version, but '^1.0.0': lock again"),
    "a name that is none": (lock(**{"a b": {"version": "1.0.0"}}), "line 1: 'a b' is no package name: lock again"),
    "a name that leads up": (lock(**{"@a/..": {"version": "1.0.0"}}), "line 1: '@a/..' is no package name: lock again"),
    "an endless path": (lock(**{"a/" * 3000: {"version": "1.0.0"}}), "is longer than a path may be"),
    "an endless nest": (lock(**{"a/node_modules/" * 150 + "a": {"version": "1.0.0"}}), "is longer than a path may be"),
    "deep nesting": ('{"a":' * 100_000, "is no JSON: it nests or counts too far"),
    "a huge number": ('{"lockfileVersion": ' + "9" * 5000 + "}", "is no JSON: it nests or counts too far"),
    "escape sequences": (lock(a={"version": "\x1b[31m1"}), r"a has no version, but '\x1b[31m1'"),
}


@pytest.mark.parametrize(("text", "said"), REFUSED.values(), ids=REFUSED)
def test_one_line_each(tmp_path: Path, text: str, said: str) -> None:
    """What cannot be read is refused with the line, and what to do."""
    (tmp_path / NAME).write_text(text)
    with pytest.raises(UsageError) as caught:
        read_lock(Tree(tmp_path), NAME)
    message = str(caught.value)
    assert message.startswith(NAME)
    assert said in message
    assert message.isprintable()
