"""What a subject is compared with: committed files, or what it did before the upgrade."""

from collections.abc import Mapping
from dataclasses import dataclass

from failsame.baseline import Baseline, Coming, Laid, installed_with, lay
from failsame.budgets import Setting
from failsame.environments import installed
from failsame.facts import Recorded, recorded
from failsame.gate.plan import Plan
from failsame.gate.prepare import Ready, Unready, Workshop, prepare
from failsame.gate.trials import measure
from failsame.language import Language
from failsame.pins import Change
from failsame.report.model import Reference


@dataclass(frozen=True)
class Known:
    """What a subject did: its scenarios, and the packages, the runtime, the settings and the requests seen then."""

    scenarios: Mapping[str, Recorded]
    packages: Mapping[str, str]
    settings: Mapping[str, Setting]
    fault_keys: Mapping[str, str]
    shown: Reference


def laid_for(ready: Ready, base: Baseline, coming: Mapping[str, Coming]) -> Laid:
    """A subject's committed files for what is installed, every package and the runtime; most have no coming file."""
    return lay(base, coming, installed_with(installed(ready.environment), ready.environment.runtime) if coming else {})


def from_files(laid: Laid, plan: Plan) -> Known:
    """What the committed files say, for what was installed."""
    base = laid.base
    folder = plan.shown_baselines
    return Known(
        scenarios=laid.scenarios,
        packages=with_runtime(base.packages, base.runtime),
        settings=base.settings,
        fault_keys=base.fault_keys,
        shown=Reference(
            base=f"{folder}/{base.subject}.json",
            coming=tuple(f"{folder}/coming/{base.subject}@{fingerprint}.json" for fingerprint in laid.held),
        ),
    )


async def from_before(now: Ready, shop: Workshop) -> Known | None:
    """What a subject does at the lock file before the upgrade; None if that is not known or cannot be measured."""
    lock = shop.plan.old.get(now.subject.lock)
    if lock is None:
        return None
    ready = await prepare(now.subject, lock, shop, now.healthy.fault_keys)
    if isinstance(ready, Unready):
        return None
    measured = await measure(ready, shop)
    return Known(
        scenarios={name: recorded([measurement]) for name, measurement in measured.measurements.items()},
        packages=with_runtime(ready.packages, ready.environment.runtime),
        settings=ready.healthy.settings,
        fault_keys=ready.healthy.fault_keys,
        shown=Reference(measured_on=lock.files.named(lock.path)),
    )


def deciding_changes(
    changes: tuple[Change, ...], *, now: Mapping[str, str], before: Mapping[str, str], language: Language
) -> tuple[Change, ...]:
    """What moved of the packages that the subject loads (`now`), or loaded (`before`), the runtime among both.

    A baseline that is older than the upgrade, or a Python that changed, stands in no difference of lock files: what
    the reference was recorded with tells. No lock file is named for it.
    """
    loaded = {*now, *before}
    told = {change.package for change in changes}
    beside = (
        Change(
            language=language,
            package=name,
            before=version,
            after=now[name],
            lock="",
        )
        for name, version in before.items()
        if name in now and now[name] != version and name not in told
    )
    return (*(change for change in changes if change.package in loaded), *beside)


def with_runtime(packages: Mapping[str, str], runtime: str) -> dict[str, str]:
    """The packages of a subject, the runtime among them (`python 3.13`)."""
    name, _, version = runtime.partition(" ")
    return {**packages, name: version}
