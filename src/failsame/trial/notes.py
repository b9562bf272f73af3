"""What is worth knowing of a trial and never red. Pure."""

import re
from collections.abc import Iterator

from failsame.faults.protocol import Journal, RequestEntry
from failsame.trial.record import Record

# How clients number the attempts of a call for their services: the AWS SDKs; openai and anthropic.
_NUMBERING_HEADERS = ("amz-sdk-request", "x-stainless-retry-count")

_TTL = re.compile(r"ttl=\w+; ?")

_NUMBERS_SHOWN = 5

# A connection is left open if its end was not seen this long after the client was closed.
_CLOSING = 0.2


def notes(journal: Journal, record: Record) -> tuple[str, ...]:
    """What the client warned of, what its attempts say of themselves, and what it left open."""
    return (*dict.fromkeys(record.notes), *_numbering(journal), *_left_open(journal, record))


def _numbering(journal: Journal) -> Iterator[str]:
    """The headers of the call that made most attempts, the first of several; a single attempt's say nothing."""
    calls: dict[int, list[RequestEntry]] = {}
    for entry in journal.requests:
        if entry.faulted:
            calls.setdefault(entry.call, []).append(entry)
    longest = max(calls.values(), key=len, default=[])
    for name in _NUMBERING_HEADERS:
        # botocore also says until when its call may last: another time in every run.
        values = [_TTL.sub("", entry.headers.get(name, "none")) for entry in longest]
        if len(values) > 1 and set(values) != {"none"}:
            more = ", …" if len(values) > _NUMBERS_SHOWN else ""
            yield f"attempts carry {name}: {', '.join(values[:_NUMBERS_SHOWN])}{more}"


def _left_open(journal: Journal, record: Record) -> Iterator[str]:
    if record.done is None:
        return
    closing = record.done.closed_at + _CLOSING
    # The end of a dead connection is never seen.
    left = sum(c.dead is None and (c.ended is None or c.ended > closing) for c in journal.connections)
    if left:
        yield f"{left} connection{'s' if left > 1 else ''} left open after closing"
