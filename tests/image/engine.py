"""Builds the image and runs it: with Docker where there is one, else with buildah and crun, which need no daemon."""

import json
import os
import shutil
import subprocess
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Protocol

from tests.image.oci import bundle

ROOT = Path(__file__).parents[2]
TAG = "failsame:test"


@dataclass(frozen=True)
class Mount:
    """A file or folder of the host's, and where the container sees it."""

    source: Path
    target: str


@dataclass(frozen=True)
class Container:
    """What is to be run: the image's entry point with other last words, as root."""

    arguments: Sequence[str]
    environment: Mapping[str, str] = field(default_factory=dict)
    mounts: Sequence[Mount] = ()
    folder: str = "/"
    network: bool = False
    """Whether it sees the network of the host; if not it has one of its own, with a loopback alone."""
    program: str | None = None
    """Started in the place of the entry point."""


class Engine(Protocol):
    """Builds and runs one image."""

    def build(self, *, fresh: bool = False) -> None:
        """Build the image from the Dockerfile; `fresh` with nothing from an earlier build."""
        ...

    def entry(self) -> list[str]:
        """The image's entry point."""
        ...

    @contextmanager
    def start(self, container: Container) -> "Iterator[subprocess.Popen[str]]":
        """Run a container, with its output and its complaints on pipes; a signal to the process is passed on."""
        ...

    def layers(self) -> list[int]:
        """The sizes of its layers, compressed, in bytes; those of its base first."""
        ...


def engine(source: Path = ROOT) -> Engine:
    """The one of this machine, which builds what is in a folder."""
    docker = subprocess.run(("docker", "version"), capture_output=True, check=False) if shutil.which("docker") else None
    return Docker(source) if docker is not None and docker.returncode == 0 else Buildah(source)


class Docker:
    """Docker, as GitHub's runner calls it."""

    def __init__(self, source: Path) -> None:
        self._source = source

    def build(self, *, fresh: bool = False) -> None:
        again = ["--no-cache", "--pull"] if fresh else []
        subprocess.run(("docker", "build", "--quiet", *again, "--tag", TAG, str(self._source)), check=True)

    def entry(self) -> list[str]:
        asked = ("docker", "image", "inspect", "--format", "{{json .Config.Entrypoint}}", TAG)
        return list(json.loads(subprocess.run(asked, capture_output=True, check=True).stdout))

    @contextmanager
    def start(self, container: Container) -> "Iterator[subprocess.Popen[str]]":
        entry = [container.program] if container.program else self.entry()[:-1]
        options = [f"--volume={each.source}:{each.target}" for each in container.mounts]
        options += [f"--env={name}={value}" for name, value in container.environment.items()]
        options += ["--network=host" if container.network else "--network=none", f"--workdir={container.folder}"]
        command = ["docker", "run", "--rm", *options, f"--entrypoint={entry[0]}", TAG, *entry[1:], *container.arguments]
        with _piped(command) as running:
            yield running

    def layers(self) -> list[int]:
        with tempfile.TemporaryDirectory() as folder:
            archive = Path(folder, "image.tar")
            subprocess.run(("docker", "save", "--output", str(archive), TAG), check=True)
            shutil.unpack_archive(archive, folder)
            return _blobs(Path(folder))


class Buildah:
    """Buildah and crun. Where BASE_IMAGES is `here`, base images are taken by their tags, whatever their digests."""

    def __init__(self, source: Path) -> None:
        self._source = source
        for program in ("buildah", "crun"):
            if shutil.which(program) is None:
                raise RuntimeError(f"there is no Docker and no {program}: install one")
        os.environ.setdefault("BUILDAH_ISOLATION", "chroot")
        os.environ.setdefault("STORAGE_DRIVER", "overlay")

    def build(self, *, fresh: bool = False) -> None:
        here = os.environ.get("BASE_IMAGES") == "here"
        with tempfile.NamedTemporaryFile("w", prefix="Dockerfile-") as file:
            text = (self._source / "Dockerfile").read_text(encoding="utf-8")
            lines = [line.partition("@sha256:")[0] + _alias(line) if here else line for line in text.splitlines()]
            file.write("\n".join(lines) + "\n")
            file.flush()
            options = ["--quiet", "--format=docker", f"--pull{'-never' if here else ''}", f"--file={file.name}"]
            options.append("--no-cache" if fresh else "--layers")
            subprocess.run(
                ("buildah", "build", *options, f"--tag={TAG}", str(self._source)), check=True, capture_output=True
            )

    def entry(self) -> list[str]:
        told = json.loads(_said("buildah", "inspect", "--type=image", TAG))
        return list(told["OCIv1"]["config"]["Entrypoint"])

    @contextmanager
    def start(self, container: Container) -> "Iterator[subprocess.Popen[str]]":
        name = _said("buildah", "from", "--pull-never", TAG)
        try:
            root = Path(_said("buildah", "mount", name))
            entry = [container.program] if container.program else self.entry()[:-1]
            with tempfile.TemporaryDirectory(prefix="bundle-") as folder:
                config = bundle(root, container, [*entry, *container.arguments])
                Path(folder, "config.json").write_text(json.dumps(config), encoding="utf-8")
                # crun refuses a mixture of both control group versions: hide one half of it, in a namespace of its own.
                hidden = 'umount /sys/fs/cgroup/unified 2>/dev/null; exec "$@"'
                crun = ("crun", "--cgroup-manager=disabled", "run", f"--bundle={folder}", Path(folder).name)
                with _piped(["unshare", "--mount", "sh", "-c", hidden, "sh", *crun]) as running:
                    yield running
        finally:
            _said("buildah", "rm", name)

    def layers(self) -> list[int]:
        with tempfile.TemporaryDirectory() as folder:
            _said("buildah", "push", "--quiet", TAG, f"oci:{folder}:image")
            return _blobs(Path(folder))


def _alias(line: str) -> str:
    return "".join(line.partition(" AS ")[1:]) if "@sha256:" in line else ""


def _said(*command: str) -> str:
    return subprocess.run(command, capture_output=True, text=True, check=True).stdout.strip()


@contextmanager
def _piped(command: Sequence[str]) -> "Iterator[subprocess.Popen[str]]":
    with subprocess.Popen(
        command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    ) as running:
        try:
            yield running
        finally:
            running.kill()


def _blobs(folder: Path) -> list[int]:
    """The layers of an image laid out as the OCI image specification says."""

    def read(descriptor: Mapping[str, str]) -> Path:
        return folder / "blobs" / descriptor["digest"].replace(":", "/")

    index = json.loads((folder / "index.json").read_text(encoding="utf-8"))
    manifest = json.loads(read(index["manifests"][0]).read_text(encoding="utf-8"))
    return [int(layer["size"]) for layer in manifest["layers"]]
