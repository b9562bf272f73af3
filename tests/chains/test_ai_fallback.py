"""Two providers and three ways from one to the other, with the real SDKs of Anthropic and OpenAI, in skipped time."""

from collections.abc import Iterator

import pytest
from tests.facts.measuring import scenario_of, sides
from tests.node.noding import needs_node

from failsame.gate import compare_reports, exit_code
from failsame.observation import Call
from failsame.report import Report, markdown

pytestmark = [pytest.mark.install, needs_node]

DEADLINE = 110.0
LANGUAGES = ("python", "node")

Turn = tuple[str, float, float | None]
PRIMARY: Turn = ("primary", 0, 60)

# Chain and scenario -> when the call gives up (None: never) or is answered, and each attempt: endpoint, start, length.
ROWS: dict[tuple[str, str], tuple[float | None, tuple[Turn, ...]]] = {
    ("added-timeouts", "all-silent"): (180, (PRIMARY, ("fallback", 60, 120))),
    ("added-timeouts", "first-late-then-silent"): (166, (("primary", 0, 46), ("fallback", 46, 120))),
    ("added-timeouts", "first-drip"): (None, (("primary", 0, None),)),
    ("shared-deadline", "all-silent"): (110, (PRIMARY, ("fallback", 60, 50))),
    ("shared-deadline", "first-late-then-silent"): (110, (("primary", 0, 46), ("fallback", 46, 64))),
    ("shared-deadline", "first-drip"): (110, (("primary", 0, 110),)),
    ("deadline-inside-the-loop", "all-silent"): (170, (PRIMARY, ("fallback", 60, 110))),
    ("deadline-inside-the-loop", "first-late-then-silent"): (156, (("primary", 0, 46), ("fallback", 46, 110))),
    ("deadline-inside-the-loop", "first-drip"): (110, (("primary", 0, 110), ("fallback", 110, 0))),
}


def calls(report: Report, chain: str, scenario: str, languages: tuple[str, ...] = LANGUAGES) -> Iterator[Call]:
    """The call in these languages at both jitters."""
    for language in languages:
        found = scenario_of(report, f"{chain}-{language}", scenario)
        assert found is not None
        assert (found.clock, found.clock_note) == ("skip", None)
        (both,) = sides(found)
        yield from (seen.call for seen in both.values())


@pytest.mark.parametrize(("chain", "scenario"), ROWS, ids=[" ".join(row) for row in ROWS])
def test_a_chain(once: Report, chain: str, scenario: str) -> None:
    """When it gives up, whom it asks, when each was asked and for how long: to the hundredth of a second."""
    give_up, turns = ROWS[chain, scenario]
    for call in calls(once, chain, scenario):
        assert call.endpoints == tuple(name for name, _, _ in turns)
        assert [attempt.at for attempt in call.starts] == pytest.approx([at for _, at, _ in turns], abs=0.01)
        for lasted, (_, _, expected) in zip(call.lasted, turns, strict=True):
            assert lasted is None if expected is None else lasted == pytest.approx(expected, abs=0.01)
        assert call.still_waiting == (give_up is None)
        assert call.give_up is None if give_up is None else call.give_up == pytest.approx(give_up, abs=0.01)


def started_late(report: Report, chain: str) -> set[str]:
    """The scenarios in which an attempt began at the deadline or after it."""
    return {
        scenario
        for of, scenario in ROWS
        if of == chain
        for call in calls(report, chain, scenario)
        if call.late_attempts or any(attempt.at is not None and attempt.at >= DEADLINE for attempt in call.starts)
    }


def test_nothing_is_asked_after_a_deadline_that_is_shared(once: Report) -> None:
    """Made outside the loop it ends everything, a body that drips for ever included; made inside it does not."""
    assert started_late(once, "shared-deadline") == set()
    assert started_late(once, "deadline-inside-the-loop") == {"first-drip"}


def test_retries_multiply_the_sum(retried: Report) -> None:
    """Left on, the SDKs' own two retries make three times 60 and three times 120 s of it, and the waits."""
    for call in calls(retried, "added-timeouts-and-retries", "all-silent", ("node",)):
        assert call.endpoints == ("primary",) * 3 + ("fallback",) * 3
        assert call.lasted == pytest.approx((60,) * 3 + (120,) * 3, abs=0.01)
        assert call.give_up is not None
        assert 540 < call.give_up < 546


def alone(report: Report, subject: str) -> Report:
    """A report of this subject alone, under a name of its own."""
    (found,) = (each for each in report.subjects if each.name == subject)
    return report.model_copy(update={"subjects": (found.model_copy(update={"name": "assistant"}),)})


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_deadline_that_moves_into_the_loop_is_drift(once: Report, language: str) -> None:
    """Compared with the version that shares it: the fallback is asked after the deadline, and the sums are longer."""
    old, new = (alone(once, f"{chain}-{language}") for chain in ("shared-deadline", "deadline-inside-the-loop"))
    compared = compare_reports(old, new, "before")
    (subject,) = compared.subjects
    facts = {each.name: [drift.fact for drift in each.drifts] for each in subject.scenarios if each.drifts}
    assert facts == {
        "first-drip": ["outcome", "endpoints"],
        "all-silent": ["give_up"],
        "first-late-then-silent": ["give_up"],
    }
    assert exit_code(compared) == 1
    said = " ".join(markdown(compared).split())
    assert "asks primary from 0 to 110 s, then fallback at 110 s instead of primary from 0 to 110 s" in said
    assert "| when primary … | before | after |" in said
