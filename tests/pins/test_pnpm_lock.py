"""pnpm-lock.yaml of both versions: what is pinned, on which line, by whom; and what is refused."""

from pathlib import Path

import pytest

from failsame.errors import UsageError
from failsame.pins import Tree, read_lock
from failsame.pins.pnpm_lock import own_folders, own_patches

NAME = "pnpm-lock.yaml"

IMPORTERS = """
importers:

  .:
    dependencies:
      '@sdk/client':
        specifier: ^3.0.0
        version: 3.1.0(ms@2.0.0)
    devDependencies:
      ms:
        specifier: 2.0.0
        version: 2.0.0

  packages/lib:
    dependencies:
      '@own/other':
        specifier: workspace:*
        version: link:../other
      short:
        specifier: npm:a-long-name@1.0.0
        version: {alias}a-long-name@1.0.0
"""

V9 = (
    "lockfileVersion: '9.0'\n"
    + IMPORTERS.format(alias="")
    + """
patchedDependencies:
  ms@2.0.0:
    hash: abc
    path: patches/ms@2.0.0.patch

packages:

  '@sdk/client@3.1.0':
    resolution: {integrity: sha512-AA==}
    peerDependencies:
      ms: '*'

  a-long-name@1.0.0:
    resolution: {integrity: sha512-AA==}

  from-an-archive@https://host.example/x/tar.gz/abc:
    resolution: {tarball: https://host.example/x/tar.gz/abc}
    version: 1.2.3

  injected@file:packages/injected:
    resolution: {directory: packages/injected, type: directory}

  ms@2.0.0:
    resolution: {integrity: sha512-AA==}

  ms@2.1.2:
    resolution: {integrity: sha512-AA==}

snapshots:

  '@sdk/client@3.1.0(ms@2.0.0)':
    dependencies:
      from-an-archive: https://host.example/x/tar.gz/abc
      ms: 2.0.0

  a-long-name@1.0.0:
    optionalDependencies:
      ms: 2.1.2

  from-an-archive@https://host.example/x/tar.gz/abc: {}

  ms@2.0.0: {}

  ms@2.1.2: {}
"""
)

V6 = (
    "lockfileVersion: '6.0'\n"
    + IMPORTERS.format(alias="/")
    + """
packages:

  /@sdk/client@3.1.0(ms@2.0.0):
    resolution: {integrity: sha512-AA==}
    dependencies:
      ms: 2.0.0
    dev: false

  /a-long-name@1.0.0:
    resolution: {integrity: sha512-AA==}
    optionalDependencies:
      ms: 2.1.2
    dev: false

  /ms@2.0.0:
    resolution: {integrity: sha512-AA==}

  /ms@2.1.2:
    resolution: {integrity: sha512-AA==}
"""
)


@pytest.mark.parametrize("text", [V9, V6], ids=["9", "6"])
def test_what_is_pinned_and_by_whom(tmp_path: Path, text: str) -> None:
    """Peers make no copies; workspaces and what is linked are no pins; aliases have their real names."""
    (tmp_path / NAME).write_text(text)
    pins = read_lock(Tree(tmp_path), NAME)
    assert pins.language == "node"
    assert [(pin.version, pin.direct, pin.required_by) for pin in pins.pins["ms"]] == [
        ("2.0.0", True, ("@sdk/client",)),
        ("2.1.2", False, ("a-long-name",)),
    ]
    assert [(pin.version, pin.direct) for pin in pins.pins["a-long-name"]] == [("1.0.0", True)]
    lines = text.split("\n")
    for held in pins.pins.values():
        for pin in held:
            assert pin.package in lines[pin.line - 1]
            assert lines[pin.line - 1].endswith(":")
    assert own_folders(Tree(tmp_path), NAME) == (".", "packages/lib")


def test_what_does_not_come_from_a_registry(tmp_path: Path) -> None:
    """An archive has the version that the file gives it; a folder of the project is no pin."""
    (tmp_path / NAME).write_text(V9)
    pins = read_lock(Tree(tmp_path), NAME)
    assert [(pin.version, pin.required_by) for pin in pins.pins["from-an-archive"]] == [("1.2.3", ("@sdk/client",))]
    assert "injected" not in pins.pins
    assert own_patches(Tree(tmp_path), NAME) == ("patches/ms@2.0.0.patch",)


def test_one_package_alone_and_a_document_before(tmp_path: Path) -> None:
    """A file without `importers` has what is direct at its top; a document of pnpm's own settings comes before it."""
    text = "lockfileVersion: '6.0'\ndependencies:\n  ms:\n    specifier: 2.0.0\n    version: 2.0.0\npackages:\n"
    text += "  /ms@2.0.0:\n    resolution: {integrity: sha512-AA==}\n"
    (tmp_path / NAME).write_text("lockfileVersion: env\n---\n" + text)
    (pin,) = read_lock(Tree(tmp_path), NAME).pins["ms"]
    assert (pin.direct, pin.line) == (True, 9)


HEAD = "lockfileVersion: '9.0'\n"
REFUSED = {
    "nothing": ("", "is no YAML mapping; write it again with `pnpm install --lockfile-only`"),
    "a text": ("lock", "is no YAML mapping"),
    "no YAML": (HEAD + "packages: {\n", "line 3 is cut off or no YAML: "),
    "cut off in a snapshot": (
        V9[: V9.index("  ms@2.0.0: {}")],
        "line 46: ms@2.0.0 has no snapshot, the file is cut off",
    ),
    "cut off in the packages": (
        V9[: V9.index("  ms@2.1.2:\n")] + V9[V9.index("snapshots:") :],
        "line 56: ms 2.1.2 is not in the file",
    ),
    "version 5": (
        "lockfileVersion: 5.4\n",
        "says lockfileVersion '5.4', and failsame reads 6.0, 6.1, 9.0: write it again",
    ),
    "a later version": ("lockfileVersion: '12.0'\n", "says lockfileVersion '12.0', and"),
    "a list for a version": ("lockfileVersion: [9]\n", "says lockfileVersion ['9'], and"),
    "an alias": (HEAD + "a: &a [x]\nb: *a\n", "line 3: aliases and tags are not written by a package manager"),
    "a billion laughs": (
        HEAD
        + "a: &a [x,x]\n"
        + "".join(f"{c}: &{c} [*{p},*{p}]\n" for p, c in zip("abcdefgh", "bcdefghi", strict=True)),
        "line 3: aliases and tags are not written by a package manager",
    ),
    "a tag": (HEAD + "a: !!python/object:os.system x\n", "line 2: aliases and tags"),
    "a key twice": (HEAD + "packages:\npackages:\n", "line 3: 'packages' stands on line 2 already"),
    "a key that is no text": (HEAD + "[a]: 1\n", "line 2: a key is not text"),
    "deep nesting": (HEAD + "a: " + "[" * 100_000, "line 2"),
    "deeper than any lock file": (HEAD + "a: " + "[" * 30, "line 2: it nests more than 20 levels deep"),
    "a package that is none": (HEAD + "packages:\n  a@1.0.0: x\n", "line 3: a@1.0.0 is no package"),
    "a package without a version": (
        HEAD + "packages:\n  a:\n    resolution: {}\nsnapshots:\n  a: {}\n",
        "line 3: '' is no package name: lock again",
    ),
    "a version that is none": (
        HEAD + "packages:\n  a@latest:\n    resolution: {}\nsnapshots:\n  a@latest: {}\n",
        "line 3: a has no version, but 'latest': lock again",
    ),
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
