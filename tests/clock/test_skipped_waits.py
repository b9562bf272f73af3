"""Waits that are skipped: each lasts exactly as long as it says, and takes no time."""

import pytest
from tests.clock.natives import compiled
from tests.clock.worlds import EXACT, program, run

WAITS = ("sleep", "poll", "select", "epoll", "socket", "lock", "event", "queue", "asyncio")


def test_every_wait_of_python_is_skipped() -> None:
    """Sleeps, polls, socket timeouts, locks, events, queues and event loops last 10 s, and no real time runs."""
    ran = run(program("waits.py", "plain"))
    assert set(ran.said) == set(WAITS)
    assert all(10 <= took < 10 + EXACT for took in ran.said.values())
    assert ran.verdict.real_time == ()
    assert ran.verdict.jumps == len(WAITS)
    assert ran.wall < 10


def test_every_timed_wait_of_libc_is_skipped() -> None:
    """Condition variables, semaphores, futexes and sleeps last 10 s, after V has left the kernel's clock behind."""
    ran = run([str(compiled("waits.c"))])
    assert len(ran.said) == 16
    assert all(10 <= took < 10 + EXACT for took in ran.said.values())
    assert ran.verdict.real_time == ()


def test_all_clocks_agree() -> None:
    """Every clock but those of processor time moves by the 100 s of a sleep and not by the work before it."""
    said = run(program("waits.py", "clocks")).said
    for name in ("time", "monotonic", "perf_counter", "boottime", "raw"):
        assert 100 <= said[name] < 100 + EXACT
    assert said["times"] == pytest.approx(100, abs=0.011)
    assert said["processor"] >= 0.1
    assert abs(said["phase"]) < EXACT, "wall and monotonic clock share the phase of their seconds"


def test_thirty_threads_with_mixed_waits() -> None:
    """150 waits of three kinds in 30 threads: none ends early, none late."""
    said = run(program("waits.py", "threads")).said
    assert said["waits"] == 150
    assert said["earliest"] >= 0
    assert said["latest"] < EXACT


def test_deadlines_close_together_fire_in_order() -> None:
    """Threads that wake 0.1 ms apart and then work finish in the order of their deadlines."""
    assert run(program("waits.py", "order")).said == {"wrong": 0}


def test_work_takes_no_time() -> None:
    """Time stands still while a thread uses 0.3 s of processor time; a wait of 60 s beside it ends in time."""
    said = run(program("waits.py", "busy")).said
    assert said["work"] < EXACT
    assert 60 <= said["event"] < 60 + EXACT


def test_spinning_on_the_clock_ends() -> None:
    """A loop that reads the clock until 0.3 s have passed sees them pass."""
    said = run(program("waits.py", "spin")).said
    assert all(0.3 <= took < 0.3 + EXACT for took in said.values())


def test_spinning_on_a_flag_ends() -> None:
    """A loop that waits for another thread's sleep, and reads no clock, gets real time after two seconds of work."""
    ran = run(program("waits.py", "spin_on_flag"))
    assert ran.said["wait"] >= 0.3
    assert "budget" in [spent.why for spent in ran.verdict.real_time]


def test_many_short_sleeps() -> None:
    """500 sleeps of a millisecond make half a second."""
    assert run(program("waits.py", "many_short")).said["turns"] in (499, 500)


def test_timers_of_an_event_loop() -> None:
    """No callback of asyncio comes early, and all come in order."""
    fired = run(program("waits.py", "event_loop")).said["fired"]
    assert [delay for delay, _ in fired] == [1.0, 1.0005, 1.003, 2.0, 3.0]
    assert all(delay <= at < delay + EXACT for delay, at in fired)


def test_readings_increase_over_threads() -> None:
    """No reading of the clock equals or precedes one that another thread made before it."""
    assert run(program("waits.py", "increasing")).said == {"wrong": 0}


def test_children_are_participants() -> None:
    """Popen with a timeout, a child that sleeps 30 s and a fork that sleeps 45 s share one clock, in no real time."""
    ran = run(program("waits.py", "children"))
    assert ran.said["first"] == "timeout"
    assert 10 <= ran.said["timeout"] < 10 + EXACT
    assert 30 <= ran.said["child"] < 30.1
    assert 75 <= ran.said["fork"] < 75.1
    assert ran.verdict.real_seconds < 0.1


def test_a_child_made_behind_libc_is_a_participant() -> None:
    """A child made by the clone system call itself has no fork handler run for it, and registers when it waits."""
    assert 45 <= run(program("waits.py", "fork_without_libc")).said["wait"] < 45 + EXACT


def test_starting_programs_takes_no_time() -> None:
    """Between vfork, exec and registering nobody speaks for a child; five of them cost no time all the same."""
    ran = run(program("waits.py", "many_children"))
    assert ran.said["took"] < EXACT
    assert ran.verdict.real_seconds < 0.1


def test_a_program_that_takes_the_place_of_another() -> None:
    """A thread that executes a program takes its process's number: its waits are its own, whoever had that before."""
    assert run(program("waits.py", "execs_from_threads", compiled("exec_by_thread.c"))).said == {"wrong": []}


@pytest.mark.parametrize("case", ["libc_mask", "ignored_signals"])
def test_programs_that_shut_signals_out(case: str) -> None:
    """A program that blocks or ignores every signal through libc still has its waits skipped."""
    assert 30 <= run(program("waits.py", case)).said["wait"] < 30 + EXACT


def test_a_signal_of_the_program_still_interrupts() -> None:
    """A signal that a program sends itself after a second ends its sleep of thirty."""
    assert 1 <= run(program("waits.py", "own_signal_ends_a_sleep")).said["wait"] < 1 + EXACT
