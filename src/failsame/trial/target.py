"""What a trial needs to know of a subject."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

from failsame.faults.protocol import EndpointSpec
from failsame.language import Language
from failsame.probes import PROGRAMS, Program
from failsame.suite import GoodAnswer


@dataclass(frozen=True)
class Target:
    """One subject in its environment, ready to be tried."""

    name: str
    interpreter: Path
    file: Path
    language: Language = "python"
    paths: tuple[str, ...] = ()
    """Goes to the front of Python's import path, in order."""
    dialect: str = "http"
    good: GoodAnswer | None = None
    tls: bool = False
    hosts: tuple[str, ...] = ()
    """Host names that the code has hard-coded; they are led to the endpoint."""
    variables: Mapping[str, str] = field(default_factory=dict)
    """The configuration's `env`."""
    checkout: Path | None = None
    """The project's repository, which the subject may read where it is confined; and beside it, `reads`."""
    reads: tuple[Path, ...] = ()

    @property
    def probe(self) -> Program:
        """The probe of its language."""
        return PROGRAMS[self.language]

    @property
    def command(self) -> tuple[str, ...]:
        """What runs its probe: the interpreter's path, and what that is given."""
        return str(self.interpreter), *self.probe.arguments

    def endpoint(self, fault_key: str | None) -> EndpointSpec:
        """The trial's one endpoint, breaking the requests of that key."""
        return EndpointSpec(
            dialect=self.dialect,
            good=self.good,
            tls=self.tls,
            hosts=self.hosts,
            fault_key=fault_key,
        )
