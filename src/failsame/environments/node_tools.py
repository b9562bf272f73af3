"""Runs Node and the package managers that install for it."""

import contextlib
import json
import os
import re
import shutil
import signal
import subprocess
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from packaging.version import Version

from failsame.environments.uv import Answer
from failsame.environments.workplace import Workplace
from failsame.errors import UnmeasuredError
from failsame.faults.remedies import reason
from failsame.pins.quoting import shown

_OLDEST = "20.19"  # the oldest that loads an ES module with require(), as new SDKs want to be loaded
_SECONDS = 900.0

# What a package manager may see: where things are, how to get at a registry, whom to trust. Everything else stays out,
# so that no token of a workflow reaches a registry; settings of npm and pnpm only where they name no credentials.
_ALLOWED = frozenset(
    {
        *("HOME", "PATH", "LANG", "LC_ALL", "TMPDIR", "PNPM_HOME"),
        *("XDG_CACHE_HOME", "XDG_CONFIG_HOME", "XDG_DATA_HOME", "XDG_STATE_HOME"),
        *("HTTP_PROXY", "HTTPS_PROXY", "ALL_PROXY", "NO_PROXY", "http_proxy", "https_proxy", "all_proxy", "no_proxy"),
        *("SSL_CERT_FILE", "SSL_CERT_DIR", "NODE_EXTRA_CA_CERTS", "NODE_USE_SYSTEM_CA", "NODE_USE_ENV_PROXY"),
        *("COREPACK_HOME", "COREPACK_NPM_REGISTRY", "COREPACK_ENABLE_NETWORK", "COREPACK_INTEGRITY_KEYS"),
        *("YARN_REGISTRY", "YARN_NPM_REGISTRY_SERVER", "YARN_CACHE_FOLDER", "YARN_GLOBAL_FOLDER"),
        *("YARN_HTTP_PROXY", "YARN_HTTPS_PROXY", "YARN_HTTPS_CA_FILE_PATH", "YARN_CA_FILE_PATH"),
        *("YARN_ENABLE_NETWORK", "YARN_ENABLE_STRICT_SSL", "YARN_UNSAFE_HTTP_WHITELIST", "YARN_HTTP_RETRY"),
    }
)
_SETTING = re.compile(
    r"p?npm_config_(?:registry|@[^:]+:registry|proxy|https?_proxy|noproxy|ca|cafile|strict_ssl|cache|store_dir"
    r"|userconfig|globalconfig|offline|prefer_offline|fetch_\w+|maxsockets|network_concurrency)",
    re.IGNORECASE,
)
_REGISTRIES = re.compile(r"p?npm_config_(?:.*:)?registry|YARN_REGISTRY|YARN_NPM_REGISTRY_SERVER", re.IGNORECASE)

# A failing registry is told in seconds; by default npm and pnpm wait over a minute between their tries.
_DEFAULTS = {
    f"{tool}_config_fetch_retry_{bound}": milliseconds
    for tool in ("npm", "pnpm")
    for bound, milliseconds in (("mintimeout", "1000"), ("maxtimeout", "5000"))
}

_FIXED = {
    "CI": "true",  # no questions
    "NO_COLOR": "1",
    "COREPACK_ENABLE_DOWNLOAD_PROMPT": "0",
    **dict.fromkeys(("npm_config_audit", "npm_config_fund", "npm_config_update_notifier"), "false"),
    "npm_config_logs_max": "0",
    # pnpm and yarn 1 would leave their own code, compiled, in TMPDIR.
    **dict.fromkeys(("NODE_DISABLE_COMPILE_CACHE", "DISABLE_V8_COMPILE_CACHE"), "1"),
    # Yarn 2 and newer take all settings from variables, before those of the project.
    "YARN_NODE_LINKER": "node-modules",
    "YARN_ENABLE_SCRIPTS": "false",
    "YARN_ENABLE_GLOBAL_CACHE": "true",
    **dict.fromkeys(("YARN_ENABLE_TELEMETRY", "YARN_ENABLE_COLORS", "YARN_ENABLE_HYPERLINKS"), "false"),
    "YARN_ENABLE_PROGRESS_BARS": "false",
}

_ABOUT = "console.log(JSON.stringify([process.execPath, process.versions.node, process.platform + '-' + process.arch]))"


@dataclass(frozen=True)
class Node:
    """An installed Node: its program, its full version, and what it runs on (`linux-x64`)."""

    path: Path
    version: str
    platform: str

    @property
    def runtime(self) -> str:
        """How reports name it: `node 20.20`."""
        return "node " + ".".join(self.version.split(".")[:2])


@dataclass(frozen=True)
class Tools:
    """Programs on the PATH, with an allow-list of the caller's environment variables, name and value."""

    allowed: frozenset[tuple[str, str]]
    workplace: Workplace

    @classmethod
    def within(cls, environ: Mapping[str, str]) -> "Tools":
        """Take over from `environ` what package managers may see."""
        seen = {name: value for name, value in environ.items() if name in _ALLOWED or _SETTING.fullmatch(name)}
        return cls(frozenset({**_DEFAULTS, **seen, **_FIXED}.items()), Workplace.of(environ))

    @property
    def variables(self) -> dict[str, str]:
        """The environment that programs run in."""
        return self.workplace.variables(dict(self.allowed))

    def registries(self) -> dict[str, str]:
        """The settings that decide which files a version stands for where a lock file has no hashes."""
        return {name: value for name, value in self.variables.items() if _REGISTRIES.fullmatch(name)}

    def find(self, program: str) -> Path | None:
        """A program on the PATH; None if there is none."""
        found = shutil.which(program, path=self.variables.get("PATH", ""))
        return Path(found) if found else None

    def run(self, program: Path, *arguments: str, folder: Path) -> Answer:
        """Run a program in a folder, and wait for it. An interrupt ends it, and all that it has started.

        Raises UnmeasuredError if it cannot run at all.
        """
        command = self.workplace.command((str(program), *arguments))
        try:
            running = subprocess.Popen(
                command.program,
                cwd=folder,
                env=self.variables,
                stdin=subprocess.DEVNULL,
                stdout=subprocess.PIPE,
                stderr=subprocess.PIPE,
                start_new_session=True,  # launchers start the package manager as another process
                **command.options,
            )
        except OSError as error:
            raise UnmeasuredError(
                f"{shown(str(program))} cannot be run: {shown(reason(error))}: install it again"
            ) from error
        with running, contextlib.ExitStack() as afterwards:
            afterwards.callback(self.workplace.clear)
            try:
                output, said = running.communicate(timeout=_SECONDS)
            except BaseException as error:
                with contextlib.suppress(ProcessLookupError):
                    os.killpg(running.pid, signal.SIGKILL)
                if isinstance(error, subprocess.TimeoutExpired):
                    what = f"{shown(program.name)} did not end within {_SECONDS:.0f} s"
                    raise UnmeasuredError(f"{what}: check the network and run again") from error
                raise
        return Answer(running.returncode, output.decode(errors="replace"), said.decode(errors="replace"))


@cache
def find_node(tools: Tools, folder: Path) -> Node:
    """The `node` on the PATH, asked in a folder. Kept for the process.

    Raises UnmeasuredError where there is none, or an older one than SDKs and the probe run on.
    """
    remedy = f"install Node {_OLDEST} or newer, for example with actions/setup-node, and put it on the PATH"
    program = tools.find("node")
    if program is None:
        raise UnmeasuredError(f"there is no `node` on the PATH: {remedy}")
    answer = tools.run(program, "-e", _ABOUT, folder=folder)
    try:
        path, version, platform = json.loads(answer.output)
        node = Node(Path(path), str(version), str(platform))
        old = Version(node.version) < Version(_OLDEST)
    except (ValueError, TypeError) as error:
        said = shown((answer.said or answer.output).strip() or f"status {answer.status}")
        raise UnmeasuredError(f"{shown(str(program))} is no Node that runs: {said}: {remedy}") from error
    if old:
        raise UnmeasuredError(f"{shown(str(program))} is Node {node.version}: {remedy}")
    return node
