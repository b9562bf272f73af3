"""The facts of calls as a baseline writes them, and back."""

from typing import Any

import pytest
from tests.drift.making import NOT_MADE_CALL, call, chain, measured, silence, waiting

from failsame.facts import FACTS, FactError, Measurement, labelled, read_recorded, recorded, write_recorded
from failsame.observation import Call


def written(*measurements: Measurement) -> dict[str, Any]:
    facts = write_recorded(recorded(measurements))
    return {label: value for label, value in facts.items() if label.startswith("call")}


WRITTEN = {
    "defaults are left out, outcome and code are one": (
        measured(call(1, 0.0, code="InternalError")),
        {"attempts": 1, "connections": 1, "give_up": [0.0, 0.0], "outcome": "sdk.Error InternalError"},
    ),
    "times are pairs, jitter low and high": (
        measured(call(3, 0.0), call(3, 0.15, waits=(0.05, 0.1))),
        {
            "attempts": 3,
            "connections": 1,
            "give_up": [0.0, 0.15],
            "outcome": "sdk.Error",
            "waits": [[0.0, 0.05], [0.0, 0.1]],
        },
    ),
    "starts stand where the waits do not tell them": (
        measured(silence(2, 60.0)),
        {
            "attempts": 2,
            "connections": 2,
            "give_up": [120.0, 120.0],
            "outcome": "sdk.Timeout",
            "starts": [[0.0, 0.0], [60.0, 60.0]],
        },
    ),
    "what depends on jitter is split": (
        measured(call(1, 0.0), call(2, 1.0, waits=(1.0,))),
        {
            "attempts": {"low": 1, "high": 2},
            "connections": 1,
            "give_up": [0.0, 1.0],
            "outcome": "sdk.Error",
            "waits": {"low": [], "high": [1.0]},
        },
    ),
    "a call that never ends has neither outcome nor give_up": (
        measured(waiting()),
        {"attempts": 1, "connections": 1, "still_waiting": True},
    ),
    "a call that was not made": (measured(NOT_MADE_CALL), {"attempts": 0, "outcome": "not made"}),
    "the kernel's own attempt has no start": (
        measured(call(1, 9.0, starts=[None], dead_connection_reused=True)),
        {
            "attempts": 1,
            "connections": 1,
            "dead_connection_reused": True,
            "give_up": [9.0, 9.0],
            "outcome": "sdk.Error",
            "starts": [[None, None]],
        },
    ),
    "a chain": (
        measured(chain(("primary", 0.0, 60.0), ("fallback", 60.0, 180.0), give_up=180.0, attempts_after_answer=1)),
        {
            "attempts": 2,
            "attempts_after_answer": 1,
            "connections": 2,
            "endpoints": ["primary", "fallback"],
            "give_up": [180.0, 180.0],
            "lasted": [[60.0, 60.0], [120.0, 120.0]],
            "outcome": "sdk.Timeout",
            "starts": [[0.0, 0.0], [60.0, 60.0]],
        },
    ),
    "a chain that depends on jitter": (
        measured(chain(("primary", 0.0, None), give_up=9.0), chain(("fallback", 0.0, 9.0), give_up=9.0)),
        {
            "attempts": 1,
            "connections": 1,
            "endpoints": {"low": ["primary"], "high": ["fallback"]},
            "give_up": [9.0, 9.0],
            "lasted": [[None, 9.0]],
            "outcome": "sdk.Timeout",
        },
    ),
    "all the rest": (
        measured(call(1, 0.0, other_requests={"PUT /token": 2}, key_kept=False, late_attempts=1, data_lost=True)),
        {
            "attempts": 1,
            "connections": 1,
            "data_lost": True,
            "give_up": [0.0, 0.0],
            "key_kept": False,
            "late_attempts": 1,
            "other_requests": {"PUT /token": 2},
            "outcome": "sdk.Error",
        },
    ),
}


@pytest.mark.parametrize(("measurement", "facts"), WRITTEN.values(), ids=WRITTEN)
def test_a_call_in_a_baseline(measurement: Measurement, facts: Any) -> None:
    """Each fact is written in its one form, and read back as it was."""
    assert written(measurement) == {"call 1": facts}
    both = recorded([measurement])
    assert write_recorded(read_recorded(write_recorded(both))) == write_recorded(both)


def test_equal_neighbours_are_folded() -> None:
    """A quota's 20 calls are three lines; times apart by less than half the slack count as equal."""
    calls = [call(3, 0.001 * number, waits=(0.0, 0.0)) for number in range(17)] + [call(2)] + [call(1)] * 2
    assert list(written(measured(calls))) == ["calls 1-17", "call 18", "calls 19-20"]
    assert (
        read_recorded(write_recorded(recorded([measured(calls)]))).calls[17] == recorded([measured(call(2))]).calls[0]
    )


def test_small_steps_do_not_add_up() -> None:
    """Calls that grow slower by less than the slack each are not all folded into the first."""
    calls = [call(1, 0.02 * number) for number in range(10)]
    assert list(written(measured(calls))) == ["calls 1-2", "calls 3-4", "calls 5-6", "calls 7-8", "calls 9-10"]


def test_an_exact_fact_that_varied_has_every_value_seen() -> None:
    """Two measurements with 3 and 4 attempts make `any`; a list keeps both lengths."""
    facts = written(measured(call(3)), measured(call(4)))["call 1"]
    assert facts["attempts"] == {"any": [3, 4]}
    assert facts["waits"] == {
        "low": {"any": [[0.0, 0.0], [0.0, 0.0, 0.0]]},
        "high": {"any": [[0.0, 0.0], [0.0, 0.0, 0.0]]},
    }


def test_a_time_within_the_slack_is_stored_once_and_beyond_it_as_a_range() -> None:
    """The least of two near times stands, since noise only adds; two that are apart are both ends of a range.

    They were drawn at one jitter, so those of the other are samples, too.
    """
    near = written(measured(call(1, 5.02), call(1, 9.03)), measured(call(1, 5.01), call(1, 9.0)))["call 1"]
    assert near["give_up"] == [5.01, 9.0]
    apart = written(measured(call(1, 5.02), call(1, 5.0)), measured(call(1, 4.0), call(1, 9.0)))["call 1"]
    assert apart["give_up"] == {"sampled": [4.0, 9.0]}


def test_samples_of_a_client_whose_draws_could_not_be_pinned_are_one_range() -> None:
    """Jitter low and high are then but two samples: both get the range of all, and every exact value."""
    facts = written(
        measured(call(1, 3.0), call(2, 7.0)),
        measured(call(1, 2.0), call(1, 5.0)),
    )["call 1"]
    assert facts["give_up"] == {"sampled": [2.0, 7.0]}
    assert facts["attempts"] == {"any": [1, 2]}


@pytest.mark.parametrize(("clock", "stored"), [("skip", 1.235), ("real", 1.23)])
def test_times_are_stored_as_finely_as_the_clock_tells(clock: str, stored: Any) -> None:
    """1 ms in skipped time, 10 ms in real time."""
    facts = write_recorded(recorded([measured(call(1, 1.2346), clock=clock)]))["call 1"]
    assert isinstance(facts, dict)
    assert facts["give_up"] == [stored, stored]


def test_the_conditions_are_those_that_hold_for_both_jitters() -> None:
    """A high trial that fell back to real time, unaligned, makes the whole scenario so."""
    both = measured(call())
    high = both.high.model_copy(update={"clock": "real", "horizon": 33.0, "aligned": False})
    facts = write_recorded(recorded([type(both)(both.low, high)]))
    assert (facts["clock"], facts["horizon"], facts["aligned"]) == ("real", 33, False)


def test_a_report_gets_every_fact() -> None:
    """What a report is given leaves nothing out, so that a default cannot be taken for unknown."""
    assert list(labelled(recorded([measured(call())]))["call 1"]) == sorted(FACTS)


BROKEN = {
    "no such label": ({"call one": {"attempts": 1}}, '"call one" is neither `call N` nor `calls N-M`'),
    "a label backwards": ({"calls 3-2": {"attempts": 1}}, '"calls 3-2" ends before it begins'),
    "a label twice": ({"calls 1-2": {"attempts": 1}, "call 2": {"attempts": 1}}, "call 2: call 2 stands there twice"),
    "a gap": ({"call 1": {"attempts": 1}, "call 3": {"attempts": 1}}, "call 2 is missing"),
    "no call": ({}, "call 1 is missing"),
    "an unknown fact": ({"call 1": {"attemps": 1}}, 'call 1: unknown fact "attemps", did you mean attempts?'),
    "no attempts": ({"call 1": {"outcome": "ok"}}, 'call 1 has no "attempts"'),
    "a truth as a count": ({"call 1": {"attempts": True}}, "call 1: attempts: true is not a count"),
    "a count as a truth": (
        {"call 1": {"attempts": 1, "data_lost": 1}},
        "call 1: data_lost: 1 is neither true nor false",
    ),
    "a time that is no pair": (
        {"call 1": {"attempts": 1, "give_up": 3.0}},
        "call 1: give_up: 3.0 is not a pair of seconds, jitter low and high",
    ),
    "an endless time": (
        {"call 1": {"attempts": 1, "give_up": [float("inf"), 1]}},
        "call 1: give_up: Infinity is not a number of seconds",
    ),
    "a range backwards": (
        {"call 1": {"attempts": 1, "give_up": {"sampled": [2, 1]}}},
        'call 1: give_up: {"sampled": [2, 1]} is not a range of seconds',
    ),
    "facts that are none": ({"call 1": 3}, "call 1: 3 does not map facts to values"),
    "no value of any": (
        {"call 1": {"attempts": {"any": []}}},
        'call 1: attempts: {"any": []} does not list 1 to 16 values',
    ),
}


@pytest.mark.parametrize(("calls", "said"), BROKEN.values(), ids=BROKEN)
def test_a_broken_scenario_says_what_is_wrong(calls: Any, said: str) -> None:
    """The message names the call, the fact and the value."""
    with pytest.raises(FactError) as caught:
        read_recorded({"clock": "skip", "horizon": 3600, **calls})
    assert str(caught.value) == said


def test_every_exact_fact_of_a_call_is_in_the_table() -> None:
    """A new field of a call is a fact, or stands here as a note."""
    notes = {"code", "elsewhere"}  # the code is part of the outcome
    assert {*Call.model_fields, "lasted"} - notes == set(FACTS)  # how long attempts lasted is made of their starts


def test_what_was_pinned_stays_so_beside_what_varied() -> None:
    """A race in one wait at high opens neither the other waits nor low; nor do attempts that only high showed."""
    low = call(5, 4.5, waits=(0.5, 1.0, 2.0, 1.0))
    highs = [call(5, 8.0, waits=(1.0, 2.0, 4.0, last)) for last in (2.0, 2.6)]
    facts = written(*(measured(low, high) for high in highs))["call 1"]
    assert facts["waits"][:3] == [[0.5, 1.0], [1.0, 2.0], [2.0, 4.0]]
    assert facts["waits"][3] == [1.0, {"sampled": [2.0, 2.6]}] or facts["waits"][3] == {"sampled": [1.0, 2.6]}
    attempts = written(measured(call(3), call(5)), measured(call(3), call(6)))["call 1"]["attempts"]
    assert attempts == {"low": 3, "high": {"any": [5, 6]}}
