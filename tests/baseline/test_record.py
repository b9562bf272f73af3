"""What recording leaves alone, and what it replaces."""

from collections.abc import Collection
from typing import Any

import pytest
from tests.baseline.recording import KNOWN, WAITING, baseline, call, measured

from failsame.baseline import Baseline, Coming, Laid, installed_with, lay, lay_out, parse_baseline, record
from failsame.baseline.when import Bound
from failsame.facts import Conditions, Measurement, Patch, recorded, write_recorded

REAL = {"clock": "real", "horizon": 33.0}
LONG = {"clock": "real", "horizon": 300.0}


def again(
    base: Baseline,
    known: Collection[str] = KNOWN,
    coming: dict[str, Coming] | None = None,
    **scenarios: list[Measurement],
) -> Baseline:
    laid = lay(base, coming or {}, installed_with({"botocore": "1.43.0", "urllib3": "2.0"}, "python 3.12"))
    return record(
        laid,
        subject="s3",
        runtime="python 3.12",
        packages={"botocore": "1.43.0"},
        settings={},
        fault_keys={},
        measured={name.replace("_", "-"): measurements for name, measurements in scenarios.items()},
        known=known,
    )


def test_within_the_slack_the_file_stays_to_the_byte() -> None:
    """Noise is no news."""
    base = baseline(status_500=measured(call(3, 10.0)))
    assert lay_out(again(base, status_500=[measured(call(3, 10.1)), measured(call(3, 9.9))])) == lay_out(base)


def test_only_what_changed_is_replaced() -> None:
    """Another number of attempts brings its own waits; the give-up time, within the slack, stays."""
    base = baseline(status_500=measured(call(3, 10.0), call(3, 10.0)))
    new = again(base, status_500=[measured(call(3, 10.04), call(2, 10.04))])
    facts = write_recorded(new.scenarios["status-500"])
    assert facts["call 1"] == write_recorded(base.scenarios["status-500"])["calls 1-2"]
    second = facts["call 2"]
    assert isinstance(second, dict)
    assert (second["attempts"], second["give_up"], second["waits"]) == (2, [10.0, 10.0], [[0.0, 0.0]])


REPLACED = {
    "a longer horizon": (WAITING, REAL, WAITING, LONG, True),
    "skipped time": (call(1, 10.0), LONG, call(1, 10.1), {"clock": "skip", "horizon": 3600.0}, True),
    "real time, not contradicting": (call(1, 10.0), {}, call(1, 10.1), LONG, False),
    "real time that is too short to tell": (call(1, 180.0), {}, WAITING, REAL, False),
    "real time, contradicting": (call(1, 10.0), {}, call(1, 12.0), LONG, True),
    "a shorter horizon": (WAITING, LONG, WAITING, REAL, False),
}


@pytest.mark.parametrize("row", REPLACED.values(), ids=REPLACED)
def test_when_a_scenario_is_replaced(row: Any) -> None:
    """By what was measured better, or what contradicts it; else the recorded value stands."""
    before, then, after, now, replaced = row
    base = baseline(status_500=measured(before, **then))
    new = again(base, status_500=[measured(after, **now)])
    expected = recorded([measured(after, **now)]) if replaced else base.scenarios["status-500"]
    assert new.scenarios["status-500"] == expected


def test_a_value_that_varies_is_recorded_as_a_set_and_then_left_alone() -> None:
    """Two measurements, 3 and 4 attempts: both stand there, and the next 3 changes nothing."""
    varying = again(baseline(status_500=measured(call(5))), status_500=[measured(call(3)), measured(call(4))])
    assert '"attempts": {"any": [3, 4]}' in lay_out(varying)
    assert lay_out(again(varying, status_500=[measured(call(3))] * 2)) == lay_out(varying)


LOOSE = {
    "several values": ([measured(call(3)), measured(call(4))], [measured(call(3))] * 2),
    "a range of samples": (
        [measured(call(2, 9.0, waits=(wait,))) for wait in (0.1, 9.0)],
        [measured(call(2, 9.0, waits=(5.0,)))] * 2,
    ),
}


@pytest.mark.parametrize(("before", "now"), LOOSE.values(), ids=LOOSE)
def test_what_was_loose_of_another_client_is_not_kept(before: list[Measurement], now: list[Measurement]) -> None:
    """A client that varied is no reason to let the next one vary: what is new is as strict as it was measured."""
    varying = again(baseline(status_500=measured(call(5))), status_500=before)
    assert again(varying, status_500=now) == varying
    upgraded = varying.model_copy(update={"packages": {"botocore": "1.42.0"}})
    assert again(upgraded, status_500=now).scenarios["status-500"] == recorded(now)


def test_another_client_is_one_that_fails_differently_somewhere() -> None:
    """The project's own code has no version: that a scenario contradicts its baseline says that it changed."""
    varying = again(baseline(status_500=measured(call(5))), status_500=[measured(call(3)), measured(call(4))],
                    status_503=[measured(call(5))] * 2)  # fmt: skip
    new = again(varying, status_500=[measured(call(3))] * 2, status_503=[measured(call(2))] * 2)
    assert new.scenarios["status-500"] == recorded([measured(call(3))])


def test_what_was_not_known_is_recorded_once_it_is() -> None:
    """Waits that a coming file left open are filled in; known ones are never emptied."""
    known, unknown = measured(call(3, waits=(0.05, 0.1))), measured(call(3, waits=(None, None)))
    assert again(baseline(status_500=unknown), status_500=[known] * 2).scenarios["status-500"] == recorded([known])
    assert again(baseline(status_500=known), status_500=[unknown] * 2) == baseline(status_500=known)


def test_a_call_that_no_longer_ends_takes_all_its_facts_along() -> None:
    """Its outcome and give-up time go, and the calls after it are not made."""
    base = baseline(status_500=measured(call(3, 1.0), call(3, 1.0)))
    not_made = call(0, None, waits=(), outcome="not made", connections=0)
    new = again(base, status_500=[measured(WAITING, not_made)])
    assert new.scenarios["status-500"] == recorded([measured(WAITING, not_made)])


def test_scenarios_that_were_not_measured_stay_unless_they_are_gone() -> None:
    """`record --scenario` keeps the others; an own scenario that was removed leaves the file."""
    base = baseline(status_500=measured(call()), silent=measured(WAITING), own_one=measured(call()))
    new = again(base, status_500=[measured(call(2))])
    assert set(new.scenarios) == {"status-500", "silent"}
    assert set(again(base, known={*KNOWN, "own-one"}).scenarios) == {"status-500", "silent", "own-one"}


def test_a_scenario_with_another_number_of_calls_is_recorded_anew() -> None:
    """An own scenario was edited."""
    base = baseline(status_500=measured(call()))
    new = again(base, status_500=[measured(call(), call())])
    assert len(new.scenarios["status-500"].calls) == 2


def test_coming_files_that_hold_are_folded_in() -> None:
    """Also into scenarios that were not measured this time; a tie is settled by what was measured."""

    def coming(attempts: int, **when: str) -> Coming:
        facts = recorded([measured(call(attempts))]).calls[0]
        patch = Patch(Conditions("skip", 3600.0), {1: {name: facts[name] for name in ("attempts", "waits")}})
        return Coming(
            suite=1, subject="s3", when={name: Bound.read(bound) for name, bound in when.items()},
            scenarios={"status-500": patch, "status-503": patch},
        )  # fmt: skip

    base = baseline(status_500=measured(call(5)), status_503=measured(call(5)))
    files = {"a": coming(3, botocore=">= 1.43"), "b": coming(2, urllib3=">= 2")}
    new = again(base, coming=files, status_500=[measured(call(3))] * 2)
    assert new.scenarios["status-500"] == recorded([measured(call(3))])
    facts = write_recorded(new.scenarios["status-503"])["call 1"]
    assert isinstance(facts, dict)
    assert facts["attempts"] == {"any": [2, 3]}


def test_a_first_recording() -> None:
    """Without a baseline everything is new."""
    laid: Laid | None = None
    new = record(laid, subject="s3", runtime="python 3.12", packages={"botocore": "1.43.0"},
                 settings={}, fault_keys={}, measured={"status-500": [measured(call(3))] * 2}, known=KNOWN)  # fmt: skip
    assert new == baseline(status_500=measured(call(3)))


def test_settings_are_written_and_mean_nothing() -> None:
    """The settings that a client showed and the request that was broken stand in the file, as they are now."""
    new = record(
        None,
        subject="s3",
        runtime="python 3.12",
        packages={},
        settings={"timeout": 5, "mode": "standard"},
        fault_keys={"main": "GET /"},
        measured={"status-500": [measured(call(3))] * 2},
        known=KNOWN,
    )
    text = lay_out(new)
    assert ' "settings": {\n  "mode": "standard",\n  "timeout": 5\n },' in text
    assert ' "fault_keys": {\n  "main": "GET /"\n },' in text
    assert parse_baseline(text, subject="s3", where="x") == new
    assert '"settings"' not in lay_out(again(new, status_500=[measured(call(3))] * 2))
