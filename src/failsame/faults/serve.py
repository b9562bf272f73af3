"""The broken server alone, for any client in any language: every request is broken."""

import asyncio
import itertools
import time
from collections.abc import Callable

from failsame.errors import UsageError
from failsame.faults.plan import Attempts, CallCounter
from failsame.faults.protocol import EndpointSpec
from failsame.faults.record import ConnectionRecord, Recorder, RequestRecord
from failsame.faults.sockets import Ports
from failsame.faults.trial import ServedTrial
from failsame.observation import MAIN
from failsame.suite import Fault, GoodAnswer, Scenario
from failsame.text import printable

_LAST_PORT = 65_535
_FALLBACK = "fallback"

_CONNECT = {
    "accepted": "",
    "refused": ", where nothing listens",
    "black-hole": ", where SYNs get no answer",
    "tls-stall": ", where the TLS handshake gets no answer",
}


async def serve(
    scenario: Scenario, port: int, dialect: str, say: Callable[[str], None], good: GoodAnswer | None = None
) -> None:
    """Serve a scenario on a port of 127.0.0.1 (0: any) until cancelled; `say` gets a line for all that happens.

    There is no subject that says where a call begins. So the scenario begins once, with the first request: request n
    is attempt n of one call, and of a scenario with several phases (`quota-refill`) request n is call n.
    What a scenario does to a connection it does to each. One of several endpoints is served on two ports, the second
    being the next, for the first endpoint and for all others.
    Raises UnmeasuredError if a port cannot be had and UsageError for a port or a dialect that does not exist.
    """
    teller = Teller(say)
    attempts = Attempts(_counter(scenario), limit=None)
    trial = ServedTrial(attempts, Recorder(teller.notice), None, limit=lambda _: None, ports=Ports())
    faults = _faults(scenario)
    specs = [EndpointSpec(name=name, dialect=dialect, good=good, fault=fault) for name, fault in faults.items()]
    if port + len(specs) - 1 > _LAST_PORT:
        raise UsageError(f"{scenario.name} is served on {len(specs)} ports, from {port} on: name a lower port")
    opened = trial.open(0, specs, port)
    for name, fault in faults.items():
        say(f"{opened.urls[name]}{_CONNECT[fault.connect]}{_told(name)}")
    try:
        await asyncio.get_running_loop().create_future()
    finally:
        trial.close(0)


def _faults(scenario: Scenario) -> dict[str, Fault]:
    return {MAIN: scenario, **({_FALLBACK: scenario.others} if scenario.needs == "several-endpoints" else {})}


def _told(endpoint: str) -> str:
    return "" if endpoint == MAIN else f", the {endpoint}"


def _counter(scenario: Scenario) -> CallCounter:
    return itertools.count(1).__next__ if len(scenario.phases) > 1 else lambda: 1


class Teller:
    """Puts what happens into lines."""

    def __init__(self, say: Callable[[str], None]) -> None:
        self._say = say
        self._began = time.monotonic()

    def notice(self, record: ConnectionRecord | RequestRecord | str) -> None:
        """Say what happened."""
        match record:
            case str():
                self._say(f"trouble: {printable(record)}")
            case RequestRecord():
                self._line(
                    record.at,
                    record.connection,
                    f"{printable(record.asked or record.key)} -> {record.answer}",
                )
            case ConnectionRecord(ended=None):
                where = _told(record.endpoint)
                self._line(record.accepted, record.number, f"accepted from port {record.client_port}{where}")
            case ConnectionRecord(ended=ended):
                assert ended is not None
                self._line(ended, record.number, f"ended after {ended - record.accepted:.2f} s")

    def _line(self, at: float, connection: int, what: str) -> None:
        self._say(f"{at - self._began:8.2f} s  connection {connection}  {what}")
