"""What a scenario is made of: answers, phases of calls, and what the connection does."""

import re
from collections.abc import Mapping
from typing import Annotated, Literal

from pydantic import AfterValidator, Field

from failsame.model import Model

Seconds = Annotated[float, Field(ge=0)]

# The paces of slow answers. A gap stays below a tenth of any usual timeout, so that it meets none by chance.
SLOW_HEAD_BYTES, SLOW_HEAD_GAP = 70, 0.1
DRIP_BYTES, DRIP_GAP = 140, 0.45
# Between half a body and its RST, so that clients have read what came before: a busy one would find both at once.
RESET_GAP = 0.02


_NAME = re.compile(r"[!#$%&'*+.^_`|~0-9A-Za-z-]+")
_VALUE = re.compile(r"([!-~]([\t -~]*[!-~])?)?")


def _sendable(headers: Mapping[str, str]) -> Mapping[str, str]:
    """Refuse what HTTP/1.1 cannot send as a header (RFC 9110, 5.1 and 5.5; ASCII only)."""
    for name, value in headers.items():
        if not _NAME.fullmatch(name):
            raise ValueError(f"{name!r} is no name of a header: use letters, digits and hyphens")
        if not _VALUE.fullmatch(value):
            raise ValueError(f"the header {name} cannot have the value {value!r}: use one line of ASCII")
    return headers


Headers = Annotated[Mapping[str, str], AfterValidator(_sendable)]


class GoodAnswer(Model):
    """What a good answer is where the configuration says so (`good:`, dialect http)."""

    status: Annotated[int, Field(ge=200, le=599)] = 200
    headers: Headers = Field(default_factory=dict)
    body: str = ""


class Good(Model):
    """The dialect's good answer, at once or after `delay` seconds from the end of the request.

    `head` is how its head is sent: whole, or with its last 70 bytes one every 0.1 s (7 s).
    `body` is how its body is sent: whole; half of it and then FIN, RST (after 0.02 s) or silence; with its last 140
    bytes one every 0.45 s (63 s); or half of it and then a space every 0.45 s, for ever. The paces stand above.
    `checksum` says whether the one it declares is the body's.
    """

    does: Literal["good"] = "good"
    delay: Seconds = 0
    head: Literal["whole", "slow"] = "whole"
    body: Literal["whole", "truncated", "reset", "stalled", "drip", "endless"] = "whole"
    checksum: Literal["right", "wrong"] = "right"


class Failure(Model):
    """An answer that says no: a status with the dialect's error body, or with a body of its own.

    `error` picks the dialect's error: the one for the status, its throttling error (which brings a status of its
    own), or an error inside a 200. `date_in` adds Retry-After with the date of now, rounded up to a
    second, plus so many seconds.
    """

    does: Literal["failure"] = "failure"
    status: Annotated[int, Field(ge=200, le=599)] = 500
    headers: Headers = Field(default_factory=dict)
    body: str | None = None
    error: Literal["status", "throttled", "in-200"] = "status"
    date_in: Annotated[int, Field(ge=0)] | None = None
    delay: Seconds = 0


class Silent(Model):
    """The request is read, and nothing ever comes back."""

    does: Literal["silent"] = "silent"


class Reset(Model):
    """The request is read whole, then the connection is reset (RST)."""

    does: Literal["reset"] = "reset"


class Close(Model):
    """The request is read whole, then the connection is closed (FIN)."""

    does: Literal["close"] = "close"


class Garbage(Model):
    """The request is read whole, then come bytes that are not HTTP, then FIN."""

    does: Literal["garbage"] = "garbage"


class ClockSkew(Model):
    """The server's clock is `ahead` seconds ahead: 403 RequestTimeTooSkewed until the request's date fits."""

    does: Literal["clock-skew"] = "clock-skew"
    ahead: int = 3600


Answer = Annotated[Good | Failure | Silent | Reset | Close | Garbage | ClockSkew, Field(discriminator="does")]


class Phase(Model):
    """`calls` calls in a row; in each, attempt n gets answer n, and the last answer is for ever."""

    calls: Annotated[int, Field(ge=1, le=1000)] = 1
    answers: Annotated[tuple[Answer, ...], Field(min_length=1)]


class Fault(Model):
    """What one endpoint does: to connects, to the requests of a call, to a connection that is used again."""

    connect: Literal["accepted", "refused", "black-hole", "tls-stall"] = "accepted"
    phases: Annotated[tuple[Phase, ...], Field(min_length=1)] = (Phase(answers=(Good(),)),)
    reuse: Literal["kept", "close", "reset", "half-open"] = "kept"
    """What becomes of a connection after its first answer: its second request is answered with FIN or RST, or the
    connection is dead without a sign. New connections are good."""

    @property
    def calls(self) -> int:
        """How many calls the subject makes."""
        return sum(phase.calls for phase in self.phases)

    @property
    def below_http(self) -> bool:
        """Whether no request ever reaches the server, so that attempts are the probe's connects."""
        return self.connect != "accepted"


WELL = Fault()
"""No fault at all."""


class Scenario(Fault):
    """A fault, fixed and named. Of several endpoints the first has it."""

    name: Annotated[str, Field(pattern=r"^[a-z0-9][a-z0-9-]*$")]
    group: str
    when: str
    """Completes "when the service …", in the words of a report: "accepts and never answers"."""
    shows: str
    """What the scenario shows, for `explain` and the documentation."""
    others: Fault = WELL
    """What the endpoints after the first do, where there are any."""
    needs: Literal["nothing", "aws", "checksum", "error-in-200", "own-throttling", "several-endpoints"] = "nothing"
    """What the subject, or the dialect of its first endpoint, must have for the scenario to fit."""
    lasts: Seconds = 0
    """Seconds the server's own script takes; in real time a scenario longer than the horizon is left out."""
    watched_at_most: Seconds | None = None
    """Seconds a call is watched at most: beyond that the kernel decides, not the client, or nothing new comes."""
    skipped_time_only: bool = False
    """Left out in real time unless it is named: many calls, one after the other."""
    date_matters: bool = False
    """The fault rests on the wall clock's second, so calls start on its phase."""
