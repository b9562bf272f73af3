"""Small projects as GitHub holds them: a client whose behaviour goes by the version of a package."""

from tests.cli.commanding import BY_VERSION

CONFIG = """\
version: 1
subjects:
  - name: unit
    file: unit.py
    scenarios: [status-500]
"""

BEFORE, AFTER = "six==1.16.0\n", "six==1.17.0\n"


def project(baselines: dict[str, str] | None = None, **more: str) -> dict[str, str]:
    """The files of a project, before its upgrade: it tries five times, and three times with the newer six."""
    return {
        "README.md": "# Unit\n",
        "requirements.txt": BEFORE,
        "unit.py": BY_VERSION,
        "failsame.yml": CONFIG,
        ".github/workflows/failsame.yml": "on: pull_request\n",
        **(baselines or {}),
        **more,
    }
