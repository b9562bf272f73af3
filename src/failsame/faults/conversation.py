"""One connection's requests, and their answers as the plan has them."""

import asyncio
import socket
import ssl
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

import h11

from failsame.faults import half_open
from failsame.faults.keys import request_key
from failsame.faults.plan import Decision, Plan
from failsame.faults.protocol import KEPT_HEADERS
from failsame.faults.record import ConnectionRecord, Recorder, RequestRecord
from failsame.faults.script import Script, script
from failsame.faults.wire import Wire
from failsame.suite.dialects import Dialect, Request

_HEAD_MOST = 131_072
_BODY_KEPT = 1_048_576
_AHEAD_MOST = 1_048_576
_HEADER_KEPT = 200
_ASKED_KEPT = 200


@dataclass(frozen=True)
class Counterpart:
    """What all connections of an endpoint share."""

    endpoint: str
    dialect: Dialect
    plan: Plan
    recorder: Recorder
    limit: Callable[[int], None]
    """Told the number of a call that made its last allowed attempt."""
    left: Callable[["Conversation"], None]
    """Told of a conversation whose client is gone."""


@dataclass
class _Exchange:
    """A request under way."""

    record: RequestRecord
    decision: Decision
    head: h11.Request
    body: bytearray = field(default_factory=bytearray)

    def request(self) -> Request:
        """The request as dialects see it."""
        return Request(
            method=self.head.method.decode("ascii"),
            target=self.head.target.decode("ascii"),
            headers=_headers(self.head),
            body=bytes(self.body),
        )


def _headers(head: h11.Request) -> dict[str, str]:
    return {name.decode("ascii"): value.decode("latin-1") for name, value in head.headers}


class Conversation:
    """Reads requests off a wire and plays their answers; `deaf` never reads and never answers.

    Requests are parsed as their bytes arrive, so that a head counts as an attempt even if the client leaves in the
    same moment; answers are played by a task, which ends when the client leaves.
    """

    def __init__(self, counterpart: Counterpart, record: ConnectionRecord, *, deaf: bool) -> None:
        self.record = record
        self._with = counterpart
        self._deaf = deaf
        self._http = h11.Connection(h11.SERVER, max_incomplete_event_size=_HEAD_MOST)
        self._wire: Wire | None = None
        self._exchange: _Exchange | None = None
        self._earlier = 0
        self._at = 0.0
        self._ahead = 0
        self._task: asyncio.Task[None] | None = None
        self._over = False

    async def open(self, sock: socket.socket, context: ssl.SSLContext | None) -> None:
        """Begin on a socket that was accepted."""
        if self._over:
            sock.close()
            return
        wire = self._wire = Wire(sock, context, self)
        await asyncio.get_running_loop().connect_accepted_socket(lambda: wire, sock)

    def received(self, data: bytes, at: float) -> None:
        """Take bytes from the wire."""
        if self._deaf:
            self.record.used_dead = self.record.dead is not None
            return
        self._at = at
        self._http.receive_data(data)
        if self._task is None:
            self._advance()
        else:
            self._ahead += len(data)
            self._hold(held=self._ahead > _AHEAD_MOST)

    def gone(self) -> None:
        """Learn from the wire that the client is gone."""
        self._with.recorder.ended(self.record)
        self._with.left(self)
        if self._task is not None:
            self._task.cancel()

    def abandon(self) -> None:
        """End it, because the trial is over: by an RST, which leaves nothing behind in the kernel."""
        self._over = True
        if self._task is not None:
            self._task.cancel()
        if self._wire is not None:
            self._wire.reset()

    def see_used(self, queues: Mapping[tuple[int, int], int]) -> None:
        """If the connection is dead, see in the kernel's queues whether the client used it again."""
        if self.record.dead is not None and self._wire is not None:
            half_open.see_used(self._wire, self.record, queues)

    def _advance(self) -> None:
        """Go through what was received, up to the end of a request: it is answered before the next one is read."""
        try:
            try:
                self._read()
            except h11.RemoteProtocolError:
                self._not_http()
        except Exception as error:  # noqa: BLE001 - whatever it is, it makes the trial no measurement
            self._failed(error)

    def _read(self) -> None:
        while True:
            event = self._http.next_event()
            match event:
                case h11.Request():
                    self._begin(event)
                case h11.Data():
                    self._take(event.data)
                case h11.EndOfMessage():
                    self._answer()
                    return
                case _:
                    break
        if self._http.they_are_waiting_for_100_continue and self._wire is not None:
            proceed = self._http.send(h11.InformationalResponse(status_code=100, headers=[], reason="Continue"))
            self._wire.put(proceed or b"")

    def _begin(self, head: h11.Request) -> None:
        if head.method == b"CONNECT" or head.http_version not in {b"1.1", b"1.0"}:
            raise h11.RemoteProtocolError("neither a proxy nor HTTP/2")
        method, target = head.method.decode("ascii"), head.target.decode("ascii")
        key = request_key(method, target)
        decision = self._with.plan.decide(key, self._earlier)
        self._earlier += decision.faulted
        kept = {name: value[:_HEADER_KEPT] for name, value in _headers(head).items() if name in KEPT_HEADERS}
        record = self._recorded(key, decision.call, faulted=decision.faulted, answer="none, it was cut off", kept=kept)
        record.asked = f"{method} {target}"[:_ASKED_KEPT]
        self._exchange = _Exchange(record, decision, head)

    def _take(self, data: bytes) -> None:
        assert self._exchange is not None
        room = _BODY_KEPT - len(self._exchange.body)
        self._exchange.body += data[: max(room, 0)]

    def _not_http(self) -> None:
        """A TLS hello, HTTP/2, a malformed or endless head: closed, as a server would."""
        self._deaf = True
        if self._exchange is None:
            call = self._with.plan.call()
            self._with.recorder.notice(self._recorded("not HTTP", call, faulted=False, answer="closed", kept={}))
        if self._wire is not None:
            self._wire.finish()

    def _recorded(self, key: str, call: int, *, faulted: bool, answer: str, kept: dict[str, str]) -> RequestRecord:
        record = RequestRecord(
            endpoint=self._with.endpoint,
            connection=self.record.number,
            call=call,
            key=key,
            at=self._at,
            faulted=faulted,
            answer=answer,
            headers=kept,
        )
        self._with.recorder.request(record)
        return record

    def _answer(self) -> None:
        exchange, wire = self._exchange, self._wire
        assert exchange is not None
        assert wire is not None
        request = exchange.request()
        answer = script(exchange.decision.answer, self._with.dialect, request, self._http, time.time())
        exchange.record.answer = answer.label
        exchange.record.good = answer.good
        self._with.recorder.notice(exchange.record)
        self._task = asyncio.create_task(self._play(answer, exchange, wire, self._at))
        self._task.add_done_callback(self._played)

    async def _play(self, answer: Script, exchange: _Exchange, wire: Wire, start: float) -> None:
        record = exchange.record
        for piece in answer.pieces:
            await _until(start + piece.at)
            record.answer_began = record.answer_began or time.monotonic()
            await wire.send(piece.data)
        record.complete = answer.complete
        await _until(start + answer.then_at)
        self._close(answer, wire)
        if answer.then != "silence":
            record.end = time.monotonic()
        if exchange.decision.dies and answer.then == "kept":
            self._deaf = True
            await half_open.die(wire, self.record)

    def _close(self, answer: Script, wire: Wire) -> None:
        self._deaf = answer.then != "kept"
        match answer.then:
            case "fin":
                wire.finish()
            case "rst":
                wire.reset()
            case "silence" | "kept":
                pass

    def _played(self, task: "asyncio.Task[None]") -> None:
        exchange, self._task, self._exchange = self._exchange, None, None
        if exchange is not None and exchange.decision.last:
            self._with.limit(exchange.decision.call)
        if task.cancelled():
            return
        error = task.exception()
        if error is not None:
            self._failed(error)
        elif not self._deaf:
            self._http.start_next_cycle()
            self._ahead = 0
            self._hold(held=False)
            self._advance()

    def _hold(self, *, held: bool) -> None:
        if self._wire is not None:
            self._wire.hold(held=held)

    def _failed(self, error: BaseException) -> None:
        self._deaf = True
        self._with.recorder.failed(f"{type(error).__name__}: {error}")
        self.abandon()


async def _until(at: float) -> None:
    wait = at - time.monotonic()
    if wait > 0:
        await asyncio.sleep(wait)
