"""Small projects as GitHub holds them: clients whose behaviour goes by the version of a package."""

from tests.cli.commanding import CLIENT
from tests.github.hub.server import SECRET

CONFIG = """\
version: 1
subjects:
  - {name: unit, file: unit.py, scenarios: [status-500]}
"""
GROUP_CONFIG = f"""{CONFIG}\
  - {{name: other, file: other.py, scenarios: [status-500]}}
"""

# How often `unit` tries with each six, and `other` with each toml.
TRIES = {"1.15.0": 5, "1.16.0": 3, "1.17.0": 2}
OTHER_TRIES = {"0.10.1": 1, "0.10.2": 4}

_BY_VERSION = """
import {module}
from importlib.metadata import version


def call(port):
    for _ in range({tries}[version("{module}")]):
        status = get(port)
        if status == 200:
            return
    raise LookupError(status)
"""

# A client that looks for the job's token wherever a process may: it would not even be well if it found it.
_SPY = f"""
import os


def _environments():
    for process in filter(str.isdigit, os.listdir("/proc")):
        try:
            with open(f"/proc/{{process}}/environ", errors="replace") as file:
                yield file.read()
        except OSError:
            continue


_found = any("{SECRET[:12]}" + "{SECRET[12:]}" in text for text in _environments())
assert not _found, "the token is in an environment"
assert not [name for name in os.environ if name.startswith(("INPUT_", "GITHUB_", "ACTIONS_"))]
"""


def _client(module: str, tries: dict[str, int]) -> str:
    own = CLIENT[: CLIENT.index("def call(port):")]
    return _SPY + own + _BY_VERSION.format(module=module, tries=tries)


def locked(six: str, toml: str = "0.10.1") -> str:
    """A lock file."""
    return f"# pinned\nsix=={six}\ntoml=={toml}\n"


def project(six: str = "1.15.0", **more: str) -> dict[str, str]:
    """The files of a project with one client, which is not recorded."""
    return {
        "README.md": "# Unit\n",
        "requirements.txt": locked(six),
        "unit.py": _client("six", TRIES),
        "other.py": _client("toml", OTHER_TRIES),
        "failsame.yml": CONFIG,
        ".github/workflows/failsame.yml": "on: pull_request\n",
        **more,
    }
