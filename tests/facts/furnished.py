"""The project with all its lock files: those that are made at dates, and those of fixtures, beside its own."""

import json
import shutil
import subprocess
from collections.abc import Mapping
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path

HERE = Path(__file__).parent / "project"
FIXTURES = Path(__file__).parents[2] / "fixtures"


@dataclass(frozen=True)
class Dated:
    """What npm resolved these to, when nothing newer was published."""

    before: str
    packages: Mapping[str, str]


DATED = {
    # The tree that an engineer measured in autumn 2026, and the request handler of a year before beside its own.
    "october": Dated(
        "2026-10-17",
        {
            "@aws-sdk/client-s3": "3.1152.0",
            "node-http-handler-4-3": "npm:@smithy/node-http-handler@4.3.0",
        },
    ),
    "client-s3-3.1024.0": Dated("2026-04-06T12:00:00Z", {"@aws-sdk/client-s3": "3.1024.0"}),
    "client-s3-3.1025.0": Dated("2026-04-07", {"@aws-sdk/client-s3": "3.1025.0"}),
}

OF_FIXTURES = {
    "node-timeout-before.json": "node-timeout/before/package-lock.json",
    "node-timeout-after.json": "node-timeout/package-lock.json",
}


def furnished(folder: Path) -> Path:
    """A copy of the project in a new folder, with every lock file that its configuration names."""
    project = Path(shutil.copytree(HERE, folder))
    for name, source in OF_FIXTURES.items():
        shutil.copy(FIXTURES / source, project / "locks" / name)
    with ThreadPoolExecutor() as pool:
        for made in [pool.submit(_lock, project / "locks" / name, dated) for name, dated in DATED.items()]:
            made.result()
    return project


def _lock(folder: Path, dated: Dated) -> None:
    folder.mkdir()
    (folder / "package.json").write_text(json.dumps({"private": True, "dependencies": dated.packages}))
    install = ("npm", "install", "--package-lock-only", "--ignore-scripts", "--no-audit", "--no-fund")
    subprocess.run((*install, "--loglevel=error", f"--before={dated.before}"), cwd=folder, check=True)
