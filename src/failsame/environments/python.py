"""From a lock file to an isolated Python environment."""

import os
import threading
from collections.abc import Mapping
from typing import Any

from failsame.environments.cache import build_once, digest
from failsame.environments.inputs import gather
from failsame.environments.interpreters import choose, installed_interpreters, wish
from failsame.environments.model import Environment, Recipe
from failsame.environments.python_build import Order, build, is_whole, opened
from failsame.environments.uv import Uv
from failsame.errors import UnmeasuredError
from failsame.pins.quoting import shown

# uv keeps all cores busy by itself; and of several subjects with one lock file the first builds, the others find.
_ONE_AT_A_TIME = threading.Lock()

_FORMAT = 1  # a new number for every change in how environments are made


def python_environment(recipe: Recipe, environ: Mapping[str, str] | None = None) -> Environment:
    """Install what a lock file pins, from wheels; or find it in the cache, where nothing is installed twice.

    `environ` (the process's own by default) says where the cache is and how uv gets at an index.
    Raises UsageError for a lock file or a choice that an edit mends, UnmeasuredError for a package, a Python or space
    that cannot be had.
    """
    environ = os.environ if environ is None else environ
    uv = Uv.within(environ)
    inputs = gather(recipe)
    folder = uv.workplace.environments
    try:
        uv.workplace.open()
        wanted = wish(recipe, inputs.pins)
        with _ONE_AT_A_TIME:
            installed = installed_interpreters(uv, folder)
        interpreter = choose(installed, wanted)
        parts: dict[str, Any] = {
            "format": _FORMAT,
            "python": [interpreter.key, str(interpreter.path)],
            "lock": recipe.lock,
            "choice": [sorted(recipe.groups), sorted(recipe.extras), recipe.package, sorted(recipe.build)],
            "indexes": uv.indexes(),
        }
        order = Order(recipe, inputs, interpreter, uv)
        key = digest(parts, inputs.contents)
        with _ONE_AT_A_TIME:
            return opened(build_once(folder, key, lambda made: build(order, made), is_whole), recipe.lock)
    except OSError as error:
        reason = shown(error.strerror or str(error))
        raise UnmeasuredError(f"no environment can be written to {folder}: {reason}: set FAILSAME_CACHE") from error
