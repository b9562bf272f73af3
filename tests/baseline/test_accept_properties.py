"""Whatever a client did before and does now: once accepted or recorded, it is the same."""

from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st
from tests.baseline.recording import KNOWN, baseline

from failsame.baseline import accept, lay, lay_out, parse_baseline, parse_coming, record
from failsame.drift import contradictions
from failsame.facts import Measurement, recorded
from failsame.observation import NOT_MADE, Attempt, Call, Jitter, Observation
from failsame.pins.model import Change

CHANGE = Change(package="botocore", before="1.43", after="1.44", lock="uv.lock")
HORIZON = 60.0

waits = st.lists(st.none() | st.sampled_from([0.0, 0.05, 1.0, 4.0]), max_size=3)


@st.composite
def calls(draw: Any) -> list[Call]:
    """Two calls of a client; after one that was cut off no other is made."""
    made: list[Call] = []
    for _ in range(2):
        if made and made[-1].still_waiting:
            made.append(Call(outcome=NOT_MADE, attempts=0))
            continue
        pauses = draw(waits)
        starts = [0.0]
        for pause in pauses:
            starts.append(starts[-1] + (5.0 if pause is None else pause))
        ends = draw(st.booleans())
        made.append(
            Call(
                outcome=draw(st.sampled_from(["ok", "sdk.Error", "sdk.Timeout"])) if ends else None,
                attempts=len(starts),
                connections=draw(st.integers(1, 3)),
                give_up=starts[-1] + draw(st.sampled_from([0.0, 10.0, 58.0])) if ends else None,
                still_waiting=not ends,
                data_lost=ends and draw(st.booleans()),
                key_kept=draw(st.none() | st.booleans()) if pauses else None,
                waits=tuple(pauses),
                starts=tuple(Attempt(at=start, answer="x") for start in starts),
            )
        )
    return made


@st.composite
def measurements(draw: Any, clock: str | None = None) -> Measurement:
    """One measurement of both jitters."""
    clock = clock or draw(st.sampled_from(["skip", "real"]))

    def observed(jitter: Jitter) -> Observation:
        facts: dict[str, Any] = {"subject": "s3", "scenario": "closes-on-reuse", "clock": clock, "horizon": HORIZON}
        return Observation(jitter=jitter, calls=tuple(draw(calls())), **facts)

    return Measurement(observed("low"), observed("high"))


@settings(max_examples=25, deadline=None)
@given(measurements("skip"), measurements("skip"))
def test_what_was_accepted_is_the_same_afterwards(before: Measurement, after: Measurement) -> None:
    """Through both files: the base, and the coming file with only the facts that differ."""
    base = parse_baseline(lay_out(baseline(closes_on_reuse=before)), subject="s3", where="x")
    measured = recorded([after])
    found = contradictions(base.scenarios["closes-on-reuse"], measured)
    _, coming = accept(
        lay(base, {}, {}),
        packages={"botocore": "1.44"},
        runtime="python 3.13",
        changes=[CHANGE],
        measured={"closes-on-reuse": measured},
        drifts=(),
    )
    assert bool(coming.scenarios) == bool(found.facts)
    files = {"a": parse_coming(lay_out(coming), subject="s3", where="x")}
    laid = lay(base, files, {"botocore": "1.44"})
    assert not contradictions(laid.scenarios["closes-on-reuse"], measured).facts
    assert lay(base, files, {"botocore": "1.43"}).scenarios == base.scenarios


@settings(max_examples=25, deadline=None)
@given(measurements(), measurements(), measurements())
def test_what_was_recorded_is_the_same_afterwards(old: Measurement, one: Measurement, two: Measurement) -> None:
    """Over any older baseline; and recording the same again changes nothing."""
    two = Measurement(*(side.model_copy(update={"clock": one.low.clock}) for side in (two.low, two.high)))
    base = baseline(closes_on_reuse=old)
    for _ in range(2):
        written = lay_out(base)
        base = record(
            lay(parse_baseline(written, subject="s3", where="x"), {}, {}),
            subject="s3",
            runtime=base.runtime,
            packages=base.packages,
            settings={},
            fault_keys={},
            measured={"closes-on-reuse": [one, two]},
            known=KNOWN,
        )
        scenario = parse_baseline(lay_out(base), subject="s3", where="x").scenarios["closes-on-reuse"]
        for measurement in (one, two):
            assert not contradictions(scenario, recorded([measurement])).facts
    assert lay_out(base) == written
