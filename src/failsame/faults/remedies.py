"""What to do about what the kernel refuses."""

import errno

_REMEDIES = {
    errno.EADDRINUSE: "the port is taken: end what listens there, or ask for another",
    errno.EADDRNOTAVAIL: "no port is free: run fewer trials at once",
    errno.EACCES: "this user may not: ask for a port above 1023, or a folder of your own",
    errno.EMFILE: "raise the limit with `ulimit -n`",
    errno.ENFILE: "end something, or raise fs.file-max",
    errno.ENOSPC: "make room, or set TMPDIR to a place that has some",
    errno.EROFS: "set TMPDIR to a folder that can be written to",
}


def reason(error: OSError) -> str:
    """Put an error in words, with the remedy where there is one: what stands behind a colon."""
    remedy = _REMEDIES.get(error.errno or 0)
    return f"{error.strerror}: {remedy}" if remedy else str(error.strerror)
