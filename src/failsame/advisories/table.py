"""The known silent changes, from the data files beside this module: a new file is how the list grows."""

from functools import cache
from importlib.resources import files

import yaml

from failsame.advisories.model import Advisory


@cache
def advisories() -> dict[str, Advisory]:
    """All advisories by id, in the order of their ids."""
    folder = files("failsame.advisories").joinpath("known")
    known = [
        Advisory.model_validate(yaml.safe_load(file.read_text(encoding="utf-8")))
        for file in folder.iterdir()
        if file.name.endswith(".yml")
    ]
    return {advisory.id: advisory for advisory in sorted(known, key=lambda advisory: advisory.id)}
