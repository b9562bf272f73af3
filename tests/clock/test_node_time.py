"""Node in skipped time: libuv's poll, V8's condition variables, its thread pool and its garbage collector's threads."""

import shutil

import pytest
from tests.clock.worlds import PROGRAMS, run

pytestmark = pytest.mark.skipif(shutil.which("node") is None, reason="no Node here")

MILLISECOND = 0.002
"""Node's timers count whole milliseconds, and may be one late."""


def test_a_worker_beside_the_main_thread() -> None:
    """Atomics.wait of 30 s and a timer of 20 s in a worker, ticks of a second in the main thread, on one clock."""
    ran = run(["node", str(PROGRAMS / "worker.mjs")])
    assert 30 - MILLISECOND <= ran.said["atomics"] < 30 + MILLISECOND
    assert 20 - MILLISECOND <= ran.said["timeout"] < 20 + MILLISECOND
    assert ran.said["ticks"] in (49, 50)
    assert 50 - MILLISECOND <= ran.said["total"] < 50 + 5 * MILLISECOND
    assert ran.said["wall"] == pytest.approx(ran.said["total"], abs=MILLISECOND)


def test_timers_in_order() -> None:
    """Timers fire in order and on time though each works; 200 ticks of 1 ms and a spin of 200 ms last what they say."""
    ran = run(["node", str(PROGRAMS / "timers.mjs")])
    fired = ran.said["fired"]
    delays = [(delay, at) for delay, at in fired if not isinstance(delay, str)]
    assert [delay for delay, _ in delays] == [0.01, 0.011, 0.012, 0.03, 1]
    assert all(delay - MILLISECOND <= at < delay + 5 * MILLISECOND for delay, at in delays)
    assert dict(fired)["spin"] in (200, 201)
    assert 3 - MILLISECOND <= ran.said["total"] < 3 + MILLISECOND
