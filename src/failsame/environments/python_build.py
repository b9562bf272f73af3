"""Builds one environment in an empty folder."""

import json
import os
from dataclasses import dataclass
from pathlib import Path

from packaging.utils import canonicalize_name

from failsame.environments.complaints import explain
from failsame.environments.completeness import hold_against_pins
from failsame.environments.inputs import Inputs, write_inputs
from failsame.environments.interpreters import Interpreter
from failsame.environments.model import Environment, Recipe
from failsame.environments.uv import Uv
from failsame.errors import UnmeasuredError
from failsame.files import write_whole
from failsame.pins.quoting import shown

_ABOUT = "failsame-environment.json"
_MAIN = "main"

# Asked of the environment's own Python, once, while it is built.
_LAYOUT = (
    "import json, sys, sysconfig; paths = sysconfig.get_paths();"
    "print(json.dumps([sys.version.split()[0], sorted({paths['purelib'], paths['platlib']})]))"
)


@dataclass(frozen=True)
class Order:
    """What is to be built, from what, on which Python."""

    recipe: Recipe
    inputs: Inputs
    interpreter: Interpreter
    uv: Uv


def build(order: Order, made: Path) -> None:
    """Fill an empty folder with the environment and, last, with a note about it; work files go beside it."""
    work = made.parent / "work"
    work.mkdir()
    copy = write_inputs(order.inputs, work / "repository")
    order.uv.workplace.give(made.parent)
    _uv(order, work, "venv", "--no-project", "--python", str(order.interpreter.path), str(made))
    lock = _installable(order, copy, work)
    python = made / "bin" / "python"
    options = _install_options(order, python)
    _uv(order, lock.parent, "pip", "sync", *options, "--allow-empty-requirements", str(lock))
    version, folders = _layout(python, order.uv, work)
    if order.inputs.pins.kind == "requirements":
        hold_against_pins(
            folders,
            order.inputs.pins,
            check=lambda: order.uv.run("pip", "check", "--python", str(python), folder=work).said,
            resolve=lambda: _uv(order, lock.parent, "pip", "install", *options, "-r", str(lock)),
        )
    note = {"version": version, "site_packages": [os.path.relpath(folder, made) for folder in folders]}
    order.uv.workplace.take(made.parent)
    write_whole(made / _ABOUT, json.dumps(note).encode())


def is_whole(made: Path) -> bool:
    """Whether a folder holds a finished environment whose Python is still there."""
    return (made / _ABOUT).is_file() and (made / "bin" / "python").exists()


def opened(made: Path, lock: str) -> Environment:
    """The finished environment in a folder."""
    note = json.loads((made / _ABOUT).read_text(encoding="utf-8"))
    version = str(note["version"])
    return Environment(
        language="python",
        interpreter=made / "bin" / "python",
        version=version,
        folders=tuple(made / folder for folder in note["site_packages"]),
        runtime="python " + ".".join(version.split(".")[:2]),
        lock=Path(lock),
    )


def _installable(order: Order, lock: Path, work: Path) -> Path:
    """The lock file as `uv pip sync` takes it."""
    if order.inputs.pins.kind == "requirements":
        return lock
    if order.inputs.pins.kind == "pylock":
        return lock.rename(lock.with_name("pylock.toml"))  # whatever the project calls it
    # What a uv.lock pins for this choice, as a pylock.toml: it names every file, so that no index is asked.
    recipe, target = order.recipe, work / "pylock.toml"
    group = "--group" if _MAIN in recipe.groups else "--only-group"
    options = [*_each(group, recipe.groups), *_each("--extra", recipe.extras)]
    options += ["--package", recipe.package] if recipe.package else []
    options += ["--frozen", "--no-emit-workspace", "--no-emit-local", "--no-default-groups"]
    options += ["--python", str(order.interpreter.path), "--output-file", str(target)]
    _uv(order, lock.parent, "export", "--format", "pylock.toml", *options)
    return target


def _install_options(order: Order, python: Path) -> list[str]:
    options = ["--python", str(python), "--only-binary", ":all:", "--compile-bytecode"]
    options += _each("--no-binary", tuple(map(canonicalize_name, order.recipe.build)))
    kind = order.inputs.pins.kind
    if kind == "requirements" and any(b"--hash" in content for content in order.inputs.contents.values()):
        options.append("--require-hashes")  # as pip does: one hash asks for all
    if kind == "pylock":
        options += [*_each("--group", order.recipe.groups), *_each("--extra", order.recipe.extras)]
    return options


def _each(option: str, values: tuple[str, ...]) -> list[str]:
    return [f"{option}={value}" for value in values if value != _MAIN]


def _uv(order: Order, folder: Path, *arguments: str) -> None:
    answer = order.uv.run(*arguments, folder=folder)
    if answer.status:
        raise explain(answer.said, answer.status, order.inputs.pins)


def _layout(python: Path, uv: Uv, work: Path) -> tuple[str, tuple[Path, ...]]:
    """The full version of a Python, and the folders that its packages are in."""
    answer = uv.ask(python, _LAYOUT, folder=work)
    try:
        version, folders = json.loads(answer.output)
    except ValueError as error:
        said = shown(answer.said.strip() or f"status {answer.status}")
        raise UnmeasuredError(
            f"the environment's Python does not run: {said}: choose another with `python:`"
        ) from error
    return str(version), tuple(Path(folder) for folder in folders)
