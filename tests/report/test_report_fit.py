"""A report always fits into a comment, and says what it left out for that."""

from tests.report.reports import BOTOCORE, CLIENT_ERROR, call, drifted, report, retried, scenario, subject

from failsame.pins.model import Change
from failsame.report import Report, markdown
from failsame.report.fit import FITS
from failsame.report.model import LeftOut, SubjectReport
from failsame.suite.scenarios import SCENARIOS

URLLIB3 = Change(package="urllib3", before="1.26.20", after="2.8.0", lock="uv.lock", line=1040, through=("requests",))


def worst(name: str) -> SubjectReport:
    """A subject in which every scenario drifts in every way there is, each in its own."""
    scenarios = []
    for place, fault in enumerate(SCENARIOS, start=1):
        calls = SCENARIOS[fault].calls
        before = call(5, waits=(place, 2.0, 4.0, 8.0), key_kept=True, other_requests={"GET /before": place})
        after = call(
            3,
            f"botocore.Failure{place}",
            code="InternalError",
            waits=(0.05 * place, 0.1),
            connections=3,
            key_kept=False,
            dead_connection_reused=True,
            late_attempts=place,
            other_requests={"GET /after": place},
        )
        scenarios.append(
            drifted(
                scenario(fault, *[before] * calls, clock="skip", horizon=3600),
                scenario(fault, *[after] * calls, clock="skip", horizon=3600),
                BOTOCORE,
                URLLIB3,
            )
        )
    return subject(name, *scenarios, verdict="drift", left_out=(LeftOut(scenario="own", why="it does not fit"),))


def many(number: int, one: SubjectReport) -> Report:
    """A report of so many subjects that behave alike."""
    subjects = [one.model_copy(update={"name": f"subject-{place}"}) for place in range(number)]
    return report("drift", *subjects, changes=(BOTOCORE, URLLIB3))


def test_eight_subjects_that_drift_in_everything() -> None:
    """All eight keep their table and the choices stay; the tables of single scenarios go, and the page says so."""
    shown = markdown(many(8, worst("s")))
    assert len(shown) <= FITS
    assert "Cut to fit into a comment: the tables of what is unchanged, the changes scenario by scenario" in shown
    assert "`--report`" in shown
    for place in range(8):
        assert f"**`subject-{place}`** (built in)" in shown
    assert shown.count("| --- | --- | --- |") == 8
    assert "**Your choices**" in shown
    assert "Reproduce: " in shown


def test_nothing_is_cut_that_fits() -> None:
    """A report that fits is shown whole."""
    shown = markdown(many(1, worst("s")))
    assert "Cut to fit" not in shown
    assert "scenarios changed · one by one" in shown


def test_what_is_unchanged_goes_first() -> None:
    """Where the tables of unchanged scenarios make it too long, nothing else is lost."""
    same = [scenario(name, call(1, CLIENT_ERROR)) for name in SCENARIOS]
    one = subject("s", retried("status-500"), *same[1:], verdict="drift")
    shown = markdown(many(20, one))
    assert len(shown) <= FITS
    assert "Cut to fit into a comment: the tables of what is unchanged. The file" in shown
    assert f"{20 * len(same[1:]):,} scenarios are unchanged" in shown


def test_any_number_of_subjects() -> None:
    """However many subjects drift, the verdict, some subjects and the choices fit."""
    shown = markdown(many(500, subject("s", retried("status-500"), verdict="drift")))
    assert len(shown) <= FITS
    assert "500 of 500 subjects behave differently" in shown
    assert "**`subject-0`** (built in)" in shown
    assert "how each subject was measured, 438 subjects. The file that" in shown
    assert "**Your choices**" in shown
