"""The environment of a lock file in any language, and what is in it."""

import os
import posixpath
from collections.abc import Iterable, Mapping
from dataclasses import replace

from failsame.environments import node_packages, python_packages
from failsame.environments.inputs import gather
from failsame.environments.model import Environment, Recipe
from failsame.environments.node import node_environment
from failsame.environments.node_inputs import gather_node
from failsame.environments.python import python_environment
from failsame.pins import Recorder, lock_language

_BUILD = {"python": python_environment, "node": node_environment}
_GATHER = {"python": gather, "node": gather_node}


def environment_of(recipe: Recipe, environ: Mapping[str, str] | None = None) -> Environment:
    """Install what a lock file pins, in the language whose packages it pins; see `python_environment`."""
    return _BUILD[lock_language(recipe.files, recipe.lock)](recipe, environ)


def inputs_of(recipe: Recipe) -> frozenset[str]:
    """The files, by path in the repository, that decide what is installed, also those that are not there but may be.

    A change touches one of them or changes nothing in what is installed: which files are asked for, too, is told by
    files that are asked for. Raises UsageError for a lock file that an edit mends.
    """
    asked = Recorder(recipe.files)
    _GATHER[lock_language(recipe.files, recipe.lock)](replace(recipe, files=asked))
    return frozenset(map(posixpath.normpath, asked.asked))


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
