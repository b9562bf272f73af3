"""`healthy`: whether the subject works at all, and what it asks each of its endpoints.

The first endpoint is asked while it is well. A fallback is not: so the endpoints before it are broken, in the ways that
clients fall back from, until it is called.
"""

import asyncio
from collections.abc import Mapping
from dataclasses import dataclass, field

from failsame.errors import UnmeasuredError
from failsame.suite import SCENARIOS
from failsame.trial.run import Asked, Launch, Outcome, Place, UnforkableError, standing_trial
from failsame.trial.series import JITTERS, cold_launch, fresh
from failsame.trial.target import Target
from failsame.trial.together import together
from failsame.trial.working import Healthy, asked, chosen, keys_of, of_the_call, returned, steady, words

_AT_ONCE = ("first-refused", "first-500")
"""Failures that leave a fallback all the time it wants."""
_SLOW = ("first-silent",)
"""Failures that may use up a deadline."""


async def healthy(target: Target, place: Place, usual: Mapping[str, str]) -> Healthy:
    """Run `healthy` at both jitters, and learn what each fallback is asked.

    `usual` are the requests that were broken before, by endpoint: what this is to be compared with.
    Raises UnmeasuredError, with the client's own words, if the subject cannot be imported, fails, or sends nothing:
    a subject that never worked must not be "same" for ever.
    """
    try:
        async with cold_launch(target, place) as begin:
            return await _shown(target, place, usual, begin)
    except UnforkableError as error:
        async with fresh(target, place, (), str(error)) as begin:
            return await _shown(target, place, usual, begin)


async def _shown(target: Target, place: Place, usual: Mapping[str, str], begin: Launch) -> Healthy:
    trials = [Asked(SCENARIOS["healthy"], jitter, place.world.horizon, modules=True) for jitter in JITTERS]
    room = asyncio.Semaphore(place.world.at_once)
    low, high = await together(_one_of_a_few(target, place, one, begin, room) for one in trials)
    requests = asked(target, low)
    keys = chosen(steady(target, requests, asked(target, high)), usual)
    found = await _fallbacks(target, place, begin, keys, usual)
    assert low.record.done is not None
    return Healthy(
        requests=keys_of(requests),
        fault_keys=found.keys,
        modules={**low.record.done.modules, **found.modules},
        settings=low.record.done.settings,
        why_fresh=begin.why_fresh,
        never_called=tuple(name for name in target.endpoints if name not in found.keys),
    )


async def _one_of_a_few(target: Target, place: Place, one: Asked, begin: Launch, room: asyncio.Semaphore) -> Outcome:
    async with room:
        return await standing_trial(target, place, one, begin)


@dataclass
class _Found:
    """The request to break at each endpoint, and the modules that this took."""

    keys: dict[str, str]
    modules: dict[str, str | None] = field(default_factory=dict)


async def _fallbacks(
    target: Target, place: Place, begin: Launch, keys: Mapping[str, str], usual: Mapping[str, str]
) -> _Found:
    """Find what the endpoints are asked that were not called while all was well.

    Raises UnmeasuredError if one is called and is well, and the call fails all the same: that fallback never worked.
    """
    found = _Found(dict(keys))
    for number, name in enumerate(target.endpoints):
        for scenario in (*_AT_ONCE, *_SLOW):
            if name in found.keys:
                break
            one = Asked(SCENARIOS[scenario], "low", place.world.horizon, found.keys.copy(), broken=number, modules=True)
            outcome = await standing_trial(target, place, one, begin)
            found.keys = {**chosen(of_the_call(outcome), usual), **found.keys}
            if name in found.keys and scenario in _AT_ONCE and not returned(outcome):
                raise UnmeasuredError(
                    f"{target.name} fails although {name} is well, in {scenario}: {words(outcome)}. "
                    f"Mend {target.file.name} until its call returns what {name} answers"
                )
            if outcome.record.done is not None:
                found.modules |= outcome.record.done.modules
    return found
