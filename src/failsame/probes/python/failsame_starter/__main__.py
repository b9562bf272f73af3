"""Start a program for each trial: `PYTHON .../failsame_starter`, for languages whose probes cannot fork.

It is to them what the Python probe's parent is to its children: it answers for what they leave behind, and ends with
its channel, whose descriptor's number is in FAILSAME_CHANNEL. It runs in failsame's own Python, and imports nothing
of the subject.
"""

from __future__ import annotations

import os
import signal
import sys
from typing import Any, NoReturn

_CHANNEL = 3
"""The descriptor of a program's channel. Node marks its lowest inherited descriptors to be closed on exec
(uv_disable_stdio_inheritance), so that what the subject starts has no part in it."""

_NOT_STARTED = 127
"""The status of a program that could not be run, as a shell gives it."""


def _become(command: dict[str, Any], channel: int) -> NoReturn:
    """Be the program of a command `Start` from now on, with its channel."""
    os.dup2(channel, _CHANNEL)
    os.set_inheritable(_CHANNEL, True)  # where it was that number already, dup2 left it as it was
    # Python ignores these, and what is ignored stays so.
    for number in (signal.SIGPIPE, signal.SIGXFSZ):
        signal.signal(number, signal.SIG_DFL)
    try:
        os.chdir(command["folder"])
        variables = {**command["variables"], "FAILSAME_CHANNEL": str(_CHANNEL)}
        os.execve(command["program"][0], command["program"], variables)  # noqa: S606 -- to start it is all this is for
    except OSError as error:
        sys.stderr.write(f"{command['program'][0]} cannot be run: {error.strerror}\n")
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
    _command, _channel = ForkServer(Channel(_own)).serve()
    _become(_command, _channel.descriptor)
