"""The environment of a lock file in any language, and what is in it."""

import os
from collections.abc import Iterable, Mapping

from failsame.environments import node_packages, python_packages
from failsame.environments.model import Environment, Recipe
from failsame.environments.node import node_environment
from failsame.environments.python import python_environment
from failsame.pins import lock_language

_BUILD = {"python": python_environment, "node": node_environment}


def environment_of(recipe: Recipe, environ: Mapping[str, str] | None = None) -> Environment:
    """Install what a lock file pins, in the language whose packages it pins; see `python_environment`."""
    return _BUILD[lock_language(recipe.files, recipe.lock)](recipe, environ)


def installed(environment: Environment) -> dict[str, str]:
    """All installed packages: name -> version, sorted. Of several copies in Node see `node_packages.by_name`."""
    if environment.language == "node":
        return node_packages.all_packages(environment.folders[0])
    return python_packages.all_distributions(environment.folders)


def distributions_of(environment: Environment, files: Iterable[str | os.PathLike[str]]) -> dict[str, str]:
    """The packages that the given files belong to: name -> version, sorted; files outside the environment have none."""
    if environment.language == "node":
        return node_packages.owners(environment.folders[0], files)
    return python_packages.owners(environment.folders, files)
