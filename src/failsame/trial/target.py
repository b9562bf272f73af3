"""What a trial needs to know of a subject."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path

from failsame.faults.protocol import EndpointSpec
from failsame.language import Language
from failsame.observation import MAIN
from failsame.probes import PROGRAMS, Program
from failsame.suite import GoodAnswer, Scenario


@dataclass(frozen=True)
class Target:
    """One subject in its environment, ready to be tried."""

    name: str
    interpreter: Path
    file: Path
    language: Language = "python"
    paths: tuple[str, ...] = ()
    """Goes to the front of Python's import path, in order."""
    endpoints: Mapping[str, str] = field(default_factory=lambda: {MAIN: "http"})
    """Name -> dialect, in the order in which they are called."""
    good: GoodAnswer | None = None
    """What a good answer is, in dialect http."""
    tls: bool = False
    hosts: Mapping[str, str] = field(default_factory=dict)
    """Host names that the code has hard-coded -> the endpoint that they are led to."""
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

    @property
    def first(self) -> str:
        """The name of the endpoint that is called first."""
        return next(iter(self.endpoints))

    def specs(self, scenario: Scenario, broken: int, fault_keys: Mapping[str, str]) -> Iterable[EndpointSpec]:
        """The endpoints of a trial: the first few are broken as the scenario has it, the others as its others are.

        `fault_keys` are the keys of the requests that are broken, by endpoint; of one that has none all are.
        """
        for number, (name, dialect) in enumerate(self.endpoints.items()):
            yield EndpointSpec(
                name=name,
                dialect=dialect,
                good=self.good if dialect == "http" else None,
                tls=self.tls,
                hosts=tuple(host for host, endpoint in self.hosts.items() if endpoint == name),
                fault=scenario if number < broken else scenario.others,
                fault_key=fault_keys.get(name),
            )
