"""Works for a moment, says that it now waits half a second, waits, and says how long that was, by two clocks.

Its work keeps time standing still. The second clock is /proc/uptime, which nobody skips. `silent` leaves the first
line out.
"""

import hashlib
import json
import sys
import time
from pathlib import Path


def uptime() -> float:
    return float(Path("/proc/uptime").read_text().split()[0])


start = time.thread_time()
while time.thread_time() - start < 0.02:
    hashlib.sha256(b"x" * 2000).digest()
if "silent" not in sys.argv:
    print("{}", flush=True)
began, real = time.monotonic(), uptime()
time.sleep(0.5)
print(json.dumps({"wait": round(time.monotonic() - began, 6), "uptime": round(uptime() - real, 2)}), flush=True)
