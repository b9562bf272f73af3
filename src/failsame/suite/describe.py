"""What the server does in a scenario, in words made from the scenario's data."""

from collections.abc import Iterator

from failsame.suite.dialects import DIALECTS, Request, fits
from failsame.suite.model import (
    DRIP_BYTES,
    DRIP_GAP,
    RESET_GAP,
    SLOW_HEAD_BYTES,
    SLOW_HEAD_GAP,
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

_CONNECT = {
    "refused": "nothing listens on the port",
    "black-hole": "SYNs get no answer",
    "tls-stall": "an https URL is handed out; the server accepts the connection and never answers the handshake",
}

_REUSE = {
    "close": "its next request is read whole and answered by FIN",
    "reset": "its next request is read whole and answered by RST",
    "half-open": "the connection is dead without a sign: nothing that the client sends on it is acknowledged",
}

_PLAIN: dict[type[Answer], str] = {
    Silent: "silence (the request is read, and nothing comes back)",
    Reset: "RST instead of an answer (once the request is read whole)",
    Close: "FIN instead of an answer (once the request is read whole)",
    Garbage: "bytes that are not HTTP, then FIN (once the request is read whole)",
}

_HEAD = {
    "whole": "",
    "slow": f" whose head takes {SLOW_HEAD_BYTES * SLOW_HEAD_GAP:g} s: its last {SLOW_HEAD_BYTES} bytes come one "
    f"every {SLOW_HEAD_GAP:g} s",
}

_BODY = {
    "whole": "",
    "truncated": ", but only half of its body, then FIN",
    "reset": f", but only half of its body, then, after {RESET_GAP:g} s, RST",
    "stalled": ", but only half of its body, then nothing more",
    "drip": f" whose body ends in a drip: its last {DRIP_BYTES} bytes come one every {DRIP_GAP:g} s "
    f"({DRIP_BYTES * DRIP_GAP:g} s)",
    "endless": f", but only half of its body, then a space every {DRIP_GAP:g} s, for ever",
}


def server(scenario: Scenario) -> str:
    """Say what the server does, as the end of "the server: …"."""
    if scenario.needs == "several-endpoints":
        return f"at the first endpoint {_does(scenario)}; at all others {_does(scenario.others)}"
    return _does(scenario)


def _does(fault: Fault) -> str:
    if fault.connect != "accepted":
        return _CONNECT[fault.connect]
    if fault.reuse != "kept":
        first = _answers(fault.phases[0])
        return f"{first}, but once a connection has carried one {_REUSE[fault.reuse]}; new connections are good"
    if len(fault.phases) == 1:
        return _answers(fault.phases[0])
    return "; ".join(_phases(fault))


def calls(scenario: Scenario) -> str:
    """Say how many calls the subject makes."""
    return "1 call" if scenario.calls == 1 else f"{scenario.calls} calls in a row, on one client"


def dialects(scenario: Scenario) -> tuple[str, ...]:
    """Name the dialects that the scenario fits."""
    several = 2
    return tuple(name for name, dialect in DIALECTS.items() if fits(scenario, dialect, several) is None)


def length(scenario: Scenario) -> str:
    """Say which clock the scenario needs, and how long its own script is."""
    script = f"; the server's own script takes {scenario.lasts:g} s" if scenario.lasts else ""
    if scenario.skipped_time_only:
        return f"skipped time only, unless it is named{script}"
    return f"any clock{script}"


def _phases(fault: Fault) -> Iterator[str]:
    first = 1
    for phase in fault.phases:
        last = first + phase.calls - 1
        yield f"{f'call {first}' if first == last else f'calls {first} to {last}'}: {_answers(phase)}"
        first = last + 1


def _answers(phase: Phase) -> str:
    *before, last = [_answer(answer) for answer in phase.answers]
    if not before:
        return f"every request gets {last}"
    numbered = [f"attempt {number} gets {answer}" for number, answer in enumerate(before, 1)]
    return ", ".join(numbered) + f", every later one {last}"


def _answer(answer: Answer) -> str:
    match answer:
        case Good():
            wrong = " whose declared checksum is wrong" if answer.checksum == "wrong" else ""
            return f"a good answer{_HEAD[answer.head]}{_BODY[answer.body]}{wrong}{_delay(answer.delay)}"
        case Failure():
            return f"{_failure(answer)}{_delay(answer.delay)}"
        case ClockSkew():
            what = f"the dialect's error for a clock that is {answer.ahead} s behind the server's"
            return f"{what} ({_statuses('skewed')}), until its date fits; then a good answer"
        case _:
            return _PLAIN[type(answer)]


def _failure(answer: Failure) -> str:
    match answer.error:
        case "throttled":
            what = f"the dialect's own throttling error ({_statuses('throttled')})"
        case "in-200":
            what = f"status {answer.status} with the dialect's error in its body"
        case "status":
            body = "the dialect's error body" if answer.body is None else f"a body of {len(answer.body.encode())} bytes"
            what = f"status {answer.status} with {body}"
    headers = [f"`{name}: {value}`" for name, value in answer.headers.items()]
    if answer.date_in is not None:
        headers.append(f"`Retry-After`, the date of now rounded up to a second plus {answer.date_in} s")
    return f"{what} and {' and '.join(headers)}" if headers else what


def _delay(seconds: float) -> str:
    return f", {seconds:g} s after the end of the request" if seconds else ""


def _statuses(error: str) -> str:
    """List what each dialect that has this error answers with: `s3` 503."""
    made = {name: getattr(dialect, error) for name, dialect in DIALECTS.items()}
    return ", ".join(f"`{name}` {make(Request('GET', '/')).status}" for name, make in made.items() if make)
