"""What npm, pnpm and yarn say when they fail, turned into one line: what is wrong, where, how to mend it.

They have no machine-readable errors in common; these are the sentences of npm 11, pnpm 8 to 12, yarn 1 and yarn 4. What
matches none is passed on, shortened.
"""

import re
from collections.abc import Callable
from dataclasses import dataclass

from failsame.environments.complaints import place
from failsame.environments.inputs import Inputs
from failsame.environments.node_managers import Manager
from failsame.errors import FailsameError, UnmeasuredError, UsageError
from failsame.pins.quoting import shown
from failsame.text import how_ended

_REGISTRY = "name your own registry in .npmrc or NPM_CONFIG_REGISTRY"


@dataclass(frozen=True)
class Failure:
    """A package manager that failed: what it was to install, what it said, and its status (negative for a signal)."""

    manager: Manager
    inputs: Inputs
    said: str
    status: int

    @property
    def lock(self) -> str:
        """The lock file, as messages name it."""
        return shown(self.inputs.pins.lock)


def _no_space(_match: re.Match[str], _failure: Failure) -> FailsameError:
    return UnmeasuredError("no space left for the environment: free some, or set FAILSAME_CACHE elsewhere")


def _out_of_step(_match: re.Match[str], failure: Failure) -> FailsameError:
    return UsageError(
        f"{failure.lock} does not fit its package.json, or was written by another {failure.manager.program}: "
        f"lock again with `{failure.manager.lock}`"
    )


def _not_there(match: re.Match[str], failure: Failure) -> FailsameError:
    name = match["name"].replace("%2f", "/").replace("%2F", "/")
    version = match.groupdict().get("version")
    what = shown(f"{name} {version}" if version else name)
    return UnmeasuredError(
        f"{place(failure.inputs.pins, name)}: the registry has no {what}: lock again, or {_REGISTRY}"
    )


def _wrong_hash(match: re.Match[str], failure: Failure) -> FailsameError:
    return UnmeasuredError(
        f"{place(failure.inputs.pins, match['name'])}: the registry's {shown(match['name'])} has another hash than the "
        "lock file says: lock again"
    )


def _hash_alone(match: re.Match[str], failure: Failure) -> FailsameError:
    """The hash that npm wanted: it does not say whose it is, but the lock file has it on a line."""
    lines = failure.inputs.contents[failure.inputs.pins.lock].decode(errors="replace").split("\n")
    line = next((f" line {number}" for number, line in enumerate(lines, start=1) if match["hash"] in line), "")
    return UnmeasuredError(f"{failure.lock}{line}: the registry's file has another hash: lock again")


def _no_network(match: re.Match[str], failure: Failure) -> FailsameError:
    return UnmeasuredError(
        f"{failure.manager.program} cannot reach the registry ({shown(match[0])}): check the network, the proxy "
        f"variables, or {_REGISTRY}"
    )


def _not_here(match: re.Match[str], failure: Failure) -> FailsameError:
    return UnmeasuredError(f"{failure.lock} cannot be installed on this machine: {shown(_one_line(match[0]))}")


# Names and versions come from lock files: all is bounded, so that no text takes long to look through.
_NAME = r"(?P<name>(?:@[\w.~-]{1,214}(?:/|%2[fF]))?[\w.~-]{1,214})"
_VERSION = r"(?P<version>[^\s/'\":]{1,256}?)"
_ARCHIVE = rf"https?://[^\s@]{{1,500}}?/{_NAME}/-/[\w.~-]{{1,214}}?-(?P<version>\d[^\s/]{{0,256}}?)\.tgz"
_MOST = 20_000  # characters looked through, from the beginning and from the end

_OUT_OF_STEP = (
    r"are in sync\. Please update",
    r"ERR_PNPM_(?:OUTDATED_LOCKFILE|LOCKFILE_CONFIG_MISMATCH)",
    r"pnpm-lock\.yaml is not up\s+to\s+date",
    r"lockfile (?:needs to be updated|would have been modified)",
)
_UNREACHABLE = (
    r"ECONNREFUSED|ECONNRESET|ENOTFOUND|EAI_AGAIN|ETIMEDOUT|ERR_SOCKET_TIMEOUT|ENETUNREACH",
    r"CERT_\w+|UNABLE_TO_\w+|SELF_SIGNED\w*",
    r"NETWORK_ERROR|META_FETCH_FAIL",
)

# The first that matches explains it: causes before the consequences that are told as well.
_COMPLAINTS: tuple[tuple[str, Callable[[re.Match[str], Failure], FailsameError]], ...] = (
    (r"ENOSPC|[Nn]o space left|EDQUOT", _no_space),
    ("|".join(_OUT_OF_STEP), _out_of_step),
    (r"EINTEGRITY(?s:.{0,1000}?)wanted (?P<hash>\S{1,200})", _hash_alone),
    (rf"(?:Incorrect integrity when fetching from the cache|Integrity check failed) for \"{_NAME}\"", _wrong_hash),
    (rf"YN0018: \W{{0,9}}{_NAME}@", _wrong_hash),
    (rf"(?:unexpected checksum for \"|verify the integrity of ){_ARCHIVE}", _wrong_hash),
    (rf"{_ARCHIVE}[^\s:]{{0,200}}(?: -|:)? (?:[Nn]ot [Ff]ound|Request failed \"404)", _not_there),
    (rf"requested resource '{_NAME}@{_VERSION}'", _not_there),
    (rf"Couldn't find package \"{_NAME}\"", _not_there),
    (rf"YN0035: \W{{0,9}}{_NAME}@npm:{_VERSION}: Package not found", _not_there),
    (rf"(?<![\w.~@/-]){_NAME}@{_VERSION} could not be checked against", _not_there),
    (rf"No matching version found for {_NAME}@{_VERSION}\.?\s", _not_there),
    (rf"Couldn't find any versions for \"{_NAME}\" that matches \"{_VERSION}\"", _not_there),
    (rf"from https?://[^\s@]{{1,500}}?/{_NAME}: HTTP status client\s+error \(404", _not_there),
    ("|".join(_UNREACHABLE), _no_network),
    (r"(?:notsup|EBADENGINE)[^\n]*|(?m:^[^\n]* is incompatible with this module[^\n]*)", _not_here),
)

# Where each names its error: npm behind the code, pnpm behind its own codes or in a drawn tree, yarn behind a word.
_SAID = (
    re.compile(r"^npm error (?!code|A complete log)(?:\d+ |notsup )?(?P<said>\S.*)", re.MULTILINE),
    re.compile(r"ERR_PNPM_\w+:?\s+(?P<said>\S.*)"),
    re.compile(r"\u2570\u2500\u25b6 (?P<said>.*)"),
    re.compile(r"^error (?:Error: )?(?P<said>.*)", re.MULTILINE),
    re.compile(r"YN(?!0000)\d{4}: \W*(?P<said>.*)"),
    re.compile(r"(?:Usage|Internal) Error: (?P<said>.*)"),
)


def explain_node(failure: Failure) -> FailsameError:
    """The error for a package manager that failed."""
    if failure.status < 0:
        return UnmeasuredError(
            f"{failure.manager.program} was ended by {how_ended(failure.status)} while installing {failure.lock}: "
            "give it more memory, run again"
        )
    said = failure.said if len(failure.said) <= 2 * _MOST else f"{failure.said[:_MOST]}\n{failure.said[-_MOST:]}"
    # pnpm breaks its lines for a terminal, within words that have a `-`.
    whole = re.sub(r"-\n\s+", "-", said)
    for pattern, complaint in _COMPLAINTS:
        if match := re.search(pattern, whole):
            return complaint(match, failure)
    command = " ".join((failure.manager.program, *failure.manager.install[:2]))
    return UnmeasuredError(f"{failure.lock} cannot be installed: {_said(said)}; try `{command}` by hand")


def _said(output: str) -> str:
    """What the package manager names as its error, or its last line."""
    for pattern in _SAID:
        if match := pattern.search(output):
            return shown(_one_line(match["said"]))
    lines = [line.strip() for line in output.splitlines() if line.strip()]
    return shown((lines or ["it said nothing"])[-1])


def _one_line(text: str) -> str:
    return " ".join(text.split())
