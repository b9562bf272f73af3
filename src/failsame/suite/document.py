"""The documentation of the suite, made from the suite: docs/scenarios.md and `failsame explain`.

`python -m failsame.suite.document > docs/scenarios.md` writes it anew.
"""

import sys
from collections.abc import Iterable, Iterator

from failsame.suite.describe import calls, dialects, length, server
from failsame.suite.dialects import DIALECTS
from failsame.suite.model import Fault, Good, Scenario, Silent
from failsame.suite.scenarios import GROUPS, SCENARIOS, SUITE

PORT = 8080
"""The port of the examples."""

_PATIENCE = 10
"""Seconds that curl waits, in the examples, for what never comes."""

_FEW = 5
_ONLY_STATUSES = r"-s -o /dev/null -w '%{http_code}\n'"

_HEAD = f"""\
# The scenarios of suite {SUITE}

Made from the suite by `python -m failsame.suite.document`. `failsame explain NAME` shows one entry.

A scenario is one fault, fixed and named. Its meaning never changes under the same suite number. "Good answer" and
"error" are those of the subject's dialect. The fault hits the call's own requests, as `healthy` showed them, and not a
client's side calls. A scenario that does not fit a subject's dialect is left out of it and listed with the reason.

Of a subject with several endpoints (a primary and its fallback) the first has the fault, and the others are well; in
the group `chain` the others have one of their own. Such a subject runs that group by default.

In real time a scenario whose own script reaches the horizon is left out, as are those that need skipped time, unless
they are named with `--scenario`.

The last line of each entry shows the fault to curl; `failsame serve` breaks every request. Any other client, in any
language, can be pointed at the same URL.
"""


def document() -> str:
    """docs/scenarios.md: every group and every scenario, in the order of the suite."""
    return "\n".join([_HEAD, _contents(), *(_group(group) for group in GROUPS)])


def entry(scenario: Scenario) -> str:
    """One scenario: what the server does, what that shows, whom it fits, how to see it. Markdown."""
    rows = {
        "The server": f"{server(scenario)}.",
        "The subject makes": f"{calls(scenario)}.",
        "What it shows": f"{scenario.shows}.",
        "Dialects": f"{_dialects(scenario)}.",
        "Clock": f"{length(scenario)}.",
    }
    service = "first endpoint" if scenario.needs == "several-endpoints" else "service"
    lines = [f"### `{scenario.name}`", "", f"The {service} {scenario.when}.", ""]
    lines += [f"- **{name}:** {text}" for name, text in rows.items()]
    return "\n".join([*lines, "", "```console", *(f"$ {command}" for command in commands(scenario)), "```", ""])


def commands(scenario: Scenario) -> tuple[str, ...]:
    """Command lines: the broken server alone, and the curl that shows the fault of each endpoint."""
    first = dialects(scenario)[0]
    dialect = f" --dialect {first}" if first != next(iter(DIALECTS)) else ""
    faults = (scenario, scenario.others) if scenario.needs == "several-endpoints" else (scenario,)
    return (
        f"failsame serve {scenario.name} --port {PORT}{dialect} &",
        *(_curl(fault, port) for port, fault in enumerate(faults, start=PORT)),
    )


def _curl(fault: Fault, port: int) -> str:
    scheme = "https" if fault.connect == "tls-stall" else "http"
    # curl keeps one connection for all URLs of a line, and a query takes no part in a request's key.
    requests = _requests(fault)
    query = f"?[1-{requests}]" if requests > 1 else ""
    options = "-v" if fault.reuse != "kept" else "-i" if requests <= _FEW else _ONLY_STATUSES
    patience = f" --max-time {_PATIENCE}" if _never_ends(fault) else ""
    return f"curl {options}{' --insecure' if scheme == 'https' else ''}{patience} '{scheme}://127.0.0.1:{port}/{query}'"


def _contents() -> str:
    def of(group: str) -> str:
        return ", ".join(f"[`{each.name}`](#{each.name})" for each in _members(group))

    rows = [f"| [{group}](#{group}) | {what} | {of(group)} |" for group, what in GROUPS.items()]
    return "\n".join(["| group | what its scenarios have in common | scenarios |", "| --- | --- | --- |", *rows, ""])


def _group(group: str) -> str:
    entries = [entry(scenario) for scenario in _members(group)]
    return "\n".join([f"## {group}", "", f"In common: {GROUPS[group]}.", "", *entries])


def _members(group: str) -> Iterator[Scenario]:
    return (scenario for scenario in SCENARIOS.values() if scenario.group == group)


def _dialects(scenario: Scenario) -> str:
    fitting = dialects(scenario)
    if len(fitting) == len(DIALECTS):
        return "all"
    return ", ".join(f"`{name}`" for name in fitting)


def _requests(fault: Fault) -> int:
    """How many requests of curl, which tries once, show the whole fault."""
    return sum(phase.calls * len(phase.answers) for phase in fault.phases)


def _never_ends(fault: Fault) -> bool:
    answers: Iterable[object] = (answer for phase in fault.phases for answer in phase.answers)
    return (
        fault.connect in {"black-hole", "tls-stall"}
        or fault.reuse == "half-open"
        or any(
            isinstance(answer, Silent) or (isinstance(answer, Good) and answer.body in {"stalled", "endless"})
            for answer in answers
        )
    )


if __name__ == "__main__":
    sys.stdout.write(document())
