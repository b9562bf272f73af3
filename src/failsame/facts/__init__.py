"""The facts of a call: one table, read from calls, written in baselines, folded over equal neighbours."""

from failsame.facts.calls import JITTERS, CallFacts, same_facts, varied
from failsame.facts.jitters import PerJitter, accepted, read_fact, write_fact, write_side
from failsame.facts.kinds import Counts, FactError, Names, Time, Times, Value, quoted
from failsame.facts.labels import Run, fold, numbers
from failsame.facts.laying import laid_over
from failsame.facts.recorded import (
    Measurement,
    Patch,
    Recorded,
    labelled,
    of_calls,
    read_patch,
    read_recorded,
    recorded,
    write_patch,
    write_recorded,
)
from failsame.facts.slack import SLACK, UNALIGNED, Conditions, Slack, alike, near
from failsame.facts.table import FACTS, Alternatives, Fact, fact_named

__all__ = [
    "FACTS",
    "JITTERS",
    "SLACK",
    "UNALIGNED",
    "Alternatives",
    "CallFacts",
    "Conditions",
    "Counts",
    "Fact",
    "FactError",
    "Measurement",
    "Names",
    "Patch",
    "PerJitter",
    "Recorded",
    "Run",
    "Slack",
    "Time",
    "Times",
    "Value",
    "accepted",
    "alike",
    "fact_named",
    "fold",
    "labelled",
    "laid_over",
    "near",
    "numbers",
    "of_calls",
    "quoted",
    "read_fact",
    "read_patch",
    "read_recorded",
    "recorded",
    "same_facts",
    "varied",
    "write_fact",
    "write_patch",
    "write_recorded",
    "write_side",
]
