"""Random draws, pinned: those that size a wait are held, the others are seeded.

`install` comes before anything of the subject is imported, because some clients keep what they find then (botocore
has `random.random` as a default argument); so the wrappers read the value to hold at each call. Draws before the
trial begins, on import, are seeded too.

held    random, uniform, randint, randrange, triangular, expovariate
seeded  choice, choices, shuffle, sample, getrandbits, randbytes, the gaussians and all other distributions
alone   SystemRandom, secrets, uuid; tempfile, whose names have to differ; an instance made before

Of a seeded draw that may well size a wait there is a note: it is a sample, if always the same one.

A loop that rejects draws would never end on a held one. A caller that made 1,000 draws without a single wait between
them gets seeded draws from then on, with a note.
"""

from __future__ import annotations

import abc
import functools
import itertools
import random
import resource
import sys
import tempfile
import threading
from collections.abc import Callable
from typing import Any

DRAWS_WITHOUT_WAIT = 1000

_PICKS = (
    "choice",
    "choices",
    "shuffle",
    "sample",
    "gauss",
    "normalvariate",
    "lognormvariate",
    "vonmisesvariate",
    "gammavariate",
    "betavariate",
    "binomialvariate",
    "paretovariate",
    "weibullvariate",
)
"""Draws that rest on `random` or `_randbelow` and must not see them held. The held ones rest on them too."""

_NUMBERS = frozenset(_PICKS) - {"shuffle", "sample"}
"""Those of them that may size a wait, as `sleep(choice([1, 2, 4]))` does."""

_SEED = 20261104

_Original = random.Random


class _Raw(threading.local):
    """How deep this thread is in draws that must not see the held value."""

    depth = 0


_raw = _Raw()


class Hold:
    """What draws are held at: a value from 0 to below 1, or None for seeded draws."""

    def __init__(self) -> None:
        self.value: float | None = None
        self.note: Callable[[str], None] = lambda _: None
        self._draws: dict[tuple[str, str], tuple[int, int]] = {}
        self._released: set[tuple[str, str]] = set()
        self._seeded: set[tuple[str, str, str]] = set()
        self._seeds = itertools.count(_SEED)

    def next_seed(self) -> int:
        """The seed of the next generator that is given none: each has its own, in each trial the same."""
        return next(self._seeds)

    def begin(self, value: float) -> None:
        """Hold draws at `value` from now on; generators start as they would in any other trial."""
        self._seeds = itertools.count(_SEED)
        _instance().seed()
        self.value = value

    def seeded(self, name: str) -> None:
        """Take a note of who draws a number in a way that is not held."""
        if self.value is None or _raw.depth or name not in _NUMBERS:
            return
        drawn = (name, *_caller())
        if drawn not in self._seeded:
            self._seeded.add(drawn)
            self.note(f"draws by {name} of {drawn[2]} in {drawn[1]} are one sample, always the same: they are seeded")

    def draw(self) -> float | None:
        """The value for the draw now being made; None where it is a seeded one."""
        if self.value is None or _raw.depth:
            return None
        caller = _caller()
        if caller in self._released:
            return None
        # A thread that waits, for whatever it may be, gives up the processor: getrusage(2), ru_nvcsw.
        waits = resource.getrusage(resource.RUSAGE_THREAD).ru_nvcsw
        count, waits_before = self._draws.get(caller, (0, waits))
        if count < DRAWS_WITHOUT_WAIT:
            self._draws[caller] = (count + 1, waits_before)
        elif waits != waits_before:
            self._draws[caller] = (1, waits)
        else:
            self._released.add(caller)
            self.note(f"draws of {caller[1]} in {caller[0]} could not be held: it rejects them")
            return None
        return self.value


HOLD = Hold()


class Random(_Original, metaclass=abc.ABCMeta):
    """random.Random with held draws; a subclass that brings its own generator keeps it."""

    def seed(self, a: Any = None, version: int = 2) -> None:
        """Start from `a`; without one not from the system's entropy but from a seed of its own."""
        super().seed(HOLD.next_seed() if a is None else a, version)

    def random(self) -> float:
        """The held value, or the next of the generator."""
        held = HOLD.draw()
        return super().random() if held is None else held

    def _randbelow(self, n: int) -> int:
        held = HOLD.draw()
        if held is not None:
            return n * round(held * 1000) // 1000  # n may be too large for a float
        below: int = self._randbelow_with_getrandbits(n)  # type: ignore[attr-defined]
        return below

    @classmethod
    def __subclasshook__(cls, other: type) -> Any:
        # SystemRandom, and what was made before, are instances of random.Random still.
        return (cls is Random and issubclass(other, _Original)) or NotImplemented


def _seeded(name: str) -> Callable[..., Any]:
    original = getattr(_Original, name)

    @functools.wraps(original)
    def pick(self: Random, *args: Any, **named: Any) -> Any:
        HOLD.seeded(name)
        _raw.depth += 1
        try:
            return original(self, *args, **named)
        finally:
            _raw.depth -= 1

    return pick


def install() -> Hold:
    """Replace random.Random and the functions of `random`; nothing is held before `Hold.begin`."""
    assert tempfile is not None  # imported first: it keeps the Random that it finds
    for name in _PICKS:
        if hasattr(_Original, name):
            setattr(Random, name, _seeded(name))
    # Pickles name the class, and find it there.
    Random.__module__, Random.__qualname__ = _Original.__module__, _Original.__qualname__
    before = _instance()
    after = Random()
    for name, value in list(vars(random).items()):
        if getattr(value, "__self__", None) is before:
            setattr(random, name, getattr(after, name))
    random._inst = after  # noqa: SLF001 -- what the module's functions are methods of
    random.Random = Random  # type: ignore[misc]
    return HOLD


def _instance() -> random.Random:
    return random._inst  # noqa: SLF001 -- what the module's functions are methods of


def _caller() -> tuple[str, str]:
    """File and function outside `random` and this module that asked for the draw."""
    frame = sys._getframe(1)  # noqa: SLF001 -- inspect.stack reads source files for each draw
    while frame.f_back is not None and frame.f_code.co_filename in (random.__file__, __file__):
        frame = frame.f_back
    return frame.f_code.co_filename, frame.f_code.co_name
