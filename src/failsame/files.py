"""Files written as a whole or not at all."""

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
