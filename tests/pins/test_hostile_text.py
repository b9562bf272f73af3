"""Whatever a lock file says, its reader answers with pins or with one line."""

import re

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from failsame.errors import UsageError
from failsame.pins import read_lock

FRAGMENTS = st.sampled_from(
    [
        *("six==1.17.0", "six", "==", ";", "python_version<'3'", " ", "\n", "\\\n", "#", "# via", "#   six", "\t"),
        *(
            "--hash=sha256:aa",
            "--hash",
            "-r",
            "-c",
            "-e",
            "x.txt",
            "-i",
            "--",
            "'",
            '"',
            "[",
            "]",
            "@",
            "https://a/b.whl",
        ),
        *(
            "version = 1\n",
            'lock-version = "1.0"\n',
            "[[package]]\n",
            "[[packages]]\n",
            'name = "six"\n',
            "=",
            "{",
            "}",
        ),
        *(
            'version = "1.0"\n',
            "created-by = 'x'\n",
            "source = { registry = 'x' }\n",
            "dependencies = [{name='six'}]\n",
        ),
        *(
            "wheels = []\n",
            "wheels = [{url='six-1.0-py3-none-any.whl', hashes={a='b'}}]\n",
            "1.0",
            "true",
            "\x00",
            "\x1b",
        ),
        *(
            "[package.metadata]\n",
            "requires-python = '>=3'\n",
            "directory = {path='.'}\n",
            "nan",
            "1979-05-27",
            "$",
            "%",
        ),
        *('{"lockfileVersion":3,', '"packages":{', '"":{', '"node_modules/a":{', '"version":"1.0.0"', ",", ":", "null"),
        *(
            "lockfileVersion: '9.0'\n",
            "packages:\n",
            "snapshots:\n",
            "importers:\n",
            "  a@1.0.0:\n",
            "    version: 1.0.0\n",
        ),
        *(
            "# yarn lockfile v1\n",
            "__metadata:\n",
            '"a@npm:1":\n',
            "a@1:\n",
            '  version "1.0.0"\n',
            "  dependencies:\n",
        ),
        *("    a 1\n", "  resolution: a@workspace:.\n", "&a", "*a", "!a", "- ", "---\n", "|"),
    ]
)
TEXTS = st.one_of(st.text(), st.lists(FRAGMENTS | st.text(max_size=3), max_size=25).map("".join))


class Held:
    """A source of one file."""

    def __init__(self, path: str, content: bytes) -> None:
        self.files = {path: content}

    def read(self, path: str) -> bytes | None:
        return self.files.get(path)

    def folders(self, _path: str) -> tuple[str, ...]:
        return ()

    def named(self, path: str) -> str:
        return path


@pytest.mark.parametrize(
    "path",
    ["requirements.txt", "uv.lock", "pylock.toml", "package-lock.json", "pnpm-lock.yaml", "yarn.lock", "old.lock"],
)
@settings(deadline=None, max_examples=150)
@given(content=st.one_of(TEXTS.map(lambda text: text.encode("utf-8", "replace")), st.binary(max_size=40)))
def test_nothing_but_usage_errors(path: str, content: bytes) -> None:
    """Every text is read, or refused with one printable line; every line number is one that the file has."""
    said = ""
    numbers: set[int] = set()
    try:
        numbers = {pin.line for held in read_lock(Held(path, content), path).pins.values() for pin in held}
    except UsageError as error:
        said = str(error)
    assert said.isprintable()
    assert numbers <= set(range(1, len(re.split(rb"\r\n|\r|\n", content)) + 1))
