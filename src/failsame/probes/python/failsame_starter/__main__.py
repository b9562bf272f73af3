"""Start a program, or one for each trial, and answer for what is left: `PYTHON .../failsame_starter [PROGRAM]`.

For probes in other languages than Python, whose own does so itself. It ends with its channel, whose descriptor's number
is in FAILSAME_CHANNEL. It runs in failsame's own Python, and imports nothing of the subject.
"""

from __future__ import annotations

import os
import signal
import sys
from collections.abc import Mapping
from typing import NoReturn

_CHANNEL = 3
"""The descriptor of a program's channel. Node marks its lowest inherited descriptors to be closed on exec
(uv_disable_stdio_inheritance), so that what the subject starts has no part in it."""

_NOT_STARTED = 127
"""The status of a program that could not be run, as a shell gives it."""


def _become(program: list[str], variables: Mapping[str, str], channel: int) -> NoReturn:
    """Be this program from now on, with its channel."""
    os.dup2(channel, _CHANNEL)
    os.set_inheritable(_CHANNEL, True)  # where it was that number already, dup2 left it as it was
    # Python ignores these, and what is ignored stays so.
    for number in (signal.SIGPIPE, signal.SIGXFSZ):
        signal.signal(number, signal.SIG_DFL)
    try:
        # To start it is all this is for.
        os.execve(program[0], program, {**variables, "FAILSAME_CHANNEL": str(_CHANNEL)})  # noqa: S606
    except OSError as error:
        sys.stderr.write(f"{program[0]} cannot be run: {error.strerror}\n")
        sys.stderr.flush()
    os._exit(_NOT_STARTED)


if __name__ == "__main__":
    sys.path.insert(0, os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
    from failsame_probe.channel import Channel
    from failsame_probe.forks import ForkServer
    from failsame_probe.keeper import fork_worker

    _own = int(os.environ.pop("FAILSAME_CHANNEL"))
    os.set_inheritable(_own, False)
    fork_worker(_own)
    if len(sys.argv) > 1:
        _become(sys.argv[1:], os.environ, _own)
    _command, _channel = ForkServer(Channel(_own)).serve()
    os.chdir(_command["folder"])
    _become(_command["program"], _command["variables"], _channel.descriptor)
