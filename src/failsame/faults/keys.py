"""The key of a request: what faults hit and attempts are counted by."""

import re
from urllib.parse import urlsplit

_LONGEST = 300

# A path segment that looks like this is an id: it differs from one call to the next, so it cannot be part of a key.
# Masking too much merges two requests; masking too little lets a fault miss. So: rather too much.
_IDS = tuple(
    re.compile(pattern)
    for pattern in (
        r"\d+",  # 000000000000
        r".*[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}.*",  # a UUID, also within `report-….json`
        r"[0-9a-f]{16,}(\.\w+)?",  # a hash or a trace id
        r"[0-9A-HJKMNP-TV-Z]{26}(\.\w+)?",  # a ULID
        r"\d{4}-\d\d-\d\d[T_ ].*|\d{8}T\d{6}.*",  # a time
        r"[a-z]{2,16}[_-](?=[A-Za-z]*\d)[A-Za-z0-9]{14,}",  # cus_9s6XKzkNRiz8i3, resp_…
        r"(?=.*\d)(?=.*[a-z])(?=.*[A-Z])[A-Za-z0-9_=-]{20,}",  # random bytes in base64
    )
)


def _masked(segment: str) -> str:
    return "*" if any(pattern.fullmatch(segment) for pattern in _IDS) else segment


def request_key(method: str, target: str) -> str:
    """Make `METHOD /path` of a request line: without query, segments that look like ids as `*`, cut at 300 characters.

    A target that is a whole URL (as sent to a proxy) counts by its path.
    """
    try:
        path = urlsplit(target).path if not target.startswith("/") else target.partition("?")[0].partition("#")[0]
    except ValueError:
        path = target
    key = f"{method} {'/'.join(_masked(segment) for segment in path.split('/')) or '/'}"
    return key if len(key) <= _LONGEST else key[: _LONGEST - 1] + "…"
