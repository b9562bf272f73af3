"""Upgrades that change how clients fail, and some that do not: two reports, compared."""

import re

import pytest
from tests.facts.measuring import HORIZON, subject_of
from tests.facts.pairs import PAIRS, Pair

from failsame.drift import Drift
from failsame.gate import compare_reports, exit_code
from failsame.report import Report, markdown
from failsame.suite import SCENARIOS

pytestmark = pytest.mark.install


def alone(report: Report, subject: str) -> Report:
    """The report of a run of this subject only; both sides of an upgrade have one name."""
    renamed = subject_of(report, subject).model_copy(update={"name": "client"})
    return report.model_copy(update={"subjects": (renamed,)})


def compared(measured: Report, old: str, new: str) -> Report:
    """What `failsame compare` makes of a run before and a run after the upgrade."""
    return compare_reports(alone(measured, old), alone(measured, new), "before.json")


def told(drift: Drift) -> object:
    """A drift as the table has it."""
    timed = drift.severity == "times"
    return drift.fact if timed else (drift.fact, drift.before, drift.after)


SHOWN = [pair for pair in PAIRS if pair.horizons[0] <= HORIZON < pair.horizons[1]]


@pytest.mark.parametrize("pair", SHOWN, ids=str)
def test_an_upgrade_drifts_in_what_was_measured_and_nothing_else(measured: Report, pair: Pair) -> None:
    """The scenarios that drift, the facts they drift in and the known change; where there are none, `same`."""
    report = compared(measured, pair.old, pair.new)
    expected = {name: facts for name, facts in pair.drifts.items() if pair.beyond.get(name, 0) <= HORIZON}
    (subject,) = report.subjects
    hidden = {name for name, horizon in pair.beyond.items() if horizon > HORIZON} | set(expected)
    found = {each.name: each for each in subject.scenarios if each.verdict not in ("same", "new")}
    assert found.keys() <= hidden
    assert {name: tuple(told(drift) for drift in found[name].drifts) for name in expected} == expected
    assert {drift.advisory for name in expected if name in SCENARIOS for drift in found[name].drifts} == (
        {pair.advisory} if expected else set()
    )
    assert (report.verdict, int(exit_code(report))) == (("drift", 1) if found else ("same", 0))


def test_both_sides_of_an_unchanged_client_ran_the_whole_suite(measured: Report) -> None:
    """`same` is said of every scenario that fits, not of a few."""
    unchanged = (
        ("httpx-0-27", "httpx-0-28"),
        ("requests-urllib3-2-0", "requests-urllib3-2-8"),
        ("axios-1-7", "axios-1-21"),
    )
    for old, new in unchanged:
        names = [{each.name for each in subject_of(measured, name).scenarios} for name in (old, new)]
        assert names[0] == names[1]
        assert len(names[0]) >= 33


def test_half_an_answer_that_passed_for_a_whole_one_is_called_that(measured: Report) -> None:
    """urllib3 1.26 loses data silently: the report says so, calls the upgrade safer, and the way back riskier."""
    upgrade = markdown(compared(measured, "requests-urllib3-1", "requests-urllib3-2-8"))
    downgrade = markdown(compared(measured, "requests-urllib3-2-8", "requests-urllib3-1"))
    lost = "as if all were well, though no answer came whole"
    assert f"returned {lost}, 1 attempt | **gives up at once with requests.ChunkedEncodingError**" in upgrade
    assert "**Safer:**" in upgrade
    assert "Riskier" not in upgrade
    assert f"| **returns {lost}**" in downgrade
    assert "**Riskier:**" in downgrade
    assert "Safer" not in downgrade


def test_a_call_that_now_ends_is_safer(measured: Report) -> None:
    """anthropic obeys the client's timeout since: what never ended, or after half an hour, ends within 5 s."""
    text = markdown(compared(measured, "anthropic-0-18-1", "anthropic-0-42-0"))
    assert re.search(r"gives up after \*{0,2}4\.[12]\d* to 4\.[56]\d* s", text)
    assert ("**Safer:**" in text) == (HORIZON < 1803)


def test_the_retry_change_is_told_in_words_and_known(measured: Report) -> None:
    """The report of botocore's change says it in a sentence, and that it is a known change."""
    text = markdown(compared(measured, "s3-before", "s3-after"))
    assert "tries 3 times instead of 5" in text
    assert "Known change in botocore (botocore#3678)" in text
