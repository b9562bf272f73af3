"""From a lock file of npm, pnpm or yarn to an isolated environment for Node."""

import os
import threading
from collections.abc import Mapping
from typing import Any

from failsame.environments.cache import build_once, digest
from failsame.environments.model import Environment, Recipe
from failsame.environments.node_build import Order, build, is_whole, opened
from failsame.environments.node_inputs import gather_node
from failsame.environments.node_tools import Tools, find_node
from failsame.errors import UnmeasuredError
from failsame.pins.pnpm_lock import lock_version
from failsame.pins.quoting import shown

# Package managers keep all cores busy; and of several subjects with one lock file the first builds, the others find.
_ONE_AT_A_TIME = threading.Lock()

_FORMAT = 1  # a new number for every change in how environments are made


def node_environment(recipe: Recipe, environ: Mapping[str, str] | None = None) -> Environment:
    """Install what a lock file pins, scripts off; or find it in the cache, where nothing is installed twice.

    It runs on the `node` of the PATH. `environ` (the process's own by default) says where that and the cache are, and
    how to get at a registry. Raises UsageError for a lock file that an edit mends, UnmeasuredError for a package, a
    package manager, a Node or space that cannot be had.
    """
    tools = Tools.within(os.environ if environ is None else environ)
    inputs = gather_node(recipe)
    folder = tools.workplace.environments
    try:
        tools.workplace.open()
        with _ONE_AT_A_TIME:
            node = find_node(tools, folder)
        parts: dict[str, Any] = {
            "format": _FORMAT,
            # Packages that are optional come by platform, and by the versions of Node that they allow.
            "node": [node.version, node.platform],
            "lock": recipe.lock,
            "registries": tools.registries(),
        }
        key = digest(parts, inputs.contents)
        version = lock_version(recipe.files, recipe.lock) if inputs.pins.kind == "pnpm" else None
        order = Order(inputs, version, tools)
        with _ONE_AT_A_TIME:
            return opened(build_once(folder, key, lambda made: build(order, made), is_whole), recipe.lock, node)
    except OSError as error:
        reason = shown(error.strerror or str(error))
        raise UnmeasuredError(f"no environment can be written to {folder}: {reason}: set FAILSAME_CACHE") from error
