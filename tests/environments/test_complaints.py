"""What uv says, in one line; the sentences are uv's own, where a test would need a broken machine to hear them."""

import pytest

from failsame.environments.complaints import explain
from failsame.errors import UnmeasuredError, UsageError
from failsame.pins import Pin, Pins

PINS = Pins(
    lock="requirements.txt",
    kind="requirements",
    pins={"some-sdk": (Pin(package="some-sdk", version="1.0", lock="base.txt", line=7),)},
)


@pytest.mark.parametrize(
    ("output", "said"),
    [
        (
            "error: Failed to install: idna-3.10.whl\n  cause: No space left on device (os error 28)\n",
            "no space left for the environment: free some, or set FAILSAME_CACHE and UV_CACHE_DIR elsewhere",
        ),
        (
            "error: Failed to fetch: https://user:secret@index.example/six/\n  cause: dns error\n  cause: not known\n",
            "index.example cannot be reached (not known): check the network, the proxy variables, or name your own",
        ),
        (
            "error: Failed to download `Some_SDK==1.0`\n  cause: HTTP status client error (404 Not Found) for url\n",
            "base.txt line 7: the file of Some_SDK 1.0 is gone from the index: lock again",
        ),
        (
            "error: Failed to download and build `some-sdk==1.0`\n  cause: gcc is \x1b[31mmissing\n",
            "base.txt line 7: some-sdk cannot be built: gcc is \\x1b[31mmissing; pin a release with a wheel",
        ),
        ("error: a new sentence\n", "requirements.txt cannot be installed: a new sentence; try `uv pip sync` by hand"),
        ("", "requirements.txt cannot be installed: uv said nothing"),
    ],
)
def test_one_line(output: str, said: str) -> None:
    """The line of the lock file, what is wrong, a remedy; and neither a password nor a control character."""
    error = explain(output, 1, PINS)
    assert isinstance(error, UnmeasuredError)
    assert said in str(error)
    assert str(error).isprintable()
    assert "secret" not in str(error)


def test_killed() -> None:
    """A uv that was killed is no word about the packages."""
    assert str(explain("", -9, PINS)).startswith("uv was ended by signal SIGKILL while installing requirements.txt")


def test_a_part_that_does_not_exist() -> None:
    """A group that the project does not have is a matter of the configuration."""
    error = explain("error: Group `nope` is not defined in the project's `dependency-groups` table", 2, PINS)
    assert isinstance(error, UsageError)
    assert "mend `groups:`" in str(error)
