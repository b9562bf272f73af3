"""Projects for Node as their package managers lock them, and those package managers."""

import json
import os
import shutil
import subprocess
from dataclasses import dataclass
from functools import cache
from pathlib import Path

WORKSPACE = {
    "package.json": {
        "name": "root",
        "version": "1.0.0",
        "private": True,
        "workspaces": ["packages/*"],
        "dependencies": {"ms": "2.0.0"},
        "scripts": dict.fromkeys(("preinstall", "install", "postinstall", "prepare"), "touch ran"),
    },
    "packages/app/package.json": {
        "name": "@own/app",
        "version": "1.0.0",
        "dependencies": {"ms": "2.1.3", "debug": "4.3.4", "@own/lib": "1.0.0"},
    },
    "packages/lib/package.json": {
        "name": "@own/lib",
        "version": "1.0.0",
        "type": "module",
        "exports": "./index.js",
        "dependencies": {"short": "npm:ms@2.1.1"},
    },
    "pnpm-workspace.yaml": "packages: ['packages/*']\nlinkWorkspacePackages: true\n",
    ".npmrc": "ignore-scripts=false\nlink-workspace-packages=true\n",
    ".yarnrc.yml": "enableScripts: true\n",
    "packages/lib/index.js": 'import ms from "short";\nexport const lib = ms("2 days");\n',
    "packages/app/common.cjs": 'module.exports = { ms: require.resolve("ms"), debug: require("debug").names };\n',
    "packages/app/subject.mjs": """\
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { lib } from "@own/lib";
import ms from "ms";
import common from "./common.cjs";
const data = JSON.parse(readFileSync(new URL("./data.json", import.meta.url)));
const files = [common.ms, ...Object.keys(createRequire(import.meta.url).cache)];
console.log(JSON.stringify({ lib, own: ms("1 day"), debug: common.debug, data, files }));
""",
    "packages/app/data.json": {"read": True},
}


@dataclass(frozen=True)
class Locking:
    """A package manager in a version: the package of it, how it locks, and what it writes."""

    package: str
    command: tuple[str, ...]
    lock: str


LOCKINGS = {
    "npm": Locking("", ("npm", "install", "--package-lock-only", "--ignore-scripts"), "package-lock.json"),
    "pnpm 8": Locking("pnpm@8", ("pnpm", "install", "--lockfile-only", "--ignore-scripts"), "pnpm-lock.yaml"),
    "pnpm 10": Locking("pnpm@10", ("pnpm", "install", "--lockfile-only", "--ignore-scripts"), "pnpm-lock.yaml"),
    "yarn 1": Locking("yarn@1", ("yarn", "install", "--ignore-scripts", "--non-interactive"), "yarn.lock"),
    "yarn 4": Locking("@yarnpkg/cli-dist@4", ("yarn", "install", "--mode=update-lockfile"), "yarn.lock"),
}


def program(name: str) -> Path:
    """A program of the machine."""
    found = shutil.which(name)
    assert found is not None
    return Path(found)


@cache
def programs(folder: Path, locking: str) -> Path:
    """A folder with the programs of a package manager, installed below `folder`, and `node`."""
    prefix = folder / locking.replace(" ", "-")
    package = LOCKINGS[locking].package
    if package:
        run("npm", "install", "--ignore-scripts", "--prefix", str(prefix), package, cwd=folder)
    binaries = prefix / "node_modules" / ".bin"
    binaries.mkdir(parents=True, exist_ok=True)
    for name in ("node",) if package else ("node", "npm"):
        (binaries / name).symlink_to(program(name))
    return binaries


def environ(binaries: Path, cache_folder: Path) -> dict[str, str]:
    """The environment of failsame, with these programs alone and what no package manager may see."""
    return {
        **os.environ,
        "PATH": f"{binaries}:/usr/bin:/bin" if (binaries / "npm").exists() else f"{binaries}:{_basics(cache_folder)}",
        "FAILSAME_CACHE": str(cache_folder),
        "GITHUB_TOKEN": "secret",
        "NPM_TOKEN": "secret",
        "NODE_OPTIONS": "--require /nonexistent",
    }


def _basics(folder: Path) -> Path:
    """What launchers written for a shell call, and no package manager of the machine."""
    basics = folder.parent / f"{folder.name}-basics"
    if not basics.exists():
        basics.mkdir()
        for name in ("sh", "dirname", "basename", "readlink", "sed", "uname"):
            (basics / name).symlink_to(program(name))
    return basics


def write(folder: Path, files: dict[str, object]) -> Path:
    """Write files; what is no text is JSON."""
    for path, content in files.items():
        (folder / path).parent.mkdir(parents=True, exist_ok=True)
        (folder / path).write_text(content if isinstance(content, str) else json.dumps(content, indent=2))
    return folder


def locked(folder: Path, locking: str, binaries: Path, files: dict[str, object]) -> str:
    """Write a project, lock it, and leave nothing installed; return the lock file's name."""
    how = LOCKINGS[locking]
    write(folder, files)
    if how.lock == "yarn.lock":
        (folder / how.lock).touch()
    path = {"PATH": f"{binaries}:{os.environ['PATH']}", "YARN_ENABLE_SCRIPTS": "0", "YARN_NODE_LINKER": "node-modules"}
    run(*how.command, cwd=folder, **path)
    for modules in [*folder.rglob("node_modules")]:
        shutil.rmtree(modules, ignore_errors=True)
    return how.lock


def run(*command: str, cwd: Path, **variables: str) -> str:
    done = subprocess.run(
        command, cwd=cwd, env={**os.environ, **variables}, check=False, capture_output=True, text=True
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


def listing(folder: Path) -> set[str]:
    return {str(path.relative_to(folder)) for path in folder.rglob("*")}
