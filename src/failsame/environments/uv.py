"""Runs uv, which finds Pythons and installs packages."""

import errno
import subprocess
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from uv import find_uv_bin

from failsame.environments.workplace import Workplace
from failsame.errors import UnmeasuredError
from failsame.faults.remedies import reason
from failsame.pins.quoting import shown

_SECONDS = 900.0  # the largest wheels have gigabytes; uv itself gives up on a connection that stalls

# What uv may see: where things are, how to get at an index, whom to trust. Everything else stays out, so that no token
# of a workflow reaches a package index or the build code of a package.
_ALLOWED = frozenset(
    {
        *("HOME", "PATH", "LANG", "LC_ALL", "TMPDIR"),
        *("XDG_CACHE_HOME", "XDG_CONFIG_HOME", "XDG_CONFIG_DIRS", "XDG_DATA_HOME"),
        *("HTTP_PROXY", "HTTPS_PROXY", "ALL_PROXY", "NO_PROXY", "http_proxy", "https_proxy", "all_proxy", "no_proxy"),
        *("SSL_CERT_FILE", "SSL_CERT_DIR", "SSL_CLIENT_CERT", "NETRC"),
        *("UV_CACHE_DIR", "UV_CONFIG_FILE", "UV_CREDENTIALS_DIR", "UV_PYTHON_INSTALL_DIR", "UV_PYTHON_INSTALL_MIRROR"),
        *("UV_LINK_MODE",),
        *("UV_OFFLINE", "UV_HTTP_TIMEOUT", "UV_HTTP_CONNECT_TIMEOUT", "UV_HTTP_RETRIES"),
        *("UV_CONCURRENT_DOWNLOADS", "UV_CONCURRENT_INSTALLS"),
        *("UV_SYSTEM_CERTS", "UV_NATIVE_TLS", "UV_INSECURE_HOST", "UV_KEYRING_PROVIDER"),
    }
)
_SHORT_OF = frozenset({errno.EMFILE, errno.ENFILE, errno.ENOSPC})
_INDEXES = ("UV_INDEX", "UV_DEFAULT_INDEX", "UV_EXTRA_INDEX_URL", "UV_FIND_LINKS")


@dataclass(frozen=True)
class Answer:
    """What uv wrote, and the status that it ended with (negative for a signal)."""

    status: int
    output: str
    said: str


@dataclass(frozen=True)
class Uv:
    """uv with an allow-list of the caller's environment variables, name and value."""

    allowed: frozenset[tuple[str, str]]
    workplace: Workplace

    @property
    def variables(self) -> dict[str, str]:
        """The environment that uv runs in."""
        return self.workplace.variables(dict(self.allowed))

    @classmethod
    def within(cls, environ: Mapping[str, str]) -> "Uv":
        """Take over from `environ` what uv may see."""
        allowed = {name: value for name, value in environ.items() if name in _ALLOWED or name.startswith(_INDEXES)}
        workplace = Workplace.of(environ)
        # Never a Python of uv's own choice: it would be another than the project runs on.
        downloads = "manual" if workplace.fetches_pythons else "never"
        allowed |= {"UV_PYTHON_DOWNLOADS": downloads, "UV_NO_PROGRESS": "1", "UV_PREVIEW_FEATURES": "pylock"}
        return cls(frozenset(allowed.items()), workplace)

    def indexes(self) -> dict[str, str]:
        """The settings that decide which files a version stands for where a lock file has no hashes."""
        return {name: value for name, value in self.variables.items() if name.startswith(_INDEXES)}

    def run(self, *arguments: str, folder: Path) -> Answer:
        """Run uv in a folder, and wait for it. An interrupt ends uv, too.

        Raises UnmeasuredError if it cannot run at all.
        """
        return self._answer((find_uv_bin(), *arguments, "--color", "never"), folder)

    def ask(self, python: Path, code: str, *, folder: Path) -> Answer:
        """Run a line of Python with an interpreter, in an environment that uv has made. Raises as `run` does."""
        return self._answer((str(python), "-I", "-c", code), folder)

    def _answer(self, program: Sequence[str], folder: Path) -> Answer:
        command = self.workplace.command(program)
        try:
            done = subprocess.run(
                command.program,
                cwd=folder,
                env=self.variables,
                stdin=subprocess.DEVNULL,
                capture_output=True,
                check=False,
                timeout=_SECONDS,
                **command.options,
            )
        except subprocess.TimeoutExpired as error:
            raise UnmeasuredError(f"uv did not end within {_SECONDS:.0f} s: check the network and run again") from error
        except OSError as error:
            remedy = "" if error.errno in _SHORT_OF else ": install failsame's requirements again"
            raise UnmeasuredError(f"uv cannot be run: {shown(reason(error))}{remedy}") from error
        finally:
            self.workplace.clear()
        return Answer(done.returncode, done.stdout.decode(errors="replace"), done.stderr.decode(errors="replace"))
