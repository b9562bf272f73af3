"""The suite, version 1.

Names are part of the public interface: they stand in baselines, comments and configuration. A scenario's
meaning never changes under the same suite number. Delays are chosen so that they meet no usual timeout exactly:
an answer at 5.0 s against a timeout of 5 s is a tie, and its result a coin's.
"""

from failsame.suite.model import (
    Answer,
    ClockSkew,
    Close,
    Failure,
    Fault,
    Garbage,
    Good,
    Phase,
    Reset,
    Scenario,
    Silent,
)

SUITE = 1

CHAIN = "chain"
"""The group that subjects with several endpoints run by default."""

GROUPS: dict[str, str] = {
    "control": "the client works at all",
    "connect": "no connection comes about",
    "silence": "the service takes the request and is late, or never answers",
    "close": "the connection ends instead of an answer",
    "status": "the service answers that it failed",
    "body": "the answer begins well",
    "reuse": "a kept-alive connection is no longer good",
    "quota": "an outage lasts for many calls",
    CHAIN: "the first of several endpoints is broken, alone or with all others",
}
"""Group -> what its scenarios have in common."""

_GOOD = Good()


def _one(*answers: Answer) -> tuple[Phase, ...]:
    return (Phase(answers=answers),)


def _status(status: int, shows: str) -> Scenario:
    return Scenario(
        name=f"status-{status}",
        group="status",
        when=f"answers {status}",
        shows=shows,
        phases=_one(Failure(status=status)),
    )


def _late(name: str, delay: float) -> Scenario:
    return Scenario(
        name=name,
        group="silence",
        when=f"answers after {delay:g} s",
        shows="which latencies count as failure",
        phases=_one(Good(delay=delay)),
        lasts=delay,
    )


def _retry_after(name: str, when: str, answer: Failure, *, date_matters: bool = False) -> Scenario:
    return Scenario(
        name=name,
        group="status",
        when=when,
        shows="whether Retry-After is obeyed, capped or ignored",
        phases=_one(answer),
        date_matters=date_matters,
    )


def _chain(
    name: str,
    when: str,
    shows: str,
    fault: Fault,
    others: Answer = _GOOD,
    *,
    lasts: float = 0,
    watched_at_most: float | None = None,
) -> Scenario:
    return Scenario(
        name=name,
        group=CHAIN,
        when=when,
        shows=shows,
        connect=fault.connect,
        phases=fault.phases,
        others=Fault(phases=_one(others)),
        needs="several-endpoints",
        lasts=lasts,
        watched_at_most=watched_at_most,
    )


_RETRIED = "is it retried, how often, with what waits"
_CONTROL = "control: normally not retried"
_TO_THE_FALLBACK = "the time to the fallback"
_THE_SUM = "the sum of the timeouts; is the last one called after the deadline"

_ALL = (
    Scenario(
        name="healthy",
        group="control",
        when="is well",
        shows="run first; must return ok after at least one request",
    ),
    Scenario(
        name="refused",
        group="connect",
        when="refuses connections",
        shows="are failed connects retried",
        connect="refused",
    ),
    Scenario(
        name="connect-blackhole",
        group="connect",
        when="cannot be reached (SYNs get no answer)",
        shows="the connect timeout",
        connect="black-hole",
    ),
    Scenario(
        name="tls-stall",
        group="connect",
        when="never answers the TLS handshake",
        shows="is the handshake under a timeout",
        connect="tls-stall",
    ),
    Scenario(
        name="silent",
        group="silence",
        when="accepts and never answers",
        shows="the response timeout, times attempts",
        phases=_one(Silent()),
    ),
    Scenario(
        name="silent-once",
        group="silence",
        when="never answers the first request",
        shows="does a timeout lead to a retry that succeeds",
        phases=_one(Silent(), _GOOD),
    ),
    _late("late-3s", 3.4),
    _late("late-10s", 10.7),
    _late("late-45s", 46.0),
    Scenario(
        name="slow-headers",
        group="silence",
        when="sends its headers a byte at a time, over 7 s",
        shows="response timeout or idle timeout",
        phases=_one(Good(head="slow")),
        lasts=7.0,
    ),
    Scenario(
        name="reset-after-request",
        group="close",
        when="resets the connection instead of answering",
        shows=_RETRIED,
        phases=_one(Reset()),
    ),
    Scenario(
        name="close-after-request",
        group="close",
        when="closes the connection instead of answering",
        shows=_RETRIED,
        phases=_one(Close()),
    ),
    Scenario(
        name="reset-once",
        group="close",
        when="resets the connection on the first request",
        shows="does one reset reach the caller",
        phases=_one(Reset(), _GOOD),
    ),
    Scenario(
        name="close-once",
        group="close",
        when="closes the connection on the first request",
        shows="does one lost connection reach the caller",
        phases=_one(Close(), _GOOD),
    ),
    _status(500, _RETRIED),
    _status(502, _RETRIED),
    _status(503, _RETRIED),
    _status(504, _RETRIED),
    _status(429, _RETRIED),
    _status(408, _RETRIED),
    _status(403, _CONTROL),
    _status(404, _CONTROL),
    Scenario(
        name="throttled",
        group="status",
        when="throttles",
        shows="the waits on the dialect's own throttling error",
        phases=_one(Failure(error="throttled")),
        needs="own-throttling",
    ),
    _retry_after(
        "retry-after-2",
        "answers 503 with Retry-After 2",
        Failure(status=503, headers={"Retry-After": "2"}),
    ),
    _retry_after(
        "retry-after-30",
        "answers 503 with Retry-After 30",
        Failure(status=503, headers={"Retry-After": "30"}),
    ),
    _retry_after(
        "retry-after-date",
        "answers 503 with Retry-After as a date",
        Failure(status=503, date_in=5),
        date_matters=True,
    ),
    _retry_after(
        "retry-after-huge",
        "answers 503 with Retry-After 100000",
        Failure(status=503, headers={"Retry-After": "100000"}),
    ),
    Scenario(
        name="x-amz-retry-after",
        group="status",
        when="answers 500 with x-amz-retry-after 1500",
        shows="whether the milliseconds that AWS asks for are obeyed",
        phases=_one(Failure(status=500, headers={"x-amz-retry-after": "1500"})),
        needs="aws",
    ),
    Scenario(
        name="clock-skew",
        group="status",
        when="says that the client's clock is an hour off",
        shows="does the client correct its clock and try again",
        phases=_one(ClockSkew()),
        needs="aws",
    ),
    Scenario(
        name="error-in-200",
        group="status",
        when="answers 200 with an error in the body",
        shows="is the error seen",
        phases=_one(Failure(status=200, error="in-200")),
        needs="error-in-200",
    ),
    Scenario(
        name="fails-once",
        group="status",
        when="answers 500 once",
        shows="does one failure reach the caller",
        phases=_one(Failure(status=500), _GOOD),
    ),
    Scenario(
        name="fails-twice",
        group="status",
        when="answers 500 twice",
        shows="do two failures reach the caller",
        phases=_one(Failure(status=500), Failure(status=500), _GOOD),
    ),
    Scenario(
        name="truncated-body",
        group="body",
        when="closes in the middle of the body",
        shows="silent data loss",
        phases=_one(Good(body="truncated")),
    ),
    Scenario(
        name="reset-mid-body",
        group="body",
        when="resets in the middle of the body",
        shows="is a lost body retried, reported or returned",
        phases=_one(Good(body="reset")),
    ),
    Scenario(
        name="stalled-body",
        group="body",
        when="falls silent in the middle of the body",
        shows="is the body under a timeout",
        phases=_one(Good(body="stalled")),
    ),
    Scenario(
        name="drip-body",
        group="body",
        when="sends the body a byte at a time, over up to 63 s",
        shows="is there a total deadline",
        phases=_one(Good(body="drip")),
        lasts=63.0,
    ),
    Scenario(
        name="garbage",
        group="body",
        when="answers with bytes that are not HTTP",
        shows="is nonsense retried",
        phases=_one(Garbage()),
    ),
    Scenario(
        name="bad-checksum",
        group="body",
        when="sends a body that does not match its checksum",
        shows="is the checksum verified",
        phases=_one(Good(checksum="wrong")),
        needs="checksum",
    ),
    Scenario(
        name="closes-on-reuse",
        group="reuse",
        when="closes a kept-alive connection on its second request",
        shows="is the request sent again on a new connection",
        phases=(Phase(calls=2, answers=(_GOOD,)),),
        reuse="close",
    ),
    Scenario(
        name="resets-on-reuse",
        group="reuse",
        when="resets a kept-alive connection on its second request",
        shows="is the request sent again on a new connection",
        phases=(Phase(calls=2, answers=(_GOOD,)),),
        reuse="reset",
    ),
    Scenario(
        name="half-open",
        group="reuse",
        when="vanishes behind a kept-alive connection",
        shows="is a dead connection used again, and for how long",
        phases=(Phase(calls=2, answers=(_GOOD,)),),
        reuse="half-open",
        # The kernel gives a half-open connection up after about 940 s: 15 retransmissions, tcp_retries2.
        watched_at_most=900.0,
    ),
    Scenario(
        name="quota-500",
        group="quota",
        when="answers 500 to 70 calls in a row",
        shows="when does the client stop retrying",
        phases=(Phase(calls=70, answers=(Failure(status=500),)),),
        skipped_time_only=True,
    ),
    Scenario(
        name="quota-throttled",
        group="quota",
        when="throttles 70 calls in a row",
        shows="when does the client stop retrying",
        phases=(Phase(calls=70, answers=(Failure(error="throttled"),)),),
        needs="own-throttling",
        skipped_time_only=True,
    ),
    Scenario(
        name="quota-refill",
        group="quota",
        when="fails 70 calls, serves 10, and fails again",
        shows="how fast retries come back",
        phases=(
            Phase(calls=70, answers=(Failure(status=500),)),
            Phase(calls=10, answers=(_GOOD,)),
            Phase(calls=3, answers=(Failure(status=500),)),
        ),
        skipped_time_only=True,
    ),
    _chain(
        "first-refused",
        "refuses connections, while the others are well",
        _TO_THE_FALLBACK,
        Fault(connect="refused"),
    ),
    _chain(
        "first-500",
        "answers 500, while the others are well",
        _TO_THE_FALLBACK,
        Fault(phases=_one(Failure(status=500))),
    ),
    _chain(
        "first-silent",
        "never answers, while the others are well",
        _TO_THE_FALLBACK,
        Fault(phases=_one(Silent())),
    ),
    _chain(
        "first-drip",
        "sends its body a byte at a time without end, while the others are well",
        f"is reading the body inside the deadline; {_TO_THE_FALLBACK}",
        Fault(phases=_one(Good(body="endless"))),
        # No platform lets a function run for longer than 15 minutes, and an hour of drips takes half a minute.
        watched_at_most=960.0,
    ),
    _chain(
        "all-500",
        "answers 500, and so do all others",
        "which are called, in which order, how often",
        Fault(phases=_one(Failure(status=500))),
        Failure(status=500),
    ),
    _chain(
        "all-silent",
        "never answers, and neither do the others",
        _THE_SUM,
        Fault(phases=_one(Silent())),
        Silent(),
    ),
    _chain(
        "first-late-then-silent",
        "answers 500 after 46 s, and the others never answer",
        _THE_SUM,
        Fault(phases=_one(Failure(status=500, delay=46.0))),
        Silent(),
        lasts=46.0,
    ),
)

SCENARIOS: dict[str, Scenario] = {scenario.name: scenario for scenario in _ALL}
"""Every scenario of the current suite by name, in the order of the documentation; `healthy` first."""
