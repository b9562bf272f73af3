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

from tests.image.engine import ROOT, Engine, engine
from tests.image.runner import Job

_MB = 1_000_000


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
        _row(
            "started to the first trial, packages cached", f"{min(_until(job, 'is it well?') for _ in range(3)):.1f} s"
        )


def _sizes(image: Engine) -> None:
    layers = image.layers()
    _row("size, compressed (gzip)", f"{sum(layers) / _MB:.0f} MB")
    _row("its layers", " + ".join(f"{size / _MB:.1f}" for size in layers) + " MB")


if __name__ == "__main__":
    main()
