"""The self-test trusts a machine on which skipping works, and says in words what is missing on another."""

import asyncio
from pathlib import Path

import pytest
from tests.clock.natives import arbiter_by
from tests.clock.worlds import NOBODY, needs_root

from failsame.clock.native import Native, find
from failsame.clock.selftest import self_test


def test_this_machine_can_skip() -> None:
    """All checks pass, each says what it saw, and the test is over in well under the time that it skipped."""
    outcome = asyncio.run(self_test())
    assert outcome.can_skip, outcome.why_not
    assert outcome.why_not == ""
    names = {check.name for check in outcome.checks}
    assert {"sleep", "poll", "socket timeout", "semaphore", "condition variable", "lost bytes", "answer"} <= names
    assert outcome.seconds < 10


def test_a_shim_that_does_not_get_in(tmp_path: Path) -> None:
    """A library that the loader cannot load leaves the program with another clock: known at once."""
    shim = tmp_path / "libfailsame_clock.so"
    shim.write_bytes(b"no library")
    outcome = asyncio.run(self_test(Native(shim, find().arbiter, find().harness)))
    assert not outcome.can_skip
    assert "another clock" in outcome.why_not


@needs_root
def test_an_arbiter_that_sees_nothing() -> None:
    """One that may not look at the participants leaves them in real time, which the waits show."""
    with arbiter_by(f"setpriv --reuid {NOBODY} --regid {NOBODY} --clear-groups --inh-caps=-all") as blind:
        outcome = asyncio.run(self_test(blind))
    assert not outcome.can_skip
    assert outcome.why_not


def test_without_native_parts(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """An installation without a compiler fails one check, with the remedy."""
    monkeypatch.setattr("failsame.clock.world.find", lambda: find(tmp_path))
    outcome = asyncio.run(self_test())
    assert [check.passed for check in outcome.checks] == [False]
    assert "python -m failsame.clock" in outcome.why_not
