"""`python -m failsame.clock`: compile what is written in C."""

import sys

from failsame.clock.build import BuildError, build

try:
    for path in build():
        print(path)  # noqa: T201 - a command
except BuildError as error:
    sys.exit(f"failsame: trials will run in real time: {error}")
