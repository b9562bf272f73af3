"""From measured calls to their facts: one call, measured at both jitters, once or several times."""

from collections.abc import Iterable, Mapping, Sequence

from failsame.facts.jitters import PerJitter, accepted
from failsame.facts.kinds import TIME, Time, Times, Value
from failsame.facts.slack import DIGITS, Conditions, Slack, alike, all_alike, near
from failsame.facts.table import FACTS, Alternatives, Fact
from failsame.observation import Call, Jitter

CallFacts = Mapping[str, PerJitter]
"""Every fact of one call by name; in a coming file only those that differ."""

JITTERS: tuple[Jitter, Jitter] = ("low", "high")

# Neighbours share one entry only if they lie within half the slack, so that each keeps the other half for noise.
_FOLDED = 0.5
# `starts` are left out where the waits tell them this well: it decides what the file shows, not what is drift.
_TOLD = 0.25


def facts_of(measured: Sequence[tuple[Call, Call]], conditions: Conditions) -> CallFacts:
    """The facts of one call from its measurements, each at jitter low and high.

    An exact fact that varied has every value seen, a time that varied beyond the slack is a range.
    """
    lows, highs = zip(*measured, strict=True)
    return {name: _at_both(fact, lows, highs, conditions) for name, fact in FACTS.items()}


def _at_both(fact: Fact, lows: Sequence[Call], highs: Sequence[Call], conditions: Conditions) -> PerJitter:
    """A fact at low and high. Where it varied and both meet, it hangs on no jitter: all that was seen are samples."""
    low, high = _merged(fact, lows, conditions), _merged(fact, highs, conditions)
    if not (varied(low) or varied(high)):
        return PerJitter(low, high)
    both = _merged(fact, (*lows, *highs), conditions)
    if fact.exact:
        return PerJitter(both, both) if {*low} & {*high} else PerJitter(low, high)
    if len(low) == len(high) == len(both) == 1:
        match low[0], high[0], both[0]:
            case Time() as one, Time() as other, Time() as all_seen:
                return PerJitter(*((each,) for each in _sampled(one, other, all_seen, conditions.slack)))
            case tuple() as ones, tuple() as others, tuple() as seen:
                pairs = [_sampled(*three, conditions.slack) for three in zip(ones, others, seen, strict=True)]
                return PerJitter((tuple(one for one, _ in pairs),), (tuple(other for _, other in pairs),))
    return PerJitter(low, high)


def _sampled(low: Time | None, high: Time | None, both: Time | None, slack: Slack) -> tuple[Time | None, Time | None]:
    """A time at low and high: each the range of all that was seen where one varied and both meet."""
    samples = low is not None and high is not None and (low.width or high.width) and near(low, high, slack)
    return (both, both) if samples else (low, high)


def varied(values: Alternatives) -> bool:
    """Whether a fact at one jitter was not one and the same: several values, or a time that is a range."""
    times = [time for value in values for time in (value if isinstance(value, tuple) else (value,))]
    return len(values) > 1 or any(isinstance(time, Time) and time.width > 0 for time in times)


def _merged(fact: Fact, calls: Sequence[Call], conditions: Conditions) -> Alternatives:
    values = [fact.of(call, DIGITS[conditions.clock]) for call in calls]
    if fact.exact:
        return accepted(fact, values)
    if fact.kind is TIME:
        times = [value for value in values if isinstance(value, Time)]
        unknown: list[Value] = [None] if len(times) < len(values) else []
        return accepted(fact, unknown + ([_range(times, conditions.slack)] if times else []))
    lists = [value for value in values if isinstance(value, tuple)]
    lengths = dict.fromkeys(len(one) for one in lists)
    return accepted(
        fact,
        [_ranges([one for one in lists if len(one) == length], conditions.slack) for length in lengths],
    )


def _range(times: Sequence[Time], slack: Slack) -> Time:
    """Several times as one: the least, since noise only ever adds; a range where they lie beyond the slack."""
    least, most = min(time.least for time in times), max(time.most for time in times)
    within = near(Time(least, least), Time(most, most), slack)
    return Time(least, least) if within else Time(least, most)


def _ranges(lists: Sequence[Times], slack: Slack) -> Times:
    columns = zip(*lists, strict=True)
    merged: list[Time | None] = []
    for column in columns:
        known = [time for time in column if time is not None]
        # Known in one measurement and not in the other: nothing that could be compared.
        merged.append(_range(known, slack) if len(known) == len(column) else None)
    return tuple(merged)


def completed(facts: CallFacts) -> CallFacts:
    """Add the defaults that a file left out, for facts that hold at least `attempts`."""
    sides = _sides(facts)
    for name, fact in FACTS.items():
        for side in sides.values():
            if name not in side and fact.default is not None:
                side[name] = fact.default(side)
    return {name: PerJitter(sides["low"][name], sides["high"][name]) for name in FACTS}


def essential(facts: CallFacts, conditions: Conditions) -> CallFacts:
    """Leave out the facts of a whole call that `completed` brings back."""
    sides = _sides(facts)

    def told(name: str, fact: Fact) -> bool:
        if fact.default is None or name == "starts":
            return False
        return all(fact.default(side) == side[name] for side in sides.values())

    return without_told_starts(
        {name: both for name, both in facts.items() if not told(name, FACTS[name])}, facts, conditions
    )


def without_told_starts(kept: CallFacts, facts: CallFacts, conditions: Conditions) -> CallFacts:
    """Leave out the starts where waits and attempts stand in `facts` and tell them."""
    starts = FACTS["starts"]
    if starts.default is None or not {"attempts", "waits", "starts"} <= facts.keys():
        return kept
    slack = Slack(conditions.slack.seconds * _TOLD, conditions.slack.share * _TOLD)
    told = [_same(starts, starts.default(side), side["starts"], slack) for side in _sides(facts).values()]
    return {name: both for name, both in kept.items() if name != "starts"} if all(told) else kept


def _sides(facts: CallFacts) -> dict[Jitter, dict[str, Alternatives]]:
    return {jitter: {name: both.at(jitter) for name, both in facts.items()} for jitter in JITTERS}


def same_facts(one: CallFacts, two: CallFacts, conditions: Conditions, names: Iterable[str] = FACTS) -> bool:
    """Whether two calls can share one entry: exact facts equal, times within half the slack."""
    slack = Slack(conditions.slack.seconds * _FOLDED, conditions.slack.share * _FOLDED)
    return all(_same(FACTS[name], one[name].at(j), two[name].at(j), slack) for name in names for j in JITTERS)


def _same(fact: Fact, one: Alternatives, two: Alternatives, slack: Slack) -> bool:
    if fact.exact or len(one) != len(two):
        return one == two
    return all(_alike(first, second, slack) for first, second in zip(one, two, strict=True))


def _alike(one: Value, two: Value, slack: Slack) -> bool:
    if isinstance(one, tuple) and isinstance(two, tuple):
        return all_alike(one, two, slack)
    if isinstance(one, Time | None) and isinstance(two, Time | None):
        return alike(one, two, slack)
    return one == two
