"""One subject through one scenario: the broken server opened, the probe told, the facts assembled."""

import asyncio
import itertools
import struct
import tempfile
from collections.abc import AsyncIterator, Iterable, Iterator, Mapping, Sequence
from contextlib import asynccontextmanager, contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from urllib.parse import urlsplit

from failsame.clock import PortFault, TrialTime, World
from failsame.confine import Account, Command, Reach, confined
from failsame.errors import UnmeasuredError
from failsame.faults.handle import FaultServer
from failsame.faults.protocol import EndpointSpec, Journal, Opened, OpenTrial
from failsame.observation import ATTEMPT_LIMIT, JITTER, Jitter, Observation
from failsame.probes import PROGRAMS_FOLDER
from failsame.suite import Fault, Scenario
from failsame.trial import sandbox
from failsame.trial.channel import CHANNEL_LOST, Start, Trial
from failsame.trial.follow import Running, follow
from failsame.trial.observe import observe
from failsame.trial.probe import Probe, Process, started
from failsame.trial.record import Record
from failsame.trial.target import Target

_numbers = itertools.count(1)

_TRIES = 4
"""Times that a trial is run which is not about time, before one that does not stand has to do."""


@dataclass(frozen=True)
class Place:
    """Where trials happen: the world, its fault server, and a folder for their files, which is failsame's own."""

    world: World
    server: FaultServer
    scratch: Path
    account: Account | None = None
    """As whom subjects run; None for failsame's own user."""
    ports: range | None = None
    """The ports that the fault server opens; None for any."""

    @property
    def compiled(self) -> Path:
        """A folder for compiled code of languages that keep some."""
        return self.scratch / "compiled"

    @contextmanager
    def folder(self, prefix: str) -> Iterator[Path]:
        """A folder for one process and its descendants, for as long as this is entered."""
        with tempfile.TemporaryDirectory(dir=self.scratch, prefix=prefix, ignore_cleanup_errors=True) as folder:
            yield Path(folder)

    def give(self, *paths: Path) -> None:
        """Let subjects write there; failsame itself, which may be root, writes nothing there any more."""
        if self.account is not None:
            for path in paths:
                self.account.give(path)

    def command(self, target: Target, program: Sequence[str]) -> Command:
        """How a process of this subject is started: within reach of what its trials need, where it can be confined."""
        reach = Reach(
            checkout=target.checkout,
            read=(*target.reads, target.interpreter.parent.parent, PROGRAMS_FOLDER, self.server.authority),
            written=(self.scratch, *([self.world.file] if self.world.file else [])),
            ports=self.ports,
        )
        return confined(self.account, reach, program)


@dataclass(frozen=True)
class Launch:
    """How a subject's trials begin: forked from `parent`, or each in an interpreter of its own, and then why.

    Where the probe does not answer for its processes itself, a `starter` starts them.
    """

    parent: Probe | None = None
    starter: Probe | None = None
    preload: tuple[str, ...] = ()
    why_fresh: str | None = None


@dataclass(frozen=True)
class Asked:
    """What a trial is to do: a scenario at a jitter, hitting the requests of a key at each endpoint."""

    scenario: Scenario
    jitter: Jitter
    horizon: float
    fault_keys: Mapping[str, str] = field(default_factory=dict)
    """Endpoint -> key; where there is none, every request is hit."""
    beside: frozenset[str] = frozenset()
    """The keys of other requests that the call makes when all is well."""
    broken: int = 1
    """How many endpoints, from the first on, are broken."""
    modules: bool = False

    def endpoints(self, target: Target) -> tuple[EndpointSpec, ...]:
        """The target's endpoints, each with what it does in this trial."""
        return tuple(target.specs(self.scenario, self.broken, self.fault_keys))


@dataclass(frozen=True)
class Outcome:
    """What a trial gave: the observation, and the record and journal it was made from."""

    observation: Observation
    record: Record
    journal: Journal
    time: TrialTime
    """Whether it stands, or has to be run again."""


class UnforkableError(UnmeasuredError):
    """A trial that was forked needs a process of its own; why, in the words of `Launch.why_fresh`."""


async def run_trial(
    target: Target, place: Place, asked: Asked, launch: Launch, *, calls_over: asyncio.Event | None = None
) -> Outcome:
    """Run one trial, in its turn.

    `calls_over` is set once only the watch for late attempts is left, which uses no processor.
    Raises UnmeasuredError if no facts came about: no port, no space, a probe that never became ready or lost its
    channel, trouble in the server. Raises UnforkableError if there may be some without a fork.
    """
    over, why_fresh = calls_over or asyncio.Event(), None
    try:
        record, journal, time = await _run(target, place, asked, launch, over)
        why_fresh = record.unforkable if launch.parent is not None else None
    finally:
        if why_fresh is None:
            over.set()
    if why_fresh is not None:
        raise UnforkableError(why_fresh)
    return Outcome(_observation(target, place, asked, record, journal), record, journal, time)


async def standing_trial(target: Target, place: Place, asked: Asked, launch: Launch) -> Outcome:
    """Run one trial until its time stands, or it is plain that it will not: a busy machine takes a few.

    For trials that are not about time, so that the last will do. Raises what `run_trial` raises.
    """
    for _ in range(_TRIES):
        outcome = await run_trial(target, place, asked, launch)
        if outcome.time.again is None or outcome.time.only_real:
            break
    return outcome


async def _run(
    target: Target, place: Place, asked: Asked, launch: Launch, calls_over: asyncio.Event
) -> tuple[Record, Journal, TrialTime]:
    starts = await place.world.turn(fresh=launch.parent is None)
    with place.folder("trial-") as home:
        counter = home / "call"
        _reset(counter)
        place.give(counter, home)
        number = next(_numbers)
        endpoints = asked.endpoints(target)
        opened = await place.server.open(
            OpenTrial(
                trial=number,
                endpoints=endpoints,
                counter=str(counter),
                attempt_limit=ATTEMPT_LIMIT,
            )
        )
        trial = _told(target, place, asked, opened, counter)
        ports = _ports(opened, endpoints)
        place.world.begin(ports)
        try:
            async with _process(target, place, trial, launch, home) as process:
                record = await follow(
                    Running(
                        trial=trial,
                        world=place.world,
                        ports=ports,
                        server=place.server,
                        scenario=asked.scenario.name,
                        horizon=asked.horizon,
                        starts=starts,
                        process=process,
                        calls_over=calls_over,
                    )
                )
        finally:
            time = await place.world.end()
            journal = await place.server.close(number)
    return record, journal, time


def _ports(opened: Opened, endpoints: Iterable[EndpointSpec]) -> dict[int, PortFault]:
    """The trial's ports, and what the clock has to know of each: the kernel's own timers are part of some faults."""
    ports: dict[int, PortFault] = {}
    for spec in endpoints:
        own = {urlsplit(opened.urls[spec.name]).port or 0, *opened.host_ports.get(spec.name, {}).values()}
        ports |= dict.fromkeys(own, _declared(spec.fault))
    return ports


def _declared(fault: Fault) -> PortFault:
    if fault.connect == "black-hole":
        return PortFault.BLACK_HOLE
    return PortFault.HALF_OPEN if fault.reuse == "half-open" else PortFault.NONE


def _reset(counter: Path) -> None:
    """No call is being made yet."""
    counter.write_bytes(struct.pack("<i", 0))


def _told(target: Target, place: Place, asked: Asked, opened: Opened, counter: Path) -> Trial:
    return Trial(
        trial=opened.trial,
        endpoints=opened.urls,
        hosts={
            host: (endpoint, opened.host_ports[endpoint]["http"], opened.host_ports[endpoint]["https"])
            for host, endpoint in target.hosts.items()
        },
        jitter=JITTER[asked.jitter],
        calls=asked.scenario.calls,
        counter=str(counter),
        watch=place.world.watch,
        attempt_limit=ATTEMPT_LIMIT,
        modules=asked.modules,
        wall_phase=asked.scenario.date_matters,
    )


@asynccontextmanager
async def _process(target: Target, place: Place, trial: Trial, launch: Launch, home: Path) -> AsyncIterator[Process]:
    """The trial's process, told what to do; gone when this is left."""
    if launch.parent is not None:
        async with launch.parent.fork(trial) as forked:
            yield forked
        return
    async with _fresh(target, place, trial, launch, home) as process:
        await process.prepare(target, launch.preload)
        await process.channel.send(trial)
        yield process


@asynccontextmanager
async def _fresh(target: Target, place: Place, trial: Trial, launch: Launch, home: Path) -> AsyncIterator[Process]:
    """An interpreter for this trial alone, whose subject may take its service's address from the environment."""
    address = sandbox.endpoint_variables(trial.endpoints, target.endpoints)
    variables = probe_variables(target, place, home, address)
    if launch.starter is not None:
        start = Start(trial=trial.trial, program=target.command, variables=variables, folder=str(home))
        async with launch.starter.start(start) as process:
            yield process
        return
    async with started(target.name, place.command(target, target.command), variables, home) as probe:
        place.world.expect(probe.process.pid)
        yield probe.itself()


def probe_variables(target: Target, place: Place, home: Path, more: Mapping[str, str]) -> dict[str, str]:
    """Make the environment of a probe of this target; `more` is the endpoint's address, if it goes there."""
    tls = target.tls or bool(target.hosts)
    own = sandbox.environment(home, place.server.authority, target.variables, tls=tls)
    cache = target.probe.code_cache
    compiled = {} if cache is None else {cache: str(place.compiled)}
    return _with_library(target.probe.library, {**compiled, **own, **more, **place.world.environment()})


def _with_library(library: Path | None, variables: Mapping[str, str]) -> dict[str, str]:
    """These variables, and the library loaded, after the clock's own."""
    if library is None or not library.exists():
        return {**variables}
    return {**variables, "LD_PRELOAD": ":".join(filter(None, (variables.get("LD_PRELOAD"), str(library))))}


def _observation(target: Target, place: Place, asked: Asked, record: Record, journal: Journal) -> Observation:
    if record.status == CHANNEL_LOST:
        raise UnmeasuredError(
            f"{target.name} closed failsame's channel in {asked.scenario.name}: "
            "a subject must not close descriptors that it did not open"
        )
    if journal.trouble is not None:
        raise UnmeasuredError(f"the fault server failed in {asked.scenario.name}: {journal.trouble}")
    return observe(
        target.name,
        asked.scenario,
        asked.jitter,
        journal,
        record,
        endpoints=asked.endpoints(target),
        beside=asked.beside,
        clock=place.world.clock,
        horizon=asked.horizon,
    )
