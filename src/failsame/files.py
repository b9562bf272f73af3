"""Files read with a limit, and written as a whole or not at all."""

import os
from contextlib import suppress
from pathlib import Path


def write_whole(path: Path, content: bytes) -> None:
    """Write beside the old file and change places with it, so that nobody ever sees half a file.

    Raises OSError, and then the old file is as it was.
    """
    # Not a name that could be read as the file. A plain open, unlike tempfile's, leaves the rights to the umask.
    beside = path.with_name(f".{path.name}.{os.getpid()}.new")
    try:
        with beside.open("xb") as file:
            file.write(content)
            file.flush()
            os.fsync(file.fileno())
        beside.replace(path)
    finally:
        with suppress(OSError):
            beside.unlink(missing_ok=True)


def read_regular(path: Path, most: int) -> bytes:
    """Read a file to the end, or one byte more than `most`, so that one that is too large is seen.

    Raises OSError, also for a pipe or a device: to read those may never end.
    """
    if not path.is_file() and path.exists():
        raise OSError(0, "it is no regular file")
    with path.open("rb") as file:
        return file.read(most + 1)
