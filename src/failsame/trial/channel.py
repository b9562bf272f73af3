"""What failsame and a probe say to each other: one JSON object a line over a UNIX stream socket.

A probe, in whatever language, is started with the number of one end in FAILSAME_CHANNEL. Times are seconds of
CLOCK_MONOTONIC as the probe's process reads it: the trial's clock. The words are the same for all languages. Where a
subject cannot be forked, a process is begun for each trial, of Node by a starter; then that process's channel carries
the words of a probe from Prepare on:

    failsame                                   starter
    Start (with one end of a fresh       ->    starts the program, which speaks over that end
      socket pair as SCM_RIGHTS)
    Kill                                 ->    kills the program, and its descendants
                                         <-    Exited

    failsame                                   probe
    Prepare                              ->    imports the subject and the modules of `preload`
                                         <-    Prepared, or Failed
    Trial (fork: with one end of a fresh ->    forks; the child speaks over that end from here on
      socket pair as SCM_RIGHTS)               makes the client
                                         <-    Ready, or Failed
    Go                                   ->    waits until `at`, writes the call counter
                                         <-    CallStarted, Connect*, CallEnded (for each call)
                                               watches for `watch` seconds, closes the client
                                         <-    Done
                                         <-    Exited (fork: from the parent, over the first socket)
                                         <-    Unforkable (fork: in the place of anything, then Exited)
    Kill (fork: to the parent, over the  ->    kills the trial's child, and its descendants
      first socket; at the horizon)

Notes and connects may come at any time from Trial on, before Ready and after the last call too. The probe's process
ends as the subject ended it, or with 97 if the subject closed the channel. When failsame closes its end, or sends
SIGTERM, the process kills the subject and every descendant of it, daemons included, before it ends. SIGKILL ends it
and what it forked, but leaves the subject's daemons to the system.
"""

from collections.abc import Mapping
from typing import Annotated, Literal

from pydantic import Field, TypeAdapter

from failsame.model import Model

CHANNEL_LOST = 97
"""The exit status of a probe that lost its channel."""


class Prepare(Model):
    """Import the subject. `file` is absolute; `paths` go to the front of the import path, in order."""

    do: Literal["prepare"] = "prepare"
    file: str
    paths: tuple[str, ...]
    preload: tuple[str, ...] = ()
    warm: tuple[str, ...] = ()
    """Fork: make a client of a plain subject once, for endpoints of these names at an address where nothing listens,
    and throw it away, so that what clients read from files is in memory. Nothing is called."""


class Trial(Model):
    """Make a client and run its calls.

    `jitter` is the value every draw that sizes a wait is held at: 0 or 0.999.
    """

    do: Literal["trial"] = "trial"
    trial: int
    endpoints: Mapping[str, str]
    """Name -> URL; the first is the subject's `endpoint`."""
    hosts: Mapping[str, tuple[str, int, int]] = Field(default_factory=dict)
    """Host name -> its endpoint, and the loopback ports that stand for its ports 80 and 443."""
    jitter: float
    calls: int
    counter: str
    watch: float
    """Seconds to watch for late attempts after the last call."""
    attempt_limit: int = 200
    """Connects that a call may make; the next one is told by `Limit` and never returns."""
    modules: bool = False
    """Whether `Done` lists the modules that are loaded (asked of `healthy`)."""
    wall_phase: bool = False
    """Whether calls start 0.25 s after a whole second of the wall clock, not of the monotonic clock."""


class Start(Model):
    """Starter: run a program with exactly these variables, in that folder, whose channel is the descriptor sent."""

    do: Literal["start"] = "start"
    trial: int
    program: tuple[str, ...]
    """Its path, then its arguments."""
    variables: Mapping[str, str]
    folder: str


class Go(Model):
    """Start the first call at this time, or at the next 0.25 s after a whole second if that has passed."""

    do: Literal["go"] = "go"
    at: float


class Kill(Model):
    """Fork, starter: kill a trial's child, then its descendants, then report `Exited`. Nothing if it is gone."""

    do: Literal["kill"] = "kill"
    trial: int


class Prepared(Model):
    """The subject is imported. `fork` says whether trials may be forked from here; if not, `why`."""

    said: Literal["prepared"] = "prepared"
    fork: bool
    why: str | None = None
    runtime: str
    """`python 3.13`"""


class Failed(Model):
    """The subject cannot be used: it raised on import, lacks `call`, `client` raised, …: `what`, in one line."""

    said: Literal["failed"] = "failed"
    what: str
    trace: str = ""
    """The end of the traceback, for the log."""


class Ready(Model):
    """The client is made; calls may begin."""

    said: Literal["ready"] = "ready"
    at: float


class CallStarted(Model):
    """Call `call` (from 1) begins now. `aligned` says whether it began 0.25 s after a whole second."""

    said: Literal["call"] = "call"
    call: int
    at: float
    aligned: bool


class CallEnded(Model):
    """Call `call` returned (`outcome` "ok") or raised.

    `outcome` is the error's top-level package and class name, `where` its whole module path, `code` its code as the
    SDK gives it, `text` its message, for people only.
    """

    said: Literal["end"] = "end"
    call: int
    at: float
    outcome: str
    where: str = ""
    code: str | None = None
    text: str = ""


class Connect(Model):
    """A connect or a name look-up: to the trial's own ports (`endpoint` is its name), or to somewhere else."""

    said: Literal["connect"] = "connect"
    at: float
    to: str
    endpoint: str | None


class Limit(Model):
    """A call wanted another connect after its last allowed one; it waits until it is killed."""

    said: Literal["limit"] = "limit"
    call: int


class Note(Model):
    """Something worth a line, never red: a warning logged, a draw that could not stay pinned."""

    said: Literal["note"] = "note"
    text: str


class Done(Model):
    """All calls are over, the watch too, and the client is closed."""

    said: Literal["done"] = "done"
    closed_at: float
    modules: Mapping[str, str | None] = Field(default_factory=dict)
    """Module name -> file, if asked for."""
    settings: Mapping[str, str | float | int | bool | None] = Field(default_factory=dict)


class Unforkable(Model):
    """A forked trial needs a process of its own after all, and why. Its process ends, and what it said is void."""

    said: Literal["unforkable"] = "unforkable"
    why: str


class Exited(Model):
    """A forked or started trial's process is gone: its wait status as `os.waitstatus_to_exitcode` gives it."""

    said: Literal["exited"] = "exited"
    trial: int
    status: int


Message = Prepared | Failed | Ready | CallStarted | CallEnded | Connect | Limit | Note | Done | Unforkable | Exited
"""What failsame is told."""

SAID: TypeAdapter[Message] = TypeAdapter(Annotated[Message, Field(discriminator="said")])
