"""The experiment that shows what skipped time rests on: its arbiter looking. Without looks it is wrong, and says so.

A program works, so time stands still. The arbiter is stopped; then the program waits 0.2 s in a way that no shim sees
(sigtimedwait). Nobody looks, so nobody notices that this wait is real: it comes out short by up to one lease. The same
is done with an arbiter that runs, and with a wait that the shim does see.

    python bench/refute_clock.py
"""

import asyncio
import json
import os
import signal
import sys
import tempfile
from pathlib import Path

from failsame.clock.verdict import Verdict
from failsame.clock.world import SkippingWorld

LEASES = (0.3, 0.05, 0.02)
WAIT = 0.2

PROGRAM = """
import hashlib, json, os, signal, sys, threading, time

arbiter, wait, seen = int(sys.argv[1]), float(sys.argv[2]), sys.argv[3] == "seen"
def works():
    data, start = b"x" * 3_000_000, time.thread_time()
    while time.thread_time() - start < 0.4:
        hashlib.sha256(data).digest()

threading.Thread(target=works).start()
start = time.thread_time()
while time.thread_time() - start < 0.05:
    pass
if arbiter:
    os.kill(arbiter, signal.SIGSTOP)
start = time.monotonic()
time.sleep(wait) if seen else signal.sigtimedwait([signal.SIGUSR1], wait)
took = time.monotonic() - start
if arbiter:
    os.kill(arbiter, signal.SIGCONT)
print(json.dumps(took), flush=True)
os._exit(0)
"""


async def measure(world: SkippingWorld, lease: float, *, stopped: bool, seen: bool) -> tuple[float, Verdict]:
    """How long the wait was by the world's clock, and whether the arbiter stands by it."""
    world.new_trial({}, lease=lease)
    world.release()
    arbiter = str(world.arbiter if stopped else 0)
    process = await asyncio.create_subprocess_exec(
        *(sys.executable, "-c", PROGRAM, arbiter, str(WAIT), "seen" if seen else "unseen"),
        env={**os.environ, **world.environment()},
        stdout=asyncio.subprocess.PIPE,
    )
    world.expect(process.pid)
    said, _ = await process.communicate()
    os.kill(world.arbiter, signal.SIGCONT)
    world.hold()
    return json.loads(said), await world.verdict()


async def main() -> None:
    """Print a table: one line a lease and experiment."""
    print(f"{'lease, s':>8}  {'arbiter':8} {'the wait is':12} {'0.2 s became':>12}  verdict")
    with tempfile.TemporaryDirectory() as directory:
        world = await SkippingWorld.open(Path(directory))
        for lease in LEASES:
            for stopped, seen in ((True, False), (False, False), (True, True), (False, True)):
                took, verdict = await measure(world, lease, stopped=stopped, seen=seen)
                arbiter, wait = "stopped" if stopped else "looks", "published" if seen else "unseen"
                print(f"{lease:8g}  {arbiter:8} {wait:12} {took:12.3f}  {verdict.again or 'stands'}", flush=True)
        await world.close()


asyncio.run(main())
