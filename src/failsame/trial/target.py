"""What a trial needs to know of a subject."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

from failsame.faults.protocol import EndpointSpec
from failsame.probes import PYTHON, Language
from failsame.suite import GoodAnswer


@dataclass(frozen=True)
class Target:
    """One subject in its environment, ready to be tried."""

    name: str
    interpreter: Path
    file: Path
    language: Language = PYTHON
    paths: tuple[str, ...] = ()
    """Goes to the front of Python's import path, in order."""
    dialect: str = "http"
    good: GoodAnswer | None = None
    tls: bool = False
    hosts: tuple[str, ...] = ()
    """Host names that the code has hard-coded; they are led to the endpoint."""
    variables: Mapping[str, str] = field(default_factory=dict)
    """The configuration's `env`."""

    @property
    def program(self) -> tuple[str, ...]:
        """Its probe: the interpreter's path, and what that is given to run."""
        return str(self.interpreter), *self.language.arguments

    def endpoint(self, fault_key: str | None) -> EndpointSpec:
        """The trial's one endpoint, breaking the requests of that key."""
        return EndpointSpec(
            dialect=self.dialect,
            good=self.good,
            tls=self.tls,
            hosts=self.hosts,
            fault_key=fault_key,
        )
