"""What an upgrade moved, and which of the project's own requirements brought it."""

from collections.abc import Mapping, Sequence
from functools import cmp_to_key

from failsame.pins.model import Change, Pin, Pins
from failsame.pins.versions import order


def changes(old: Pins, new: Pins) -> tuple[Change, ...]:
    """Compare two lock files: every package that moved, came or went, by name."""
    found: list[Change] = []
    for package in sorted({*old.pins, *new.pins}):
        before, after = _by_version(old, package), _by_version(new, package)
        for was, now in _moves(list(before), list(after)):
            pin = after[now] if now is not None else before[was or ""]
            side = new if now is not None else old
            direct = is_direct(side, package)
            found.append(
                Change(
                    language=new.language,
                    package=package,
                    before=was,
                    after=now,
                    direct=direct,
                    lock=pin.lock,
                    line=pin.line,
                    through=() if direct else through(side, package),
                )
            )
    return tuple(found)


def direct_requirements(pins: Pins) -> set[str]:
    """The packages the project itself requires; where the lock file cannot tell, those that no other pin requires."""
    return {package for package in pins.pins if _is_root(pins, package)}


def is_direct(pins: Pins, package: str) -> bool | None:
    """Whether the project itself requires a package, over all its pins; None where the lock file cannot tell."""
    told = {pin.direct for pin in pins.pins.get(package, ())}
    return True if True in told else None if None in told else False


def through(pins: Pins, package: str) -> tuple[str, ...]:
    """The direct requirements that bring a package, over any number of steps; sorted."""
    roots: set[str] = set()
    seen = {package}
    waiting = [package]
    while waiting:
        for pin in pins.pins.get(waiting.pop(), ()):
            for requirer in pin.required_by:
                if requirer in seen:
                    continue
                seen.add(requirer)
                waiting.append(requirer)
                if _is_root(pins, requirer):
                    roots.add(requirer)
    return tuple(sorted(roots))


def _is_root(pins: Pins, package: str) -> bool:
    direct = is_direct(pins, package)
    return not any(pin.required_by for pin in pins.pins.get(package, ())) if direct is None else direct


def _compared(one: Pin, two: Pin) -> int:
    return order(one.version, two.version) or 0


def _by_version(pins: Pins, package: str) -> Mapping[str, Pin]:
    """The first pin of each version, lowest version first."""
    first: dict[str, Pin] = {}
    for pin in sorted(pins.pins.get(package, ()), key=cmp_to_key(_compared)):
        first.setdefault(pin.version, pin)
    return first


def _moves(before: Sequence[str], after: Sequence[str]) -> list[tuple[str | None, str | None]]:
    """Pair the versions that left with those that came, both from lowest to highest.

    With several versions, under markers or nested, a package as a whole neither comes nor goes when one of them does:
    what is left over moved to, or from, the nearest that the other side holds.
    """
    left = [version for version in before if version not in after]
    came = [version for version in after if version not in before]
    if not before:
        return [(None, version) for version in came]
    if not after:
        return [(version, None) for version in left]
    pairs = max(len(left), len(came))
    # From the highest down: under markers it is the newest that newer Pythons get, and that upgrades move.
    lefts = left[::-1] or [before[-1]]
    cames = came[::-1] or [after[-1]]
    return [(lefts[min(place, len(lefts) - 1)], cames[min(place, len(cames) - 1)]) for place in reversed(range(pairs))]
