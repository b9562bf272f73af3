"""What is recorded, and guarded no more since the configuration asks for less."""

from collections.abc import Iterable, Iterator
from pathlib import PurePosixPath

from failsame.baseline import list_baselines, read_baseline
from failsame.config import find_config
from failsame.gate.edited import configurations
from failsame.gate.plan import Plan
from failsame.gate.remarks import run_no_more
from failsame.report.model import SubjectReport


def unguarded(plan: Plan, subjects: Iterable[SubjectReport]) -> tuple[str, ...]:
    """Name it, a line each; nothing where the configuration did not change, or the command line asked for less.

    With another configuration than the usual, a baseline without a subject may be that of another configuration.
    """
    touched = plan.paths is None or plan.paths & configurations(plan)
    if not touched or plan.named or plan.subjects != plan.every:
        return ()
    configured = {subject.name for subject in plan.every}
    usual = plan.config == find_config(plan.folder)
    names = [name for name in list_baselines(plan.baselines) if usual or name in configured]
    baselines = {name: read_baseline(plan.baselines, name) for name in names}
    recorded = {name: tuple(baseline.scenarios) for name, baseline in baselines.items() if baseline is not None}
    return (*run_no_more(subjects, recorded), *_removed(plan, configured | recorded.keys()))


def _removed(plan: Plan, there: set[str]) -> Iterator[str]:
    for path in map(PurePosixPath, sorted(plan.paths or ())):
        if str(path.parent) == plan.shown_baselines and path.suffix == ".json" and path.stem not in there:
            yield f"{path.stem} was recorded, and is neither asked nor recorded any more"
