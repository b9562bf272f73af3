"""A client with retries, forked once a trial from a warm parent: a line of JSON in, a line of JSON out.

In: path, timeout, attempts, and `kept`: whether a first good call leaves a connection that the attempts start on.
"""

import http.client
import json
import os
import sys
import time

PORT = int(sys.argv[1])


def attempt(connection: http.client.HTTPConnection, path: str) -> str:
    try:
        connection.request("GET", f"/{path}")
        answer = connection.getresponse()
        answer.read()
    except (OSError, http.client.HTTPException) as error:
        connection.close()
        return type(error).__name__
    return str(answer.status)


def trial(path: str, timeout: float, attempts: int = 1, *, kept: bool = False) -> dict[str, object]:
    connection = http.client.HTTPConnection("127.0.0.1", PORT, timeout=timeout)
    if kept:
        attempt(connection, "ok")
    start, made = time.monotonic(), []
    for number in range(attempts):
        made.append(attempt(connection, path))
        if made[-1].isdigit():
            break
        connection = http.client.HTTPConnection("127.0.0.1", PORT, timeout=timeout)
        if number + 1 < attempts:
            time.sleep(0.05 * 2**number)
    return {"took": time.monotonic() - start, "made": made}


print("{}", flush=True)
for line in sys.stdin:
    if (pid := os.fork()) == 0:
        print(json.dumps(trial(**json.loads(line))), flush=True)
        os._exit(0)
    os.waitpid(pid, 0)
