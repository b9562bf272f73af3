"""What a probe does, from its start to its end."""

from __future__ import annotations

import importlib
import inspect
import os
import socket
import sys
from collections.abc import Sequence
from typing import NoReturn

from failsame_probe import jitter
from failsame_probe.channel import Channel
from failsame_probe.forks import ForkServer, opened, why_not
from failsame_probe.keeper import fork_worker
from failsame_probe.network import Network
from failsame_probe.notes import Notes
from failsame_probe.subject import Subject, UnusableError, load
from failsame_probe.trial import Trial, failed

_NOWHERE = "http://127.0.0.1:9"
"""The discard port of RFC 863. Nobody has to be there: connects are refused by the probe itself."""


def main() -> NoReturn:
    """Run a probe over the channel that FAILSAME_CHANNEL names; never returns.

    The exit status is 0 after all has been said, `channel.LOST` if nobody could hear it, or the subject's own doing.
    """
    descriptor = int(os.environ.pop("FAILSAME_CHANNEL"))
    os.set_inheritable(descriptor, False)
    fork_worker(descriptor)
    channel = Channel(descriptor)
    try:
        _serve(channel)
    except UnusableError as error:
        channel.send("failed", what=str(error), trace=error.trace)
    except BaseException as error:
        channel.send("failed", **failed(error))
    os._exit(0)


def _serve(channel: Channel) -> None:
    notes, network, hold = Notes(), Network(), jitter.install()
    hold.note = notes.add
    network.install()
    notes.install()
    prepare = channel.receive()
    if prepare is None:
        return
    before = opened()
    subject = load(prepare["file"], prepare["paths"])
    preload(prepare["preload"])
    why = why_not(subject, before)
    if prepare["warm"] and why is None:
        warm(subject, prepare["warm"])
        why = why_not(subject, before)
    channel.send("prepared", fork=why is None, why=why, runtime=_runtime())
    if why is None:
        asked, channel = ForkServer(channel).serve()
    else:
        fresh = channel.receive()
        if fresh is None:
            return
        asked = fresh
    notes.tell(lambda text: channel.send("note", text=text))
    network.begin(channel.send, asked["endpoints"], asked["hosts"], asked["attempt_limit"])
    hold.begin(asked["jitter"])
    Trial(subject, channel, network, notes, asked).run()


def preload(modules: Sequence[str]) -> None:
    """Import what calls import late, so that no trial's clock runs meanwhile; what cannot be imported is left."""
    socket.getaddrinfo("127.0.0.1", 0)  # its first use loads the resolver, which takes milliseconds
    for name in modules:
        if name in sys.modules:
            continue
        try:
            importlib.import_module(name)
        except BaseException:
            continue  # it was there for the subject under its own circumstances; the call will show


def warm(subject: Subject, endpoints: Sequence[str]) -> None:
    """Make a client and throw it away: botocore reads 60 ms worth of JSON for its first one.

    Only of a plain function; what a generator or a coroutine begins would have to be ended like a trial.
    """
    if subject.looped or inspect.isgeneratorfunction(subject.client):
        return
    try:
        subject.make_client(dict.fromkeys(endpoints, _NOWHERE))
    except BaseException:
        return  # not every client can be made without its service; then it is made cold in each trial


def _runtime() -> str:
    name = "python" if sys.implementation.name == "cpython" else sys.implementation.name
    return "{} {}.{}".format(name, *sys.version_info)
