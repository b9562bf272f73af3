"""Runs in the image as root, process 1: starts the spy as each of several users, and prints what each reached."""

import json
import socket
import subprocess
from pathlib import Path

from failsame.confine import Command, Reach, confined, confinement, plain, run_as


def main() -> None:
    spy = Path(__file__).with_name("spy.py")
    here = confinement()
    assert here is not None
    own, other = (socket.create_server(("127.0.0.1", 0)) for _ in range(2))
    ports = [server.getsockname()[1] for server in (own, other)]
    program = ("/usr/local/bin/python3", "-I", str(spy), *map(str, ports))
    reach = Reach(checkout=Path("/github/workspace"), read=(spy.parent,), ports=range(ports[0], ports[0] + 1))
    within = confined(here.probes, reach, program)
    ways: dict[str, Command] = {
        "root": plain(program),
        "root, Landlock": plain(within.program),
        "user": run_as(here.probes, program),
        "confined": within,
    }
    told = {name: subprocess.check_output(way.program, **way.options) for name, way in ways.items()}
    print(json.dumps({"landlock": here.landlock, "reached": {name: json.loads(each) for name, each in told.items()}}))


main()
