"""What holds of any observation."""

import json
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st
from tests.drift.making import call, measured, observation

from failsame.drift import Upgrade, contradictions, judge
from failsame.facts import SLACK, Measurement, read_recorded, recorded, write_recorded
from failsame.observation import KERNEL_GAVE_UP, NEVER_SETTLED, Attempt, Call, ClockName

UPGRADE = Upgrade(1, "s3")

seconds = st.integers(0, 400_000).map(lambda thousandths: thousandths / 1000)
moments = st.none() | seconds
outcomes = st.sampled_from(["ok", "sdk.Error", NEVER_SETTLED, KERNEL_GAVE_UP, "exit 3"]) | st.text(max_size=8)


@st.composite
def calls(draw: Any) -> Call:
    """Any call, also one that no client would make."""
    ended = draw(st.booleans())
    attempts = draw(st.integers(0, 5))
    return Call(
        outcome=draw(outcomes) if ended else None,
        code=draw(st.none() | st.text(max_size=5)) if ended else None,
        attempts=attempts,
        other_requests=draw(st.dictionaries(st.sampled_from(["GET /a", "PUT /b"]), st.integers(0, 5))),
        connections=draw(st.integers(0, 5)),
        give_up=draw(moments) if ended else None,
        still_waiting=not ended and draw(st.booleans()),
        still_trying=not ended and draw(st.booleans()),
        data_lost=ended and draw(st.booleans()),
        dead_connection_reused=draw(st.booleans()),
        key_kept=draw(st.none() | st.booleans()),
        late_attempts=draw(st.integers(0, 3)),
        waits=tuple(draw(moments) for _ in range(max(attempts - 1, 0))),
        starts=tuple(Attempt(at=draw(moments), over=draw(moments), answer="x") for _ in range(attempts)),
        endpoints=tuple(draw(st.sampled_from(["a", "b"])) for _ in range(attempts)) if draw(st.booleans()) else (),
        attempts_after_answer=draw(st.integers(0, 3)),
    )


@st.composite
def measurements(draw: Any) -> Measurement:
    """Any measurement, of one to four calls, in either clock."""
    number = draw(st.integers(1, 4))
    conditions = {
        "clock": draw(st.sampled_from(["skip", "real"])),
        "horizon": draw(st.sampled_from([33.0, 300.0, 3600.0])),
        "aligned": draw(st.booleans()),
    }
    low, high = ([draw(calls()) for _ in range(number)] for _ in range(2))
    return Measurement(observation("low", low, **conditions), observation("high", high, **conditions))


@settings(max_examples=100, deadline=None)
@given(measurements())
def test_facts_survive_the_file(measurement: Measurement) -> None:
    """Facts to calls under labels, to text, and back: the second writing is the first, to the byte."""
    written = write_recorded(recorded([measurement]))
    read = read_recorded(json.loads(json.dumps(written)))
    assert json.dumps(write_recorded(read)) == json.dumps(written)


@settings(max_examples=100, deadline=None)
@given(measurements())
def test_nothing_drifts_against_what_was_recorded_from_it(measurement: Measurement) -> None:
    """An observation is the same as its own baseline, also after that went through the file."""
    baseline = read_recorded(write_recorded(recorded([measurement])))
    assert not contradictions(baseline, recorded([measurement])).facts
    assert judge(baseline, measurement, UPGRADE).verdict in {"same", "unmeasured"}


@settings(max_examples=100, deadline=None)
@given(measurements(), measurements())
def test_neither_of_two_measurements_drifts_against_the_baseline_of_both(one: Any, two: Any) -> None:
    """What varied between the two measurements of `record` is accepted afterwards, if it was measured alike."""
    conditions = one.low.model_dump(include={"clock", "horizon", "aligned"})
    low, high = (side.model_copy(update=conditions) for side in (two.low, two.high))
    number = min(len(one.low.calls), len(low.calls))
    pair = [
        Measurement(
            low.model_copy(update={"calls": low.calls[:number]}), high.model_copy(update={"calls": high.calls[:number]})
        )
        for low, high in ((one.low, one.high), (low, high))
    ]
    baseline = read_recorded(write_recorded(recorded(pair)))
    for measurement in pair:
        assert not contradictions(baseline, recorded([measurement])).facts


@given(st.sampled_from(["skip", "real"]), seconds, st.floats(-1, 1))
def test_a_time_within_the_slack_never_drifts(clock: ClockName, baseline: Any, share: Any) -> None:
    """However near the edge."""
    slack = SLACK[clock]
    # A hundredth less: times are stored to so much.
    within = max(baseline + share * (slack.at(baseline) - 0.011), 0.0)
    assert judge(recorded([timed(clock, baseline)]), timed(clock, within), UPGRADE).verdict == "same"


@given(st.sampled_from(["skip", "real"]), seconds, st.floats(0.011, 50), st.sampled_from([-1, 1]))
def test_a_time_beyond_the_slack_always_drifts(clock: ClockName, baseline: Any, beyond: Any, sign: Any) -> None:
    """In both directions, as far as there are times below."""
    seen = baseline + sign * (SLACK[clock].at(baseline) + beyond)
    if seen >= 0:
        judgement = judge(recorded([timed(clock, baseline)]), timed(clock, seen), UPGRADE)
        assert [drift.fact for drift in judgement.drifts] == ["give_up"]


def timed(clock: ClockName, give_up: float) -> Measurement:
    return measured(call(1, give_up), clock=clock, horizon=3600.0)
