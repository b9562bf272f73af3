from failsame.environments.installed import distributions_of, environment_of, inputs_of, installed
from failsame.environments.model import Environment, Recipe
from failsame.environments.node import node_environment
from failsame.environments.project import import_paths
from failsame.environments.project_copy import copy_for
from failsame.environments.python import python_environment

__all__ = [
    "Environment",
    "Recipe",
    "copy_for",
    "distributions_of",
    "environment_of",
    "import_paths",
    "inputs_of",
    "installed",
    "node_environment",
    "python_environment",
]
