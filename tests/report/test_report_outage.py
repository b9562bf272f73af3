"""What an upgrade means for an outage: said only where every measurement says so."""

from typing import Any

from tests.report.reports import BOTOCORE, CLIENT_ERROR, call, drifted, failing, retried, scenario, subject

from failsame.report.outage import shorter_outage

SKIPPED: dict[str, Any] = {"clock": "skip", "horizon": 3600}


def test_the_least_that_was_bridged_and_the_most_that_is() -> None:
    """Of several kinds of outage the claim holds for all: the longest ceiling of now, the shortest of before."""
    short = drifted(
        failing("close-after-request", (1.0, 2.0), **SKIPPED),
        failing("close-after-request", (0.1,), **SKIPPED),
        BOTOCORE,
    )
    assert shorter_outage(subject("s", retried("status-500", **SKIPPED), short), "S3") == (
        "where S3 fails each request at once, an outage of more than 0.15 s will now reach your code as an error; "
        "before, retries could ride out up to 3 s."
    )


def test_no_retries_at_all() -> None:
    """Where a call now gives up at once, there is no shortest outage that it rides out."""
    gone = drifted(
        failing("status-500", (1.0, 2.0), **SKIPPED), scenario("status-500", call(1, CLIENT_ERROR), **SKIPPED), BOTOCORE
    )
    told = shorter_outage(subject("s", gone), "S3")
    assert told is not None
    assert "at once, even the shortest outage will now" in told


def test_not_where_one_kind_of_outage_is_as_before() -> None:
    """An outage in which connections are closed may be ridden out as before: then nothing is claimed of outages."""
    assert shorter_outage(subject("s", retried("status-500"), failing("close-after-request", (1.0, 2.0))), "S3") is None


def test_not_of_throttling_or_of_longer_retries() -> None:
    """Throttling is no outage, and retries that grew longer are no loss."""
    assert shorter_outage(subject("s", retried("throttled")), "S3") is None
    assert shorter_outage(subject("s", retried("status-500", (10.0, 20.0))), "S3") is None


def test_not_where_the_call_succeeded_or_never_retried() -> None:
    """A call that returned in spite of the failure, or that was slow without a retry, bridged no outage."""
    returned = drifted(
        scenario("status-500", call(5, waits=(1.0, 2.0, 4.0, 8.0)), **SKIPPED),
        scenario("status-500", call(1), **SKIPPED),
        BOTOCORE,
    )
    slow = drifted(
        scenario("status-500", call(1, CLIENT_ERROR, give_up=9.0), **SKIPPED),
        scenario("status-500", call(1, CLIENT_ERROR), **SKIPPED),
        BOTOCORE,
    )
    assert shorter_outage(subject("s", returned), "S3") is None
    assert shorter_outage(subject("s", slow), "S3") is None
