"""Trials as the trial room runs them: one fault server, one warm parent that forks a child a trial."""

import asyncio
import os
import signal
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass
from typing import Any

import pytest
from tests.clock.worlds import EXACT, UNSKIPPED, end, line_of, program, start, tell, when_expired, world_of

from failsame.clock.interface import PortFault
from failsame.clock.verdict import Verdict
from failsame.clock.world import SHORT_LEASE, SkippingWorld

HORIZON = 3600.0


@dataclass
class Room:
    """A world with its fault server and its warm client."""

    world: SkippingWorld
    server: asyncio.subprocess.Process
    client: asyncio.subprocess.Process
    port: int

    async def begin(self, fault: PortFault = PortFault.NONE, *, lease: float = 0.3, **asked: object) -> None:
        """Tell the client what to do and give it the clock."""
        self.world.new_trial({self.port: fault}, lease=lease)
        now = await self.world.now()
        tell(self.client, asked)
        self.world.release(now + HORIZON)

    async def trial(self, fault: PortFault = PortFault.NONE, **asked: Any) -> tuple[dict[str, Any], Verdict]:
        """One trial, again until its verdict stands."""
        while True:
            await self.begin(fault, **asked)
            said = await line_of(self.client)
            self.world.hold()
            verdict = await self.world.verdict()
            if verdict.again is None:
                return said, verdict


@asynccontextmanager
async def room(*server_arguments: str) -> AsyncIterator[Room]:
    async with world_of() as world:
        world.release()
        server = await start(world, program("server.py", *server_arguments))
        port = int(await line_of(server))
        client = await start(world, program("client.py", port))
        await line_of(client)
        world.hold()
        try:
            yield Room(world, server, client, port)
        finally:
            await end(client)
            await end(server)


def in_room(test: Callable[[Room], Awaitable[None]], *server_arguments: str) -> None:
    async def main() -> None:
        async with room(*server_arguments) as opened:
            await test(opened)

    asyncio.run(main())


def test_three_minutes_of_silence_repeat_to_the_microsecond() -> None:
    """Three attempts of 60 s and their waits: 180.15 s, the same in every trial, in a fraction of a second each."""

    async def test(opened: Room) -> None:
        times = []
        for _ in range(20):
            said, verdict = await opened.trial(path="silent", timeout=60, attempts=3)
            assert said["made"] == ["TimeoutError"] * 3
            assert verdict.real_time == ()
            times.append(said["took"])
        assert min(times) >= 180.15
        assert max(times) < 180.15 + EXACT
        times.sort()
        assert times[-2] - times[1] < EXACT / 10, "all but the slowest and the fastest"

    in_room(test)


def test_answers_at_the_edge_of_a_timeout() -> None:
    """Against a timeout of 5 s, an answer after 4,998 ms is in time, one after 5,002 ms is not; every time."""

    async def test(opened: Room) -> None:
        for _ in range(50):
            said, _verdict = await opened.trial(path="at-4998", timeout=5)
            assert said["made"] == ["200"]
            assert 4.998 <= said["took"] < 4.998 + EXACT
            said, _verdict = await opened.trial(path="at-5002", timeout=5)
            assert said["made"] == ["TimeoutError"]
            assert 5 <= said["took"] < 5 + EXACT

    in_room(test)


def test_a_drip_is_no_silence() -> None:
    """A byte a second for a minute, against a timeout of 5 s between bytes: the body ends after 60 s."""

    async def test(opened: Room) -> None:
        said, _verdict = await opened.trial(path="drip", timeout=5)
        assert said["made"] == ["IncompleteRead"]
        assert 60 <= said["took"] < 60 + EXACT

    in_room(test)


def test_the_horizon() -> None:
    """A client that never gives up is stopped at exactly the horizon, and the clock stands still there."""

    async def test(opened: Room) -> None:
        before = await opened.world.now()
        await opened.begin(path="silent", timeout=None, attempts=1)
        expired = await when_expired(opened.world)
        assert expired.why == "until"
        assert HORIZON <= expired.at - before < HORIZON + EXACT
        assert await opened.world.now() == await opened.world.now()

    in_room(test)


def test_a_horizon_can_be_moved_on() -> None:
    """After the horizon the clock can be given back, and goes on to the client's own deadline."""

    async def test(opened: Room) -> None:
        await opened.begin(path="silent", timeout=HORIZON + 100)
        expired = await when_expired(opened.world)
        opened.world.release(expired.at + HORIZON)
        said = await line_of(opened.client)
        assert said["made"] == ["TimeoutError"]
        assert HORIZON + 100 <= said["took"] < HORIZON + 100 + EXACT

    in_room(test)


def test_a_declared_black_hole_is_skipped() -> None:
    """No SYN is answered, by declaration: two connect timeouts of 60 s take no real time."""

    async def test(opened: Room) -> None:
        said, verdict = await opened.trial(PortFault.BLACK_HOLE, path="ok", timeout=60, attempts=2)
        assert said["made"] == ["TimeoutError"] * 2
        assert 120.05 <= said["took"] < 120.05 + EXACT
        assert verdict.real_time == ()

    in_room(test, "black-hole")


def test_an_undeclared_black_hole_runs_in_real_time() -> None:
    """A SYN without an answer might still get one: its timeout of half a second is waited for."""

    async def test(opened: Room) -> None:
        said, verdict = await opened.trial(path="ok", timeout=0.5)
        assert said["made"] == ["TimeoutError"]
        assert 0.5 <= said["took"] < 0.5 + UNSKIPPED
        assert [spent.why for spent in verdict.real_time] == ["network"]

    in_room(test, "black-hole")


def test_the_kernel_gives_up_a_connection_attempt() -> None:
    """After 127 s the kernel would end an unanswered attempt; a client with a timeout of 200 s is stopped there."""

    async def test(opened: Room) -> None:
        before = await opened.world.now()
        await opened.begin(PortFault.BLACK_HOLE, path="ok", timeout=200)
        expired = await when_expired(opened.world)
        assert expired.why == "kernel"
        assert 127 <= expired.at - before < 127 + UNSKIPPED

    in_room(test, "black-hole")


def test_a_declared_half_open_connection_is_skipped() -> None:
    """The kept connection is dead without a sign, the next one good. No real time, though the kernel repeats bytes."""

    async def test(opened: Room) -> None:
        said, verdict = await opened.trial(
            PortFault.HALF_OPEN, path="ok", timeout=60, attempts=2, kept=True, lease=SHORT_LEASE
        )
        assert said["made"] == ["TimeoutError", "200"]
        assert 60.05 <= said["took"] < 60.05 + EXACT
        assert verdict.real_time == ()

    in_room(test, "half-open")


def test_an_undeclared_half_open_connection_runs_in_real_time() -> None:
    """Undeclared, the bytes on a dead connection count as under way."""

    async def test(opened: Room) -> None:
        said, verdict = await opened.trial(path="ok", timeout=0.5, kept=True)
        assert said["made"] == ["TimeoutError"]
        assert 0.5 <= said["took"] < 0.5 + UNSKIPPED
        assert "network" in [spent.why for spent in verdict.real_time]

    in_room(test, "half-open")


def test_the_kernel_gives_up_a_dead_connection() -> None:
    """From 900 s on the kernel might end a connection that acknowledges nothing: nothing later is measured."""

    async def test(opened: Room) -> None:
        before = await opened.world.now()
        await opened.begin(PortFault.HALF_OPEN, path="ok", timeout=2000, kept=True)
        expired = await when_expired(opened.world)
        assert expired.why == "kernel"
        assert 900 <= expired.at - before < 900 + UNSKIPPED

    in_room(test, "half-open")


def test_a_stopped_server_runs_in_real_time() -> None:
    """A server that is stopped is not asleep: it may be continued any time, so half a second is waited for."""

    async def test(opened: Room) -> None:
        os.kill(opened.server.pid, signal.SIGSTOP)
        said, verdict = await opened.trial(path="ok", timeout=0.5)
        os.kill(opened.server.pid, signal.SIGCONT)
        assert said["made"] == ["TimeoutError"]
        assert 0.5 <= said["took"] < 0.5 + UNSKIPPED
        assert [spent.why for spent in verdict.real_time] == ["stopped"]

    in_room(test)


def test_real_time_in_one_trial_does_not_slow_the_next() -> None:
    """After a trial that had to run in real time, the next one skips, and its verdict knows nothing of it."""

    async def test(opened: Room) -> None:
        os.kill(opened.server.pid, signal.SIGSTOP)
        _said, first = await opened.trial(path="ok", timeout=0.5)
        os.kill(opened.server.pid, signal.SIGCONT)
        said, second = await opened.trial(path="silent", timeout=60)
        assert first.real_seconds > 0.3
        assert second.real_time == ()
        assert 60 <= said["took"] < 60 + EXACT

    in_room(test)


def test_held_time_stands_still() -> None:
    """While the harness holds the clock, a sleep does not end, however long it takes; afterwards it is exact."""

    async def test(opened: Room) -> None:
        opened.world.new_trial({opened.port: PortFault.NONE}, lease=SHORT_LEASE)
        tell(opened.client, {"path": "silent", "timeout": 2})
        held = asyncio.ensure_future(line_of(opened.client))
        before = await opened.world.now()
        done, _ = await asyncio.wait([held], timeout=6 * SHORT_LEASE)
        assert not done
        assert await opened.world.now() - before < EXACT
        opened.world.release()
        assert 2 <= (await held)["took"] < 2 + EXACT

    in_room(test)


@pytest.mark.parametrize("lease", [0.02, 0.3])
def test_leases_are_per_trial(lease: float) -> None:
    """A trial's verdict carries the lease it asked for."""

    async def test(opened: Room) -> None:
        await opened.begin(path="ok", timeout=5, lease=lease)
        await line_of(opened.client)
        assert (await opened.world.verdict()).lease == lease

    in_room(test)
