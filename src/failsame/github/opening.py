"""How a run begins: its settings read, its tokens put away, its streams made one; and how it ends."""

import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from failsame.github import guard
from failsame.github.api import Client, Repository
from failsame.github.event import Payload, read
from failsame.github.job import Job
from failsame.github.runner import Runner, one_stream
from failsame.github.settings import settings


@contextmanager
def opened(write: Callable[[str], None]) -> Iterator[Job]:
    """Begin a run of the action; `write` prints a line on standard output.

    The environment holds no token from here on, nor can other processes read one. Raises UsageError where this is no
    job of a workflow.
    """
    one_stream()
    told = settings(os.environ)
    guard.shut()
    runner = Runner(write, told.outputs, told.summary)
    payload = read(Payload, told.payload(), "the event")
    with Client(told) as client:
        yield Job(told, payload, Repository(client, told.repository), runner)
