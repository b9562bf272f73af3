"""Committed files that nothing is compared with any more: a warning, since a person has to remove them."""

from collections.abc import Collection, Iterable


def stale(baselines: Iterable[str], coming: Iterable[tuple[str, str]], configured: Collection[str]) -> list[str]:
    """The files, relative to the folder of baselines, whose subject is not configured, or has no baseline.

    `baselines` and `coming` are as the folder lists them. A coming file that does not hold yet is not stale.
    """
    recorded = set(baselines)
    old = [f"{subject}.json" for subject in sorted(recorded) if subject not in configured]
    return old + [
        f"coming/{subject}@{fingerprint}.json"
        for subject, fingerprint in coming
        if subject not in configured or subject not in recorded
    ]
