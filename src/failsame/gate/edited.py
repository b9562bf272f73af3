"""What of a subject the project itself changed: beside the packages, a cause of how it fails now."""

from pathlib import Path, PurePosixPath

from failsame.config import BUILT_IN, PLACES, Subject, owned
from failsame.gate.plan import Plan


def edited(subject: Subject, plan: Plan) -> tuple[str, ...] | None:
    """The files that changed, from the project's folder: the subject's own, its baselines, the configuration.

    None where it is not known which changed.
    """
    if plan.paths is None:
        return None
    # A built-in subject uses the SDK alone: of the project it needs the lock file.
    own = [] if subject.origin == BUILT_IN else owned(_inside(subject.file, plan.folder), subject.watch, plan.paths)
    return (
        *own,
        *(path for path in sorted(plan.paths) if _is_baseline(path, subject, plan)),
        *sorted(plan.paths & configurations(plan)),
    )


def _is_baseline(path: str, subject: Subject, plan: Plan) -> bool:
    folder, place = PurePosixPath(plan.shown_baselines), PurePosixPath(path)
    base, coming = folder / f"{subject.name}.json", folder / "coming"
    return place == base or (place.parent == coming and place.name.startswith(f"{subject.name}@"))


def configurations(plan: Plan) -> frozenset[str]:
    """Where the configuration lies, or could lie where none was named; of a link also where it leads."""
    lies = () if plan.config is None else (plan.config, plan.config.resolve())
    found = frozenset(filter(None, (_inside(path, plan.folder) for path in lies)))
    # One of the usual places may hold what another held before.
    return found | frozenset(PLACES) if not found or found.intersection(PLACES) else found


def _inside(file: Path, folder: Path) -> str | None:
    return file.relative_to(folder).as_posix() if file.is_relative_to(folder) else None
