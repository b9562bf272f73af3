"""From an answer to the bytes that are sent, when, and what then becomes of the connection. Pure."""

import math
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from email.utils import formatdate
from http import HTTPStatus
from itertools import count, groupby
from typing import Literal

import h11

from failsame.suite import Answer, ClockSkew, Close, Failure, Garbage, Good, Reset, Silent
from failsame.suite.dialects import Dialect, Reply, Request
from failsame.suite.model import DRIP_BYTES, DRIP_GAP, RESET_GAP, SLOW_HEAD_BYTES, SLOW_HEAD_GAP

Then = Literal["kept", "fin", "rst", "silence"]

# Not a status line in any version of HTTP, and with line ends, so that no client waits for one.
_GARBAGE = b"\x16\x03failsame\x00\xff\xfe: these bytes are not HTTP\r\n\r\n\x00\x01\x02\x03\r\n"

# AWS accepts a date that is off by up to 15 minutes.
_SKEW_ALLOWED = 900.0

# Framing is the server's business: a configured length that is not the body's would break every answer.
_FRAMING = {"content-length", "transfer-encoding"}
_BODILESS = {HTTPStatus.NO_CONTENT, HTTPStatus.NOT_MODIFIED}
_PHRASES = {status.value: status.phrase for status in HTTPStatus}


@dataclass(frozen=True)
class Piece:
    """Bytes to send in one go, so many seconds after the end of the request."""

    at: float
    data: bytes


@dataclass(frozen=True)
class Script:
    """What is sent, in order, and what comes `then`, so many seconds after the end of the request at the earliest.

    Of an answer without end the pieces are made as they are asked for. `complete`: it is a whole well-formed answer.
    `good`: it is the dialect's good one, whatever becomes of it.
    """

    label: str
    pieces: Iterable[Piece] = ()
    then: Then = "silence"
    then_at: float = 0.0
    complete: bool = False
    good: bool = False


# The answers that are no HTTP at all.
_BARE: dict[type, Script] = {
    Silent: Script("silent"),
    Reset: Script("reset", then="rst"),
    Close: Script("closed", then="fin"),
    Garbage: Script("not HTTP", (Piece(0, _GARBAGE),), then="fin"),
}


@dataclass(frozen=True)
class _Framed:
    head: bytes
    body: bytes
    then: Then


def script(answer: Answer, dialect: Dialect, request: Request, http: h11.Connection, wall: float) -> Script:
    """Script the answer to a request that `http` has read whole; `wall` is now, in seconds since 1970.

    `http` takes the answer as sent.
    """
    match answer:
        case Good():
            reply = dialect.good(request)
            if answer.checksum == "wrong" and dialect.spoiled is not None:
                reply = dialect.spoiled(reply)
            if answer.body == "endless" and reply.body and not _bodiless(reply, request):
                return _endless(answer, reply, http, wall)
            return _good(answer, _framed(reply, request, http, wall), reply.status)
        case Failure():
            reply = _failure(answer, dialect, request, wall)
            label = f"{reply.status}{' with an error' if answer.error == 'in-200' else ''}{_after(answer.delay)}"
            framed = _framed(reply, request, http, wall)
            return Script(label, (Piece(answer.delay, framed.head + framed.body),), framed.then, complete=True)
        case ClockSkew():
            return _skewed(answer, dialect, request, http, wall)
        case _:
            return _BARE[type(answer)]


def _good(answer: Good, framed: _Framed, status: int) -> Script:
    body = answer.body if framed.body else "whole"
    start = answer.delay
    pieces = [Piece(start, framed.head)]
    if answer.head == "slow":
        pieces = list(_trickled(framed.head, SLOW_HEAD_BYTES, SLOW_HEAD_GAP, start))
        start = pieces[-1].at
    match body:
        case "whole":
            pieces.append(Piece(start, framed.body))
        case "drip":
            pieces.extend(_trickled(framed.body, DRIP_BYTES, DRIP_GAP, start))
        case _:
            pieces.append(Piece(start, framed.body[: len(framed.body) // 2]))
    ends: dict[str, tuple[str, Then]] = {
        "whole": ("", framed.then),
        "drip": (f", its body over {DRIP_BYTES * DRIP_GAP:g} s", framed.then),
        "truncated": (", half a body, then FIN", "fin"),
        "reset": (", half a body, then RST", "rst"),
        "stalled": (", half a body, then silence", "silence"),
    }
    ending, then = ends[body]
    slow = f", its head over {SLOW_HEAD_BYTES * SLOW_HEAD_GAP:g} s" if answer.head == "slow" else ""
    wrong = " with a wrong checksum" if answer.checksum == "wrong" else ""
    label = f"{status}{wrong}{_after(answer.delay)}{slow}{ending}"
    # Who reads the half body only once the RST is there, too, may take that for an end (libuv does): it comes later.
    then_at = start + RESET_GAP if then == "rst" else 0.0
    return Script(label, _merged(pieces), then, then_at, complete=body in {"whole", "drip"}, good=True)


def _endless(answer: Good, reply: Reply, http: h11.Connection, wall: float) -> Script:
    """Half of the body, then a space now and then: in the middle of JSON, of XML and of an event it may stand.

    No length is declared, so that none is reached: h11 frames it in chunks, or up to the connection's end.
    """
    head = http.send(_response(reply, wall)) or b""
    half = http.send(h11.Data(data=reply.body[: len(reply.body) // 2])) or b""
    space = http.send(h11.Data(data=b" ")) or b""
    start = Piece(answer.delay, head + half)
    pieces = (start if number == 0 else Piece(answer.delay + number * DRIP_GAP, space) for number in count())
    return Script(f"{reply.status}{_after(answer.delay)}, its body without end", pieces, good=True)


def _after(delay: float) -> str:
    return f" after {delay:g} s" if delay else ""


def _trickled(data: bytes, last: int, gap: float, start: float) -> Iterator[Piece]:
    """All but the last bytes at once, then one every `gap` seconds."""
    whole = max(len(data) - last, 0)
    yield Piece(start, data[:whole])
    for number, offset in enumerate(range(whole, len(data)), start=1):
        yield Piece(start + number * gap, data[offset : offset + 1])


def _merged(pieces: Sequence[Piece]) -> tuple[Piece, ...]:
    """What goes out at one time goes out in one write, so in one segment where it fits."""
    groups = ((at, b"".join(piece.data for piece in group)) for at, group in groupby(pieces, lambda piece: piece.at))
    return tuple(Piece(at, data) for at, data in groups if data)


def _failure(answer: Failure, dialect: Dialect, request: Request, wall: float) -> Reply:
    match answer.error:
        case "throttled" if dialect.throttled is not None:
            reply = dialect.throttled(request)
        case "in-200" if dialect.error_in_200 is not None:
            reply = dialect.error_in_200(request)
        case _:
            reply = dialect.error(request, answer.status)
    if answer.body is not None:
        reply = Reply(reply.status, {"Content-Type": "text/plain"}, answer.body.encode(errors="replace"))
    given = {name.lower() for name in answer.headers}
    headers = {name: value for name, value in reply.headers.items() if name.lower() not in given}
    headers.update(answer.headers)
    if answer.date_in is not None:
        headers["Retry-After"] = formatdate(math.ceil(wall) + answer.date_in, usegmt=True)
    return replace(reply, headers=headers)


def _skewed(answer: ClockSkew, dialect: Dialect, request: Request, http: h11.Connection, wall: float) -> Script:
    """Answer by a clock that is `ahead`, in the Date header too, from which clients correct their own."""
    now = wall + answer.ahead
    said = request.headers.get("x-amz-date") or request.query.get("X-Amz-Date", "")
    skewed = None if _fits(said, now) else dialect.skewed
    reply = (skewed or dialect.good)(request)
    framed = _framed(reply, request, http, now)
    pieces = (Piece(0, framed.head + framed.body),)
    return Script(str(reply.status), pieces, framed.then, complete=True, good=skewed is None)


def _fits(said: str, now: float) -> bool:
    try:
        date = datetime.strptime(said, "%Y%m%dT%H%M%SZ").replace(tzinfo=UTC)
    except ValueError:
        return False
    return abs(date.timestamp() - now) <= _SKEW_ALLOWED


def _framed(reply: Reply, request: Request, http: h11.Connection, wall: float) -> _Framed:
    """Frame a reply by h11, which knows when the connection has to be closed after it."""
    length = [] if reply.status in _BODILESS else [("Content-Length", str(len(reply.body)))]
    head = http.send(_response(reply, wall, length)) or b""
    body = b"" if _bodiless(reply, request) else http.send(h11.Data(data=reply.body)) or b""
    http.send(h11.EndOfMessage())
    return _Framed(head, body, "kept" if http.our_state is h11.DONE else "fin")


def _response(reply: Reply, wall: float, framing: Iterable[tuple[str, str]] = ()) -> h11.Response:
    headers = [("Date", formatdate(wall, usegmt=True)), ("Server", "failsame")]
    headers += [(name, value) for name, value in reply.headers.items() if name.lower() not in _FRAMING]
    headers += framing
    return h11.Response(status_code=reply.status, headers=headers, reason=_PHRASES.get(reply.status, ""))


def _bodiless(reply: Reply, request: Request) -> bool:
    return request.method == "HEAD" or reply.status in _BODILESS
