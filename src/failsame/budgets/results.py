"""What one call shows of a measured term: a number, or how far it is known where the call was cut off."""

from collections.abc import Iterator
from dataclasses import dataclass
from math import inf

from failsame.budgets.amount import Amount
from failsame.facts import JITTERS, CallFacts, Conditions, Recorded, Time, Value
from failsame.observation import (
    ATTEMPT_LIMIT,
    ENDLESS,
    KERNEL_GAVE_UP,
    KERNEL_GIVES_UP,
    LONGEST_REAL,
    NEVER_SETTLED,
    NOT_MADE,
    ClockName,
    Jitter,
)
from failsame.suite import SCENARIOS

LONGEST: dict[ClockName, float] = {"skip": ENDLESS, "real": LONGEST_REAL}
"""Seconds that a call is watched at most for the sake of a rule."""


@dataclass(frozen=True)
class Result:
    """What one call shows. Where that is not one number, `why` says why, and `longer` whether watching longer helps."""

    amount: Amount
    why: str | None = None
    longer: bool = False


def results(measure: str, scenario: str, recorded: Recorded) -> Iterator[Result]:
    """Give what every call of a scenario shows of a measured term, at both ends of its random waits."""
    for facts in recorded.calls:
        for jitter in JITTERS:
            call = _Call(facts, jitter, scenario, recorded.conditions)
            if NOT_MADE not in call.values("outcome"):
                yield from call.results(measure)


def waits_unseen(recorded: Recorded) -> bool:
    """Whether a call was tried again after answers that never ended, and never after one that did."""
    both = (facts["waits"].at(jitter) for facts in recorded.calls for jitter in JITTERS)
    return any(waits and set(waits) == {None} for several in both for waits in several if isinstance(waits, tuple))


@dataclass(frozen=True)
class _Call:
    facts: CallFacts
    jitter: Jitter
    scenario: str
    conditions: Conditions

    def values(self, fact: str) -> tuple[Value, ...]:
        return self.facts[fact].at(self.jitter)

    def results(self, measure: str) -> Iterator[Result]:
        match measure:
            case "give_up":
                yield from self._lasts()
            case "waits":
                yield from self._waits()
            case _:
                yield from self._counts(measure)

    def _lasts(self) -> Iterator[Result]:
        if (cut := self._cut_off()) is not None:
            yield cut
        elif True in self.values("still_waiting") or NEVER_SETTLED in self.values("outcome"):
            yield Result(Amount(inf, inf))
        for time in self.values("give_up"):
            if isinstance(time, Time):
                yield from (Result(Amount.of(end)) for end in (time.least, time.most))
            elif KERNEL_GAVE_UP in self.values("outcome"):
                least, most = KERNEL_GIVES_UP
                last = self._last_start()
                yield Result(Amount.from_to(max(last, least), last + most), "the system ended it, not the client")
            elif self._ended_unseen():
                yield Result(Amount.from_to(self._last_start(), inf), "nobody saw when its process ended")

    def _counts(self, fact: str) -> Iterator[Result]:
        cut = self._cut_off()
        for count in self.values(fact):
            if isinstance(count, int):
                known = Amount.of(count)
                yield Result(known) if cut is None else Result(Amount(known.least, inf), cut.why, cut.longer)

    def _waits(self) -> Iterator[Result]:
        for waits in self.values("waits"):
            for wait in waits if isinstance(waits, tuple) else ():
                if wait is not None:  # the server's answer never ended: there is nothing to wait from
                    yield from (Result(Amount.of(end)) for end in (wait.least, wait.most))
        if (cut := self._cut_off()) is not None:  # others may have come
            yield Result(Amount.from_to(0, inf), cut.why, cut.longer)

    def _cut_off(self) -> Result | None:
        """How long it lasted at least, if nobody saw its end; None if that was seen, or will never come."""
        if True in self.values("still_trying"):
            return Result(Amount.from_to(self._last_start(), inf), f"it was cut off at {ATTEMPT_LIMIT} attempts")
        horizon = self.conditions.horizon
        if True not in self.values("still_waiting") or (self.conditions.clock == "skip" and horizon >= ENDLESS):
            return None
        at_least = Amount.from_to(horizon, inf)
        known = SCENARIOS.get(self.scenario)
        if known is not None and known.watched_at_most is not None and horizon >= known.watched_at_most:
            return Result(at_least, f"after {horizon:g} s the system would end it, not the client")
        remedy = (
            "watch it for longer, with --horizon" if self.conditions.clock == "skip" else "measure it in skipped time"
        )
        why = f"it had not ended after {horizon:g} s: {remedy}"
        return Result(at_least, why, longer=horizon < LONGEST[self.conditions.clock])

    def _ended_unseen(self) -> bool:
        flags = ("still_waiting", "still_trying")
        return NEVER_SETTLED not in self.values("outcome") and not any(True in self.values(flag) for flag in flags)

    def _last_start(self) -> float:
        """When its last attempt started; 0 where that is not known."""
        starts = [time for value in self.values("starts") if isinstance(value, tuple) for time in value]
        return max((time.least for time in starts if time is not None), default=0.0)
