"""Builds one environment for Node in an empty folder."""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from failsame.environments.complaints import place
from failsame.environments.inputs import Inputs, write_inputs
from failsame.environments.model import Environment
from failsame.environments.node_complaints import Failure, explain_node
from failsame.environments.node_managers import find_manager, manager_for
from failsame.environments.node_packages import all_packages
from failsame.environments.node_tools import Node, Tools
from failsame.errors import UnmeasuredError
from failsame.files import write_whole
from failsame.pins.model import LockKind
from failsame.pins.quoting import shown

_ABOUT = "failsame-environment.json"
_TREE = "repository"

# What each kind has to be called to be found, whatever the project calls it.
_NAMES: Mapping[LockKind, str] = {
    "package-lock": "package-lock.json",
    "pnpm": "pnpm-lock.yaml",
    "yarn": "yarn.lock",
    "yarn-berry": "yarn.lock",
}


@dataclass(frozen=True)
class Order:
    """What is to be built, from what, with which tools; `format_version` is the lock file's, where it has one."""

    inputs: Inputs
    format_version: str | None
    tools: Tools


def build(order: Order, made: Path) -> None:
    """Fill an empty folder with what the lock file needs, what the package manager installs, and, last, a note."""
    pins = order.inputs.pins
    lock = write_inputs(order.inputs, made / _TREE)
    lock.rename(lock.with_name(_NAMES[pins.kind]))
    order.tools.workplace.give(made.parent)
    manager = manager_for(pins.kind, order.format_version)
    program = find_manager(manager, order.tools, lock.parent)
    options = (
        ["--ignore-workspace"] if pins.kind == "pnpm" and not (lock.parent / "pnpm-workspace.yaml").exists() else []
    )
    answer = order.tools.run(program.path, *manager.install, *options, folder=lock.parent)
    if answer.status:
        raise explain_node(Failure(manager, order.inputs, f"{answer.output}\n{answer.said}", answer.status))
    if pins.kind == "package-lock":
        _hold_against_pins(made / _TREE, order.inputs)
    note = {"lock": pins.lock, "manager": [manager.program, program.version]}
    order.tools.workplace.take(made.parent)
    write_whole(made / _ABOUT, json.dumps(note).encode())


def is_whole(made: Path) -> bool:
    """Whether a folder holds a finished environment."""
    return (made / _ABOUT).is_file()


def opened(made: Path, lock: str, node: Node) -> Environment:
    """The finished environment in a folder, with the Node that it was made for."""
    return Environment(
        language="node",
        interpreter=node.path,
        version=node.version,
        folders=(made / _TREE,),
        runtime=node.runtime,
        lock=Path(lock),
    )


def _hold_against_pins(tree: Path, inputs: Inputs) -> None:
    """Raise UnmeasuredError for a package that is installed at a version that is not pinned.

    npm takes what its cache has under the lock file's hash, and does not look whether that is the version beside it.
    """
    for called, version in all_packages(tree).items():
        name = called.partition(" ")[0]
        pinned = {pin.version for pin in inputs.pins.pins.get(name, ())}
        if pinned and version not in pinned:
            raise UnmeasuredError(
                f"{place(inputs.pins, name)}: {shown(name)} is installed at {shown(version)}, which is not what is "
                "pinned: its hash is another version's: lock again"
            )
