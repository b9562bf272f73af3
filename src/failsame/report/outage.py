"""How long an outage may last before it reaches the caller as an error, where the measurements say so.

Where every answer is a failure that comes at once, a call gives up right at its last attempt: an outage that ended
before that was ridden out, a longer one reaches the caller.
"""

from typing import Final

from failsame.report.durations import SLACK, duration
from failsame.report.model import ScenarioReport, SubjectReport
from failsame.report.seen import Calls, compared

_OUTAGES: Final = frozenset(
    {"status-500", "status-502", "status-503", "status-504", "reset-after-request", "close-after-request"}
)
"""The service fails every request at once, for whatever reason. Not throttling: that asks for longer waits."""


def shorter_outage(subject: SubjectReport, service: str) -> str | None:
    """Say which outages retries no longer ride out; None where that does not hold for every kind of outage."""
    measured = [one for one in subject.scenarios if one.name in _OUTAGES and one.calls and one.verdict != "unmeasured"]
    ceilings = [_ceilings(one) for one in measured]
    found = [both for both in ceilings if both is not None]
    if not found or len(found) < len(ceilings):
        return None
    before, after = min(one for one, _ in found), max(one for _, one in found)
    if after >= before:
        return None
    length = "even the shortest outage" if after < SLACK else f"an outage of more than {duration(after)}"
    return (
        f"where {service} fails each request at once, {length} will now reach your code as an error; "
        f"before, retries could ride out up to {duration(before)}."
    )


def _ceilings(scenario: ScenarioReport) -> tuple[float, float] | None:
    """The longest time of retrying before and after, in seconds; None where retries did not get shorter."""
    calls = compared(scenario)
    if len(calls) != 1 or not _gives_up_by_itself(calls[0]):
        return None
    before, after = calls[0].before.numbers("give_up"), calls[0].after.numbers("give_up")
    if not before or not after or max(after) >= max(before) or max(calls[0].before.numbers("attempts"), default=0) < 2:  # noqa: PLR2004 - a first attempt and a retry
        return None
    return max(before), max(after)


def _gives_up_by_itself(call: Calls) -> bool:
    return "give_up" in call.changed and call.before.kinds() == call.after.kinds() == ("error",)
