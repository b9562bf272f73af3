"""Waits that cannot be skipped: their world runs like real time while they last, and says why."""

import asyncio
import shutil

import pytest
from tests.clock.natives import compiled
from tests.clock.worlds import EXACT, UNSKIPPED, Ran, program, run, run_in, world_of

WAIT = 0.4


def assert_lasted(took: float) -> None:
    """Not early, and not much late. The kernel's timer may start a moment before the clock is read."""
    assert WAIT - EXACT <= took < WAIT + UNSKIPPED


def assert_because(ran: Ran, why: str) -> None:
    """Real time ran for that reason, for about the length of the wait."""
    spent: dict[str, float] = {reason.why: reason.seconds for reason in ran.verdict.real_time}
    assert spent.get(why, 0.0) > WAIT / 2, ran.verdict


@pytest.mark.parametrize(
    ("case", "why"),
    [
        ("sigtimedwait", "wait"),
        ("static_child", "stranger"),
        ("stripped_child", "stranger"),
        ("rcvtimeo", "timer"),
        ("timerfd_relative", "timer"),
        ("timerfd_absolute", "timer"),
        ("timerfd_wall", "timer"),
        ("timerfd_raw", "timer"),
    ],
)
def test_a_kernel_wait_beside_a_skipped_one(case: str, why: str) -> None:
    """The kernel's wait lasts its 0.4 s of real time, then the 60 s beside it are skipped."""
    ran = run(program("waits.py", case, compiled("static_sleep.c", "-static")))
    assert_lasted(ran.said["wait"])
    # It began while real time ran, and so did what else this machine does.
    assert 60 <= ran.said["event"] < 60 + 5 * EXACT
    assert_because(ran, why)
    assert ran.wall < 30
    assert 100 <= ran.said.get("afterwards", 100) < 100 + EXACT, "a timer that has fired slows nothing down"


def test_a_child_of_another_libc() -> None:
    """A program of musl's loads the shim and is none the worse for it: it runs, in real time."""
    if shutil.which("musl-gcc") is None:
        pytest.skip("no musl here")
    ran = run(program("waits.py", "musl_child", compiled("static_sleep.c", compiler="musl-gcc")))
    assert_lasted(ran.said["wait"])
    assert_because(ran, "stranger")


@pytest.mark.parametrize("case", ["sigtimedwait_while_busy", "rcvtimeo_while_busy"])
def test_a_kernel_wait_beside_work(case: str) -> None:
    """Time must not stand still for a working thread while another waits in a way that cannot be skipped."""
    assert_lasted(run(program("waits.py", case)).said["wait"])


def test_a_posix_timer() -> None:
    """One set to a moment of the skipped clock, which the kernel's has not reached, means the right length."""
    ran = run(program("waits.py", "posix_timer"))
    assert_lasted(ran.said["wait"])
    assert_because(ran, "timer")


@pytest.mark.parametrize(("case", "why"), [("interval_timer", "timer"), ("udp", "descriptor")])
def test_real_time_ends_with_its_reason(case: str, why: str) -> None:
    """An alarm, or a UDP socket, makes 0.4 s real; once it is gone, 100 s are skipped."""
    ran = run(program("waits.py", case))
    assert_lasted(ran.said["wait"])
    assert_because(ran, why)
    assert 100 <= ran.said["afterwards"] < 100 + EXACT


def test_io_uring() -> None:
    """Through libc a program gets no ring; the kernel works unseen for one that has set it up by itself."""
    ran = run(program("waits.py", "io_uring"))
    if "missing" in ran.said:
        pytest.skip(f"no io_uring here: {ran.said['missing']}")
    assert ran.said["refused"] == -1
    assert_lasted(ran.said["wait"])
    assert_because(ran, "descriptor")


def test_locks_with_a_deadline() -> None:
    """glibc waits on after a signal; their deadlines, moments of the skipped clock, still mean the right length."""
    ran = run([str(compiled("waits.c")), "unskipped"])
    assert len(ran.said) == 5
    for took in ran.said.values():
        assert_lasted(took)
    assert_because(ran, "timer")


def test_another_program_in_the_place_of_a_waiting_one() -> None:
    """A thread replaces its process, which published a wait, by a static program: that wait is nobody's any more."""
    ran = run(program("waits.py", "exec_from_thread", compiled("static_sleep.c", "-static")))
    assert ran.said["status"] == 0, "it was not killed by a signal meant for its predecessor"
    assert_lasted(ran.said["wait"] - 5)


@pytest.mark.parametrize("case", ["raw_mask", "raw_mask_later"])
def test_a_thread_that_blocks_our_signal_is_run_again(case: str) -> None:
    """Signals blocked by a raw system call, before the first wait or between two: the trial does not stand."""

    async def once() -> Ran:
        async with world_of() as world:
            return await run_in(world, program("waits.py", case))

    assert asyncio.run(once()).verdict.again == "a thread took no note when time was skipped"
