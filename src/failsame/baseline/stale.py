"""Committed files that nothing is compared with: a warning, since a person has to remove them."""

from collections.abc import Collection, Iterable, Iterator

_GONE = "its subject is gone: remove it"
_BARE = "its subject has no baseline that it could be laid over: record that, or remove this"


def stale(
    baselines: Iterable[str], coming: Iterable[tuple[str, str]], configured: Collection[str]
) -> Iterator[tuple[str, str]]:
    """Give the files, relative to the folder of baselines, that nothing is compared with, and why, with the remedy.

    `baselines` and `coming` are as the folder lists them. A coming file that does not hold yet is not stale.
    """
    recorded = sorted(baselines)
    yield from ((f"{subject}.json", _GONE) for subject in recorded if subject not in configured)
    for subject, fingerprint in coming:
        why = _GONE if subject not in configured else _BARE if subject not in recorded else None
        if why is not None:
            yield f"coming/{subject}@{fingerprint}.json", why
