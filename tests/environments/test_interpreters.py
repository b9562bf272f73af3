"""Which Python a subject runs on."""

from pathlib import Path

import pytest
from packaging.specifiers import SpecifierSet
from packaging.version import Version

from failsame.environments.interpreters import Interpreter, Wish, choose, wish
from failsame.environments.model import Recipe
from failsame.errors import UnmeasuredError, UsageError
from failsame.pins import Tree, read_lock

INSTALLED = tuple(
    Interpreter(key=f"cpython-{each}", version=Version(each), path=Path(f"/python/{each}"))
    for each in ("3.12.4", "3.8.18", "3.14.0rc1", "3.13.1", "3.9.18", "3.12.1")
)


def wanted(root: Path, lock: str = "requirements.txt", python: str | None = None) -> Wish:
    recipe = Recipe(Tree(root), lock, python=python)
    return wish(recipe, read_lock(recipe.files, lock))


def project(root: Path, **files: str) -> None:
    for name, text in {"requirements.txt": "six==1.17.0\n", **files}.items():
        (root / name).parent.mkdir(parents=True, exist_ok=True)
        (root / name).write_text(text)


@pytest.mark.parametrize(
    ("version", "allowed", "expected"),
    [
        (None, "", "3.13.1"),
        (None, ">=3.9,<3.13", "3.12.4"),
        (None, "==3.9.*", "3.9.18"),
        ("3.12", "", "3.12.4"),
        ("3.12.1", "", "3.12.1"),
        ("3", "", "3.14.0rc1"),
        ("3.14", "", "3.14.0rc1"),
    ],
)
def test_the_newest_that_fits(version: str | None, allowed: str, expected: str) -> None:
    """The newest installed release that fits; one that is no release yet only if it is asked for."""
    assert choose(INSTALLED, Wish(version, SpecifierSet(allowed), "x")).version == Version(expected)


@pytest.mark.parametrize(
    ("version", "allowed", "said"),
    [
        (
            "3.11",
            "",
            r"Python 3\.11, asked for by x, is not installed \(installed: 3\.8\.18, 3\.9\.18, .*\): install it",
        ),
        (None, ">=3.15", r"Python >=3\.15, asked for by x, is not installed"),
    ],
)
def test_none_that_fits(version: str | None, allowed: str, said: str) -> None:
    """The message names what is asked for, by whom, what there is, and how to get it."""
    with pytest.raises(UnmeasuredError, match=said):
        choose(INSTALLED, Wish(version, SpecifierSet(allowed), "x"))


def test_none_at_all() -> None:
    """Without any Python the message still says what to install."""
    with pytest.raises(UnmeasuredError, match=r"Python 3\.9 or newer is not installed \(installed: none\)"):
        choose((), Wish(None, SpecifierSet(), "x"))


def test_one_too_old_for_the_probe() -> None:
    """A Python that is installed, but cannot be measured, is a matter of the configuration."""
    with pytest.raises(UsageError, match=r"asks for Python 3\.8, and failsame measures 3\.9 and newer"):
        choose(INSTALLED, Wish("3.8", SpecifierSet(), "x"))


def test_who_is_asked_first(tmp_path: Path) -> None:
    """Configuration, else .python-version in the nearest folder, else requires-python."""
    lock = "services/batch/requirements.txt"
    project(
        tmp_path, **{lock: "six==1.17.0\n", "services/batch/pyproject.toml": '[project]\nrequires-python = ">=3.10"\n'}
    )
    assert wanted(tmp_path, lock) == Wish(
        None, SpecifierSet(">=3.10"), "requires-python in services/batch/pyproject.toml"
    )
    (tmp_path / ".python-version").write_text("# ours\n\ncpython-3.12.1\n")
    assert wanted(tmp_path, lock).version == "3.12.1"
    (tmp_path / "services" / ".python-version").write_text("3.13\n")
    assert wanted(tmp_path, lock) == Wish("3.13", SpecifierSet(), "services/.python-version")
    assert wanted(tmp_path, lock, "3.9") == Wish("3.9", SpecifierSet(), "`python:`")


def test_the_lock_files_own_requires_python(tmp_path: Path) -> None:
    """A uv.lock knows for itself which Pythons it is for."""
    project(tmp_path, **{"uv.lock": 'version = 1\nrequires-python = ">=3.12"\n'})
    assert wanted(tmp_path, "uv.lock").allowed == SpecifierSet(">=3.12")


@pytest.mark.parametrize("text", ["/tmp/evil/python", "pypy3.10", "3.12; rm", "../python", "--help", "3.12\x1b[2J"])
def test_only_versions_are_taken(tmp_path: Path, text: str) -> None:
    """A .python-version that a pull request wrote never names a program to run."""
    project(tmp_path, **{".python-version": text})
    with pytest.raises(UsageError, match=r"\.python-version asks for .*: failsame runs CPython by its version"):
        wanted(tmp_path)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("[project]\nrequires-python = 'newest'\n", "requires-python is no range of versions: 'newest'"),
        ("[project\n", "pyproject.toml is no TOML"),
    ],
)
def test_a_broken_project_file(tmp_path: Path, text: str, said: str) -> None:
    """What pyproject.toml says wrongly is said in one line."""
    project(tmp_path, **{"pyproject.toml": text})
    with pytest.raises(UsageError, match=said):
        wanted(tmp_path)
