from failsame.environments.distributions import distributions_of, installed
from failsame.environments.model import Environment, Recipe
from failsame.environments.project import import_paths
from failsame.environments.python import python_environment

__all__ = ["Environment", "Recipe", "distributions_of", "import_paths", "installed", "python_environment"]
