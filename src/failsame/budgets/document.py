"""The documentation of budgets, made from their tables: docs/budgets.md.

`python -m failsame.budgets.document > docs/budgets.md` writes it anew.
"""

import sys
from collections.abc import Iterable, Mapping

from failsame.budgets.catalogue import CATALOGUE, Named
from failsame.budgets.costs import COSTS, SCENARIO, Cost
from failsame.budgets.names import ENDS, FUNCTIONS, MEASURES, SETTINGS, setting_named
from failsame.budgets.read import DEEPEST, LONGEST
from failsame.budgets.results import LONGEST as LONGEST_WATCHED
from failsame.budgets.units import UNITS
from failsame.observation import ATTEMPT_LIMIT, KERNEL_GIVES_UP
from failsame.suite import SCENARIOS

EXAMPLE = """\
subjects:
  - name: batch-s3
    file: failsame/batch_s3.py
    dialect: s3
    declare: {function_timeout: 30s, async_invocations: 3, most_requests: 9}
    budgets:
      - function-timeout                                # by its name in the catalogue
      - async-invocations
      - give_up.max in status < 5s                      # or an inequality
      - rule: give_up.max + assistant.give_up.max < 110s
        because: both are called one after the other, and the clean-up needs the rest
        severity: should
        slack: 500ms
"""

_HEAD = f"""\
# Budgets

Made from the tables of the code by `python -m failsame.budgets.document`.

Drift says that something changed; a budget says that it no longer fits. A budget is an inequality over what was
measured, what a subject declares and what other subjects do. One that is broken fails the check (`over-budget`, exit
code 1), also when nothing drifted.

```yaml
{EXAMPLE}```

## A rule

A rule is arithmetic (`+ - * /`, brackets, {", ".join(f"`{name}(…)`" for name in FUNCTIONS)}) on both sides of one of
`<`, `<=`, `>` and `>=`. It is at most {LONGEST} characters long, with brackets in at most {DEEPEST} levels, and nothing
in it can run code. Numbers are exact: 0.1 s + 0.2 s are 0.3 s.

| key | what it is |
| --- | --- |
| `rule` | the inequality, or a name from the catalogue |
| `because` | the reason, for whoever breaks it |
| `severity` | `must` (by default) fails when it is broken; `should` only says so |
| `slack` | what it may be broken by |
| `source` | an address: where its number, or the advice, comes from |

"""

_TERMS = """\
## Terms

A measured term has an end and may have a scenario or group: `give_up.max in silence`. Without one it is about all the
subject's scenarios but `healthy`. A term of another subject has its name in front: `assistant.give_up.max`. A
difference has spaces around its `-`, since names of subjects have hyphens.

"""

_UNKNOWN = f"""\
## Numbers that are not known

- A call that is still waiting at the horizon lasts *at least* that long. Where that does not decide a rule, it is
  measured again and watched for longer: in real time for up to {LONGEST_WATCHED["real"]:g} s, in skipped time for up to
  {LONGEST_WATCHED["skip"]:,.0f} s. One that still waits then never ends, in skipped time: its time is infinite, its
  attempts are those of that hour. In real time the rule is `unmeasured`: never green.
- A call that was cut off at {ATTEMPT_LIMIT} attempts made at least so many, and lasted at least until the last.
  A connect that the system gives up lasts {KERNEL_GIVES_UP[0]:g} to {KERNEL_GIVES_UP[1]:g} s. A half-open connection is
  watched for {SCENARIOS["half-open"].watched_at_most:g} s, after which the system would end it.
- A client that does not retry has no waits: it keeps every rule that its shortest one is at least so long. Where
  nobody saw any of its waits, since no answer ended, they are not known; beside others such a wait does not count.
- Attempts are those made until the call ended; late ones are a fact of their own, and drift by themselves.
- In real time a rule without a scenario is about those scenarios that real time can show.
- A timeout that is switched off is infinite, as a setting. A setting that a client does not show makes a rule
  `unmeasured`.
- A broken budget is measured twice more, as a drift is; the verdict is what those two agree on.
- With `--subject` or `--scenario`, a rule about what was not asked for is `left-out` and fails nothing, unless what was
  measured breaks it.

## In the report

Each rule stands there with the numbers put in, the scenario that makes each of them, and the room that is left. Where
the baseline keeps a rule that is broken now, the packages that can have broken it are named; where it breaks the rule
too, the report says so. Settings that changed stand beside a drift as its likely cause; a setting that changes alone is
a note.

"""

_CATALOGUE = """\
## The catalogue

Rules to switch on by their name. What a rule needs has to be declared; what it has a default for may be.

"""

_COSTS = f"""\
## What an outage costs

From what a subject declares and how long its call lasts in `{SCENARIO}` (its service accepts and never answers) the
report says what an outage costs, before and after. A call is ended by the platform at `function_timeout`, where that is
declared. At 1 GB and 0.0000166667 USD a GB-second, 10,000 calls that hang for 900 s cost 150 USD; calls of 15.1 s cost
2.52 USD.

"""


def document() -> str:
    """docs/budgets.md: terms, units, what is not known, the catalogue and the costs."""
    return "\n".join(
        [
            _HEAD + _TERMS + _table("term", ((name, each.what) for name, each in MEASURES.items())),
            _table("end", ENDS.items()),
            _others(),
            _UNKNOWN + _CATALOGUE + "\n".join(entry(named) for named in CATALOGUE.values()),
            _COSTS + "\n".join(["| what | arithmetic | declare |", "| --- | --- | --- |", *map(_cost, COSTS.values())]),
            "",
        ]
    )


def _table(head: str, rows: Iterable[tuple[str, str]]) -> str:
    lines = [f"| `{name}` | {what} |" for name, what in rows]
    return "\n".join([f"| {head} | what it is |", "| --- | --- |", *lines, ""])


def _others() -> str:
    settings = ", ".join(f"`{setting_named(name)}`" for name in SETTINGS)
    units = ", ".join(f"`{name}`" for name in UNITS)
    return f"""\
A declared term is what stands under `declare`: a number with its unit, or arithmetic of such. A setting is read off the
client, where it shows it; timeouts are seconds. There are {settings}.

Units: {units}, and what comes of them by division, as in `10 / s`.
`requests` are plain numbers, as attempts are, and so is a number without a unit; 1,024 MB are 1 GB. Like is compared
with like: seconds with seconds only.
"""


def entry(named: Named) -> str:
    """What a rule of the catalogue asks, why, where that is said, and what to do, in Markdown."""
    rows = {
        "Rule": f"`{named.rule}`",
        **({"Declare": _examples(named.needs)} if named.needs else {}),
        **({"By default": _examples(named.defaults)} if named.defaults else {}),
        "It has to hold because": f"{named.because}.",
        "Otherwise": named.why,
        "What to do": named.remedy,
        "Source": f"<{named.source}>",
    }
    return "\n".join([f"### `{named.name}`", "", *(f"- **{name}:** {text}" for name, text in rows.items()), ""])


def _examples(terms: Mapping[str, str]) -> str:
    return ", ".join(f"`{name}: {example}`" for name, example in terms.items())


def _cost(cost: Cost) -> str:
    arithmetic = cost.arithmetic.format(lasts=f"give_up.max in {SCENARIO}")
    declare = _examples(cost.needs) + (f", and `{cost.limit}` for how many there may be" if cost.limit else "")
    return f"| {cost.what} | `{arithmetic}` | {declare} |"


if __name__ == "__main__":
    sys.stdout.write(document())
