"""What package managers say, in their own words, as the one line that failsame makes of it."""

import signal
import time

import pytest

from failsame.environments.inputs import Inputs
from failsame.environments.node_complaints import Failure, explain_node
from failsame.environments.node_managers import manager_for
from failsame.errors import FailsameError, UnmeasuredError, UsageError
from failsame.pins.model import LockKind, Pin, Pins

LOCK = "web/lock"
PINS = Pins(
    lock=LOCK,
    kind="pnpm",
    pins={
        name: (Pin(package=name, version="2.1.3", lock=LOCK, line=7),)
        for name in ("ms", "@sdk/client.s3", "lodash.merge")
    },
)
HOST = "https://host.example/npm"


def explained(kind: LockKind, said: str, status: int = 1) -> FailsameError:
    inputs = Inputs(PINS, {LOCK: b'{\n"integrity": "sha512-7Fl=="\n}'})
    return explain_node(Failure(manager_for(kind, None), inputs, said, status))


CASES: list[tuple[LockKind, str, type[FailsameError], str]] = [
    (
        "package-lock",
        f"npm error code E404\nnpm error 404 Not Found - GET {HOST}/@sdk%2fclient.s3/-/client.s3-2.1.3.tgz - Not found",
        UnmeasuredError,
        "web/lock line 7: the registry has no @sdk/client.s3 2.1.3: lock again, or name your own registry in .npmrc",
    ),
    (
        "package-lock",
        "npm error code E404\nnpm error 404  The requested resource 'lodash.merge@2.1.3' could not be found or you do",
        UnmeasuredError,
        "web/lock line 7: the registry has no lodash.merge 2.1.3: ",
    ),
    (
        "package-lock",
        "npm error code ETARGET\nnpm error notarget No matching version found for ms@2.1.3.\n",
        UnmeasuredError,
        "web/lock line 7: the registry has no ms 2.1.3: ",
    ),
    (
        "package-lock",
        "npm error code EINTEGRITY\nnpm error sha512-7Fl== integrity checksum failed: wanted sha512-7Fl== but got sha",
        UnmeasuredError,
        "web/lock line 2: the registry's file has another hash: lock again",
    ),
    (
        "package-lock",
        'npm error code EBADPLATFORM\nnpm error notsup Unsupported platform for x@1.0.0: wanted {"os":"darwin"}\n',
        UnmeasuredError,
        "web/lock cannot be installed on this machine: notsup Unsupported platform for x@1.0.0: wanted",
    ),
    (
        "package-lock",
        "npm error code EWHATEVER\nnpm error\nnpm error something new\nnpm error A complete log of this run can be",
        UnmeasuredError,
        "web/lock cannot be installed: something new; try `npm ci --ignore-scripts` by hand",
    ),
    (
        "package-lock",
        "npm error nospc ENOSPC: no space left on device",
        UnmeasuredError,
        "no space left for the envir",
    ),
    (
        "pnpm",
        f" ERR_PNPM_FETCH_404  GET {HOST}/ms/-/ms-2.1.3.tgz: Not Found - 404\n",
        UnmeasuredError,
        "web/lock line 7: the registry has no ms 2.1.3: ",
    ),
    (
        "pnpm",
        f"  ╰─▶ ERR_PNPM_X: Failed to fetch metadata\n      from {HOST}/ms: HTTP status client\n      error (404 Not F",
        UnmeasuredError,
        "web/lock line 7: the registry has no ms: ",
    ),
    (
        "pnpm",
        f"  ╰─▶ Failed to verify the integrity of {HOST}/ms/-/ms-\n      2.1.3.tgz: Integrity check failed.",
        UnmeasuredError,
        "web/lock line 7: the registry's ms has another hash than the lock file says: lock again",
    ),
    (
        "pnpm",
        '  ╰─▶ Cannot install with "frozen-lockfile" because pnpm-lock.yaml is not up\n      to date with package',
        UsageError,
        "web/lock does not fit its package.json, or was written by another pnpm: lock again with `pnpm install --lock",
    ),
    (
        "pnpm",
        " ERR_PNPM_UNSUPPORTED_ENGINE  Unsupported environment (bad pnpm and/or Node.js version)\n",
        UnmeasuredError,
        "web/lock cannot be installed: Unsupported environment (bad pnpm and/or Node.js version); try `pnpm install",
    ),
    (
        "yarn",
        'error Couldn\'t find package "ms" on the "npm" registry.\ninfo Visit',
        UnmeasuredError,
        "web/lock line 7: the registry has no ms: ",
    ),
    (
        "yarn",
        f'error Error: {HOST}/ms/-/ms-2.1.3.tgz: Request failed "404 Not Found"\n    at X',
        UnmeasuredError,
        "web/lock line 7: the registry has no ms 2.1.3: ",
    ),
    (
        "yarn",
        'error Incorrect integrity when fetching from the cache for "ms". Cache has',
        UnmeasuredError,
        "web/lock line 7: the registry's ms has another hash",
    ),
    (
        "yarn",
        'error x@1.0.0: The engine "node" is incompatible with this module. Expected version ">=99". Got "20.19.0"\n',
        UnmeasuredError,
        'web/lock cannot be installed on this machine: error x@1.0.0: The engine "node" is incompatible',
    ),
    (
        "yarn-berry",
        "➤ YN0035: │ @sdk/client.s3@npm:2.1.3: Package not found\n➤ YN0035: │   Response Code: 404 (Not Found)",
        UnmeasuredError,
        "web/lock line 7: the registry has no @sdk/client.s3 2.1.3: ",
    ),
    (
        "yarn-berry",
        "➤ YN0018: │ ms@npm:2.1.3: The remote archive doesn't match the expected checksum\n",
        UnmeasuredError,
        "web/lock line 7: the registry's ms has another hash",
    ),
    (
        "yarn-berry",
        "➤ YN0001: │ RequestError: connect ECONNREFUSED 127.0.0.1:9\n",
        UnmeasuredError,
        "yarn cannot reach the registry (ECONNREFUSED): check the network, the proxy variables, or name your own",
    ),
    (
        "yarn-berry",
        "",
        UnmeasuredError,
        "web/lock cannot be installed: it said nothing; try `yarn install --immut",
    ),
    ("yarn-berry", "\x1b[31mx", UnmeasuredError, r"web/lock cannot be installed: \x1b[31mx; try"),
]


@pytest.mark.parametrize(("kind", "said", "error", "line"), CASES)
def test_one_line_each(kind: LockKind, said: str, error: type[FailsameError], line: str) -> None:
    """The package, its line in the lock file, and the remedy; what is not known is passed on."""
    found = explained(kind, said)
    assert isinstance(found, error)
    assert str(found).startswith(line)
    assert str(found).isprintable()


def test_ended_by_a_signal() -> None:
    """A package manager that was killed, as for want of memory, is told so."""
    found = explained("package-lock", "", -signal.SIGKILL)
    assert str(found) == "npm was ended by signal SIGKILL while installing web/lock: give it more memory, run again"


def test_hostile_output_costs_little() -> None:
    """Megabytes of what might begin an address or a name are looked through in seconds."""
    for part in ("https://a/", "@a/", "EINTEGRITY ", "'a@", "a@", "YN0018: ", "notsup\n", "a-1"):
        began = time.process_time()
        assert isinstance(explained("package-lock", part * 200_000), FailsameError)
        assert time.process_time() - began < 10
