"""One trial: a client is made, its calls are run and told, it is watched, closed, and that is all."""

from __future__ import annotations

import asyncio
import inspect
import os
import sys
import time
from collections.abc import Awaitable
from types import ModuleType
from typing import Any

from failsame_probe.channel import Channel, identity
from failsame_probe.network import Network
from failsame_probe.notes import Notes
from failsame_probe.outcome import OK, SUBJECT, code_of, described, is_a, module_of, outcome_of, text_of
from failsame_probe.phase import Starts
from failsame_probe.running import Driver, Looped, Plain
from failsame_probe.settings import settings_of
from failsame_probe.subject import Subject, UnusableError, trace_of

_now = time.monotonic  # the real one, whatever the subject puts in its place


class Trial:
    """A subject's trial, as the command `Trial` describes it."""

    def __init__(
        self, subject: Subject, channel: Channel, network: Network, notes: Notes, asked: dict[str, Any]
    ) -> None:
        self._subject = subject
        self._channel = channel
        self._network = network
        self._notes = notes
        self._asked = asked
        self._driver: Driver = Looped() if subject.looped else Plain()
        self._starts = Starts(wall=asked["wall_phase"])
        self._counter = os.open(asked["counter"], os.O_WRONLY | os.O_CLOEXEC)
        self._counter_identity = identity(self._counter)
        self._owner = os.getpid()
        self._settings: dict[str, Any] = {}
        self._running = 0

    def run(self) -> None:
        """Run it to its end, and say so; a subject that cannot be used is `Failed`."""
        try:
            self._driver.run(self._whole())
        except UnusableError as error:
            self._channel.send("failed", what=str(error), trace=error.trace)
            return
        except BaseException as error:
            # A task in the background ended the loop, as it would have ended the program.
            if not self._running:
                self._notes.add(f"the event loop was ended by {described(error)}")
            else:
                self._ended(_now(), error)
        self._done()

    async def _whole(self) -> None:
        client, maker = await self._made()
        self._settings = settings_of(client)
        self._channel.send("ready", at=_now())
        await self._driver.readable(self._channel.descriptor)
        go = self._channel.receive()
        if go is None:
            os._exit(0)
        await self._driver.sleep(self._starts.wait_for(go["at"]))
        for number in range(1, self._asked["calls"] + 1):
            if number > 1:
                await self._driver.sleep(self._starts.wait())
            await self._call(number, client)
        await self._driver.sleep(self._asked["watch"])
        await self._close(maker)

    async def _made(self) -> tuple[Any, Any]:
        """The client, and the generator that yielded it, if one did."""
        name = os.path.basename(self._subject.file)
        try:
            made = self._subject.make_client(self._asked["endpoints"])
            if inspect.iscoroutine(made):
                return await self._awaited(made, "client"), None
            if inspect.isasyncgen(made):
                return await made.__anext__(), made
            if inspect.isgenerator(made):
                return next(made), made
        except (StopIteration, StopAsyncIteration):
            raise UnusableError(f"{name}: `client` yielded nothing: yield the client once") from None
        except UnusableError:
            raise
        except BaseException as error:
            what = f"{name}: `client` raised {described(error)}"
            raise UnusableError(f"{what}: mend it, or set what it needs with `env:`", error) from error
        return made, None

    async def _call(self, number: int, client: Any) -> None:
        self._network.call(number)
        self._count(number)
        aligned = self._starts.met()
        self._running = number
        started = _now()
        self._channel.send("call", call=number, at=started, aligned=aligned)
        try:
            result = self._subject.call(client)
            if inspect.iscoroutine(result) or asyncio.isfuture(result):
                result = await self._awaited(result, "call")
        except UnusableError:
            raise
        except BaseException as error:
            self._ended(_now(), error)
            if is_a(error, asyncio.CancelledError):
                _stay()
        else:
            self._ended(_now(), None)

    async def _awaited(self, coming: Awaitable[Any], which: str) -> Any:
        """What an awaitable comes to; there is no loop for one of a function that is not async."""
        if isinstance(self._driver, Looped):
            return await coming
        if inspect.iscoroutine(coming):
            coming.close()
        name = os.path.basename(self._subject.file)
        raise UnusableError(f"{name}: `{which}` returned a coroutine: write it as `async def {which}`")

    def _count(self, number: int) -> None:
        """Tell the server which call is being made: no message, so no race."""
        if identity(self._counter) != self._counter_identity:
            # The subject closed it; what it has opened since under that number is not ours to write to.
            self._counter = os.open(self._asked["counter"], os.O_WRONLY | os.O_CLOEXEC)
        os.pwrite(self._counter, number.to_bytes(4, "little"), 0)

    def _ended(self, at: float, error: BaseException | None) -> None:
        if os.getpid() != self._owner:
            os._exit(0)  # a copy that the subject forked and let return: the trial goes on elsewhere, or nowhere
        number, self._running = self._running, 0
        if error is None:
            self._channel.send("end", call=number, at=at, outcome=OK)
            return
        self._channel.send(
            "end",
            call=number,
            at=at,
            outcome=outcome_of(error, self._subject.file),
            where=module_of(error),
            code=code_of(error),
            text=text_of(error),
        )

    async def _close(self, maker: Any) -> None:
        """Finish the subject's generator. A client that `client` returned is left as it is: nobody else closes it."""
        try:
            if inspect.isasyncgen(maker):
                await maker.__anext__()
            elif inspect.isgenerator(maker):
                next(maker)
            else:
                return
        except (StopIteration, StopAsyncIteration):
            return
        except BaseException as error:
            self._notes.add(f"closing the client raised {described(error)}")
        else:
            self._notes.add("`client` yields more than once: what follows the second yield never runs")

    def _done(self) -> None:
        if os.getpid() != self._owner:
            os._exit(0)
        modules = loaded_modules() if self._asked["modules"] else {}
        self._channel.send("done", closed_at=_now(), modules=modules, settings=self._settings)


def failed(error: BaseException) -> dict[str, str]:
    """What `Failed` says of an error that is failsame's own."""
    return {"what": f"failsame's probe failed ({described(error)}): please report it", "trace": trace_of(error)}


def loaded_modules() -> dict[str, str | None]:
    """Every module loaded and the file it came from, in the order of loading; ours and the subject's left out."""
    modules: dict[str, str | None] = {}
    for name, module in list(sys.modules.items()):
        own = name in (SUBJECT, "__main__") or name.partition(".")[0] == "failsame_probe"
        if own or not isinstance(name, str) or not isinstance(module, ModuleType):
            continue
        # Not getattr: some packages load what is missing when it is asked for.
        file = object.__getattribute__(module, "__dict__").get("__file__")
        modules[name] = file if isinstance(file, str) else None
    return modules


def _stay() -> None:
    """Take back a cancellation of the trial's own task: it was the call that was cancelled."""
    task = asyncio.current_task()
    uncancel = getattr(task, "uncancel", None)  # Python 3.11
    if uncancel is not None:
        uncancel()
