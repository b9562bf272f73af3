"""How far two times may lie apart and still be the same: a rule of the clock they were measured with."""

from dataclasses import dataclass

from failsame.facts.kinds import Time, Times
from failsame.observation import ClockName


@dataclass(frozen=True)
class Slack:
    """So many seconds, and this share of the baseline's time. Never a ratio alone: 2 ms against 1 ms is no drift."""

    seconds: float
    share: float

    def at(self, seconds: float) -> float:
        """Seconds of slack around a time of the baseline."""
        return self.seconds + self.share * abs(seconds)


SLACK: dict[ClockName, Slack] = {"skip": Slack(0.05, 0.01), "real": Slack(0.25, 0.05)}

UNALIGNED = 1.0
"""Seconds of slack where a call did not start 0.25 s after a whole second: some clients round to whole seconds."""

DIGITS: dict[ClockName, int] = {"skip": 3, "real": 2}
"""Digits that times are stored to."""

# Times are stored to 1 ms, so that a nanosecond of binary fractions beyond the slack means nothing.
_EXACT = 1e-9


@dataclass(frozen=True)
class Conditions:
    """How a scenario was measured: the clock, the seconds a call might last, whether calls started aligned."""

    clock: ClockName
    horizon: float
    aligned: bool = True

    @property
    def slack(self) -> Slack:
        """The slack of times measured so."""
        plain = SLACK[self.clock]
        return plain if self.aligned else Slack(max(plain.seconds, UNALIGNED), plain.share)

    def common(self, other: "Conditions") -> "Conditions":
        """What holds for both: the coarser clock, the smaller horizon, aligned only if both were."""
        return Conditions(
            clock="skip" if self.clock == other.clock == "skip" else "real",
            horizon=min(self.horizon, other.horizon),
            aligned=self.aligned and other.aligned,
        )

    def better(self, other: "Conditions") -> bool:
        """Whether these see all that the others see, and more: skipped time, or a longer horizon."""
        mine = (self.clock == "skip", self.horizon, self.aligned)
        others = (other.clock == "skip", other.horizon, other.aligned)
        return mine != others and all(one >= two for one, two in zip(mine, others, strict=True))


def near(before: Time | None, after: Time | None, slack: Slack) -> bool:
    """Whether a time is still that of the baseline. One that is unknown contradicts nothing.

    A range of samples is first widened by its own width on both sides: the next sample may well lie outside.
    """
    if before is None or after is None:
        return True
    gap = max(
        (after.least - after.width) - (before.most + before.width),
        (before.least - before.width) - (after.most + after.width),
    )
    return gap <= slack.at(before.most) + _EXACT


def alike(before: Time | None, after: Time | None, slack: Slack) -> bool:
    """Whether two times can stand for each other: both unknown, or both known and near."""
    return (before is None) == (after is None) and near(before, after, slack)


def all_alike(before: Times, after: Times, slack: Slack) -> bool:
    """Whether two lists of times can stand for each other."""
    return len(before) == len(after) and all(alike(one, two, slack) for one, two in zip(before, after, strict=True))
