"""What the image weighs, and how long it takes: `python -m bench.image`, where `make image-test` works.

Prints a Markdown table. Registries are reached over this machine's network, whatever that is like.
"""

import shutil
import subprocess
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

from graphql import build_schema
from tests.github import published
from tests.github.contract import Contract
from tests.github.hub.server import Hub, serving
from tests.github.hub.state import Pull, Repository
from tests.github.projects import project
from tests.image.engine import ROOT, Engine, engine
from tests.image.runner import Job, told

_MB = 1_000_000

_BASELINE = """\
{"schema": 1, "suite": 1, "subject": "unit", "runtime": "python 3.13", "packages": {"six": "1.16.0"}, "scenarios": {}}
"""


@contextmanager
def _source() -> Iterator[Path]:
    """A copy of the repository, since one of its files is changed."""
    with tempfile.TemporaryDirectory(prefix="image-") as folder:
        names = subprocess.run(("git", "ls-files"), cwd=ROOT, capture_output=True, text=True, check=True).stdout
        for name in names.splitlines():
            copy = Path(folder, name)
            copy.parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(ROOT / name, copy)
        yield Path(folder)


def _took(work: Callable[[], object]) -> float:
    began = time.monotonic()
    work()
    return time.monotonic() - began


def _until(job: Job, word: str) -> float:
    """Seconds until a check has said a word."""
    began = time.monotonic()
    with job.start("check", "--old-lock", "before/requirements.txt", network=True) as running:
        assert running.stderr is not None
        for line in running.stderr:
            if word in line:
                took = time.monotonic() - began
                running.terminate()
                running.wait()
                return took
    raise RuntimeError(f"the check never said {word!r}")


def _row(what: str, value: str) -> None:
    print(f"| {what} | {value} |", flush=True)


def main() -> None:
    """Measure and print."""
    print("| | |\n| --- | --- |")
    with _source() as source, tempfile.TemporaryDirectory(prefix="job-") as temp:
        image = engine(source)
        _row("built from nothing but its bases", f"{_took(lambda: image.build(fresh=True)):.0f} s")
        image.build()
        _row("built again, nothing changed", f"{_took(image.build):.0f} s")
        with (source / "src/failsame/errors.py").open("a", encoding="utf-8") as file:
            file.write("\n")
        _row("built again after a change of the source", f"{_took(image.build):.0f} s")
        _sizes(image)
        job = Job.with_checkout(image, Path(temp, "temp"), "python-batch")
        _row(
            "container started, `--version` said", f"{min(_took(lambda: job.run('--version')) for _ in range(5)):.1f} s"
        )
        _row("started to the first trial, nothing cached", f"{_until(job, 'is it well?'):.1f} s")
        cached = min(_until(job, "is it well?") for _ in range(3))
        _row("started to the first trial, packages cached", f"{cached:.1f} s")
        _row("a pull request in which nothing watched changed", f"{_nothing_changed(image):.1f} s")


def _nothing_changed(image: Engine) -> float:
    """Seconds of a check that has nothing to measure, against a GitHub on loopback; the best of three."""
    with tempfile.TemporaryDirectory(prefix="job-") as temp:
        described = Contract(published.openapi(Path(temp))), build_schema(published.graphql_types(Path(temp)))
        with serving(Hub(Repository(project(**{"baselines/unit.json": _BASELINE})), *described)) as hub:
            hub.repository.push("words", {"README.md": "# New\n"}, author="octocat")
            pull = hub.repository.open_pull("words", author="octocat", title="Words")
            return min(_judged(image, hub, pull, Path(temp, str(attempt))) for attempt in range(3))


def _judged(image: Engine, hub: Hub, pull: Pull, temp: Path) -> float:
    (temp / "checkout").mkdir(parents=True)
    sha = hub.repository.merged_tree(pull).sha
    hub.repository.check_out(sha, temp / "checkout")
    job = Job.around(image, temp)
    job.event(hub.shapes.event(pull, "opened"))
    began = time.monotonic()
    done = job.run("github", "check", network=True, more=told(hub, sha))
    if done.returncode:
        raise RuntimeError(done.stdout + done.stderr)
    return time.monotonic() - began


def _sizes(image: Engine) -> None:
    layers = image.layers()
    _row("size, compressed (gzip)", f"{sum(layers) / _MB:.0f} MB")
    _row("its layers", " + ".join(f"{size / _MB:.1f}" for size in layers) + " MB")


if __name__ == "__main__":
    main()
