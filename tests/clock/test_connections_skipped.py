"""Connections: what the kernel still carries is never jumped over."""

from typing import Any

import pytest
from tests.clock.worlds import EXACT, UNSKIPPED, Ran, free_port, program, run

from failsame.clock.interface import PortFault


def run_peers(case: str, *arguments: object) -> Ran:
    port = free_port()
    return run(program("peers.py", case, port, *arguments), ports={port: PortFault.NONE})


def test_thousands_of_round_trips() -> None:
    """5,000 round trips with a timeout of 5 s, some answered after 4.99 s: none times out, none is early."""
    said: dict[str, Any] = run_peers("ping_pong", 5_000).said
    assert said["early"] == 0
    assert said["late"] < EXACT


def test_delayed_acknowledgements() -> None:
    """Bytes that wait for an acknowledgement, which the kernel delays, are not jumped over."""
    assert run_peers("delayed_acknowledgement").said == {"timeouts": 0}


def test_a_lost_syn_is_sent_again_in_real_time() -> None:
    """A SYN that a full backlog dropped is repeated by the kernel after a second: the client connects at 1 s."""
    said = run_peers("dropped_syn", 3).said
    assert said["result"] == "connected"
    assert 1 - EXACT <= said["took"] < 1 + 2 * UNSKIPPED


def test_a_lost_syn_meets_a_short_timeout() -> None:
    """The same with a timeout of half a second, which comes first."""
    said = run_peers("dropped_syn", 0.5).said
    assert said["result"] == "timeout"
    assert 0.5 - EXACT <= said["took"] < 0.5 + UNSKIPPED


def test_lost_bytes_are_sent_again_in_real_time() -> None:
    """Bytes that were thrown away undeclared come again by the kernel's own timer: no jump to the timeout."""
    said = run_peers("undeclared_loss").said
    assert said["answer"] == "hello"
    assert 0.3 <= said["took"] < 2


@pytest.mark.parametrize("timeout", [60])
def test_a_receiver_that_does_not_read(timeout: int) -> None:
    """A sender waits for room: nothing moves, so its timeout is skipped to after a third of a second."""
    ran = run_peers("full_receiver")
    assert ran.said["result"] == "timeout"
    assert timeout <= ran.said["took"] < timeout + EXACT
    assert ran.wall < 20
