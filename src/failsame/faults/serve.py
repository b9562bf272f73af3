"""The broken server alone, for any client in any language: every request is broken."""

import asyncio
import itertools
import time
from collections.abc import Callable

from failsame.faults.plan import CallCounter, Plan
from failsame.faults.protocol import EndpointSpec
from failsame.faults.record import ConnectionRecord, Recorder, RequestRecord
from failsame.faults.sockets import Ports
from failsame.faults.trial import ServedTrial
from failsame.suite import GoodAnswer, Scenario
from failsame.text import printable

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
    What a scenario does to a connection it does to each.
    Raises UnmeasuredError if the port cannot be had and UsageError for a dialect that does not exist.
    """
    teller = Teller(say)
    plan = Plan(scenario, _counter(scenario), attempt_limit=None)
    trial = ServedTrial(scenario, plan, Recorder(teller.notice), None, limit=lambda _: None, ports=Ports())
    opened = trial.open(0, (EndpointSpec(dialect=dialect, good=good),), port)
    say(f"{opened.urls['main']}{_CONNECT[scenario.connect]}")
    try:
        await asyncio.get_running_loop().create_future()
    finally:
        trial.close(0)


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
                self._line(record.at, record.connection, f"{printable(record.key)} -> {record.answer}")
            case ConnectionRecord(ended=None):
                self._line(record.accepted, record.number, f"accepted from port {record.client_port}")
            case ConnectionRecord(ended=ended):
                assert ended is not None
                self._line(ended, record.number, f"ended after {ended - record.accepted:.2f} s")

    def _line(self, at: float, connection: int, what: str) -> None:
        self._say(f"{at - self._began:8.2f} s  connection {connection}  {what}")
