"""Whether a budget is kept, as far as its numbers are known; and what to do where they are not."""

from bisect import bisect_left
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass, field, replace
from math import inf
from typing import Literal

from failsame.budgets.amount import NOTHING, Amount
from failsame.budgets.budget import Budget
from failsame.budgets.client import Client, Reading
from failsame.budgets.evaluate import amount_of
from failsame.budgets.results import LONGEST
from failsame.budgets.tree import Node, Rule, terms

Verdict = Literal["kept", "broken", "unmeasured", "left-out"]
"""`left-out`: the run was asked for too little to tell."""

Clients = Mapping[str, Client]
"""Every subject by its name."""

Place = tuple[str, str]
"""A subject and one of its scenarios."""


@dataclass(frozen=True)
class Judged:
    """What became of a budget, with the numbers put in."""

    verdict: Verdict
    left: Amount
    right: Amount
    room: Amount
    """How much is left before it breaks, slack included; below 0 it is broken."""
    readings: tuple[Reading, ...]
    """Each term once, in the order of the rule."""
    why: str | None = None
    """Why it is `unmeasured` or `left-out`, in one line."""
    longer: Mapping[Place, float] = field(default_factory=dict)
    """The horizons to measure again with: it is `unmeasured` only as long as that was not done."""
    places: tuple[Place, ...] = ()
    """The scenarios that make its numbers what they are."""


def judge(budget: Budget, owner: str, clients: Clients) -> Judged:
    """Judge a budget of the subject `owner`."""
    judged = _judge(budget, owner, clients)
    waiting = {(each.term.subject or owner, name) for each in judged.readings for name in each.longer}
    if judged.verdict in ("kept", "broken") or not waiting:
        return judged
    return replace(judged, verdict="unmeasured", longer=_longer(budget, owner, clients, waiting))


def confirm(first: Judged, one: Judged, two: Judged) -> tuple[Judged, int]:
    """Give the verdict that two more measurements agree on, and how many measurements agree; else it is unmeasured."""
    if one.verdict != two.verdict:
        three = ", then ".join(each.verdict for each in (first, one, two))
        why = f"measured three times, and the last two do not agree: {three}"
        return replace(one, verdict="unmeasured", why=why, longer={}), 0
    return (first, 3) if first.verdict == one.verdict else (one, 2)


def _judge(budget: Budget, owner: str, clients: Clients) -> Judged:
    own = {**clients, owner: replace(clients[owner], declared=budget.declared)}
    rule = budget.rule
    named = {term.text: term for term in (*terms(rule.left), *terms(rule.right))}
    readings = {text: own[term.subject or owner].reading(term) for text, term in named.items()}
    left, right = (amount_of(side, lambda term: _amount(readings[term.text])) for side in (rule.left, rule.right))
    spare = right - left if rule.sign in ("<", "<=") else left - right
    room = spare + Amount(budget.slack, budget.slack)
    kept = _kept(room, strict=rule.sign in ("<", ">"))
    why, aside = _unknown(readings.values()) if kept is None else (None, False)
    if never := [each.term for each in readings.values() if each.amount is None and each.term.end == "floor"]:
        # A client that never waits before a retry keeps every rule that its shortest wait is no shorter than so much.
        kept = True if never == [_at_least(rule)] else None
        why = None if kept else f"it never waits, so there is no {never[0].text}: let that stand alone as what is more"
        aside = False
    return Judged(
        verdict="left-out" if aside else "unmeasured" if kept is None else "kept" if kept else "broken",
        left=left,
        right=right,
        room=room,
        readings=tuple(readings.values()),
        why=why,
        places=_places(readings.values(), owner),
    )


def _at_least(rule: Rule) -> Node:
    """The side that may be as large as it likes."""
    return rule.right if rule.sign in ("<", "<=") else rule.left


def _amount(reading: Reading) -> Amount:
    if reading.amount is not None:
        return reading.amount
    return Amount(inf, inf) if reading.term.end == "floor" else NOTHING


def _kept(room: Amount, *, strict: bool) -> bool | None:
    """Whether a rule with so much room is kept; None if that is not known."""
    if room.least > 0 or (room.least == 0 and not strict):
        return True
    if room.most < 0 or (room.most == 0 and strict):
        return False
    return None


def _unknown(readings: Iterable[Reading]) -> tuple[str, bool]:
    """Why the numbers do not tell, and whether that is only because nobody asked for them."""
    unknown = [each for each in readings if each.why is not None]
    missing = [each for each in unknown if not each.aside]
    for each in (*missing, *unknown):
        return f"{each.term.text}: {each.why}", not missing
    return "both sides are endless, or it divides by a number that can be 0", False


def _places(readings: Iterable[Reading], owner: str) -> tuple[Place, ...]:
    found = ((each.term.subject or owner, each.scenario) for each in readings)
    return tuple(dict.fromkeys((subject, scenario) for subject, scenario in found if scenario is not None))


def _longer(budget: Budget, owner: str, clients: Clients, waiting: Collection[Place]) -> dict[Place, float]:
    """How long to watch calls that are still waiting: until the rule is decided even if they go on waiting.

    Where that would take longer than calls are ever watched they may yet end before.
    """

    def decided(seconds: int) -> bool:
        later = {name: client.until(seconds) for name, client in clients.items()}
        return _judge(budget, owner, later).verdict in ("kept", "broken")

    seconds = range(1, int(max(LONGEST.values())) + 1)
    reach = float(seconds[min(bisect_left(seconds, True, key=decided), len(seconds) - 1)])
    # One second more, so that the longer measurement leaves no doubt.
    return {
        (subject, name): min(reach + 1, LONGEST[clients[subject].scenarios[name].conditions.clock])
        for subject, name in sorted(waiting)
    }
