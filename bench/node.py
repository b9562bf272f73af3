"""What a trial of a subject for Node costs: `python bench/node.py [NODE]`.

Installs the AWS SDK's S3 client and runs its built-in subject in one world of skipped time. Prints the processor time
of its processes, which is what counts where every core is busy: from a bare start of Node over the import to a whole
trial, with and without kept compiled code (Node 22.1 and newer).
"""

import argparse
import asyncio
import os
import resource
import subprocess
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from shutil import copy, which

from failsame.clock import SkippedTime
from failsame.faults.handle import FaultServer
from failsame.probes import BUILTINS
from failsame.suite import SCENARIOS
from failsame.trial import Place, Places, Target, session, well

TIMES = 10


def _used() -> float:
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def _show(what: str, processor: float, wall: float) -> None:
    print(f"{what:36} {processor * 1000:6.0f} ms of processor, {wall * 1000:6.0f} ms of wall time", flush=True)


def _program(what: str, run: Callable[[], object]) -> None:
    run()
    before, began = _used(), time.monotonic()
    for _ in range(TIMES):
        run()
    _show(what, (_used() - before) / TIMES, (time.monotonic() - began) / TIMES)


def programs(node: str, project: Path) -> None:
    """A bare Node, and one that imports the subject."""
    subject = f'import("{project}/aws-sdk-s3.mjs")'
    cached = {**os.environ, "NODE_COMPILE_CACHE": str(project / "compiled")}
    _program("node", lambda: subprocess.run([node, "-e", ""], check=True))
    _program("node, import", lambda: subprocess.run([node, "-e", subject], check=True, stderr=subprocess.DEVNULL))
    _program(
        "node, import, compiled code kept",
        lambda: subprocess.run([node, "-e", subject], check=True, env=cached, stderr=subprocess.DEVNULL),
    )


async def trials(node: str, project: Path, scratch: Path) -> None:
    """Whole trials, one after the other."""
    file = project / "aws-sdk-s3.mjs"
    target = Target(name="aws-sdk-s3", interpreter=Path(node), file=file, language="node", endpoints={"main": "s3"})
    async with SkippedTime.open(scratch) as world:
        (scratch / "place").mkdir()
        async with FaultServer.start(scratch / "place", world.environment()) as server:
            world.expect(server.pid)
            async with Places([Place(world, server, scratch / "place")]) as places:
                healthy = await well(target, places)
                for name in ("healthy", "status-500", "silent"):
                    before, began = _used(), time.monotonic()
                    async with session(target, healthy, places, TIMES) as opened:
                        for _ in range(TIMES):
                            await opened.observe(SCENARIOS[name], "low", world.horizon)
                        wall = time.monotonic() - began
                    # The processes of trials count once the one that started them is gone.
                    _show(f"a trial, {name}", (_used() - before) / TIMES, wall / TIMES)


def main() -> None:
    """Install, and measure."""
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("node", nargs="?", default=which("node"))
    node = options.parse_args().node
    with tempfile.TemporaryDirectory() as folder:
        project = Path(folder) / "project"
        project.mkdir()
        copy(BUILTINS["aws-sdk-s3"].file, project)
        (project / "package.json").write_text('{"private": true}')
        subprocess.run(
            ["npm", "install", "--ignore-scripts", "--silent", "@aws-sdk/client-s3"], cwd=project, check=True
        )
        print(f"{node}, {subprocess.check_output([node, '--version'], text=True).strip()}")
        programs(node, project)
        scratch = Path(folder) / "scratch"
        scratch.mkdir()
        asyncio.run(trials(node, project, scratch))


if __name__ == "__main__":
    main()
